"""Cuts cleaned Markdown into headings, paragraphs, lists, tables and code, with exact offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from core.models.source import PassageKind

_HEADING = re.compile(r"[ ]{0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r"[ ]{0,3}(=+|-{3,})[ \t]*$")
_LONGEST_TITLE = 200  # characters; a longer line is prose, whatever its marks say
_LONGEST_HEADER = 4_000  # characters of a table's first row
_SENTENCE_END = re.compile(r"[.!?;:。！？；：][\s*_]*$|[a-z]{2}[.!?]\s+[A-Z]|[。！？]")
"""A line that ends or holds a sentence is text, whatever is drawn under it: text in a heading is
never quoted."""
_RULE = re.compile(r"[ ]{0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_LINK_TARGET = re.compile(r"[ ]{0,3}\[[^\]^]+\]:[ \t]+<?(?:(?:https?|ftp|mailto):|[/.#])\S*[ \t]*$")
"""Where a link named elsewhere leads: nothing that is read."""
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_ITEM = re.compile(
    r"[ \t]*(?:[-*+•·▪◦]|\d{1,3}[.)](?!\d)|\(?[a-zA-Z\d]\)"
    r"|[（(]?[一二三四五六七八九十]{1,3}[、）)])[ \t]+\S"
    r"|[ \t]*(?:\d{1,2}|[一二三四五六七八九十]{1,3})、\S"
)
_BAR = re.compile(r"(?<!\\)\|")
_DELIMITER = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")


class Block(NamedTuple):
    """``text[start:end]``, one block. ``level`` is 1–6 for a heading and 0 for anything else."""

    start: int
    end: int
    kind: PassageKind
    level: int = 0
    title: str = ""


class Line(NamedTuple):
    """A line without its newline."""

    start: int
    end: int
    text: str


def lines_of(text: str, start: int = 0, end: int | None = None) -> list[Line]:
    """The lines of ``text[start:end]`` with offsets into ``text``."""
    found, place = [], start
    for piece in text[start:end].split("\n"):
        found.append(Line(place, place + len(piece), piece))
        place += len(piece) + 1
    return found


def blocks_of(text: str) -> tuple[Block, ...]:
    """All blocks in order. Blank lines, rules and link targets belong to none."""
    return tuple(_blocks(text, lines_of(text)))


def items_of(text: str, block: Block) -> list[tuple[int, int]]:
    """The parts a long block may be cut at: list items, table rows, lines of code."""
    lines = lines_of(text, block.start, block.end)
    if block.kind == "list":
        return _grouped(lines)
    return [(line.start, line.end) for line in lines if line.text.strip()]


def table_header(text: str, block: Block) -> str:
    """The header row of a table; empty when it has none, or one without a word in it."""
    rows = text[block.start : block.end].split("\n", 2)
    named = len(rows) > 1 and len(rows[0]) <= _LONGEST_HEADER and _DELIMITER.match(rows[1])
    return rows[0].strip() if named and any(letter.isalnum() for letter in rows[0]) else ""


def cells_of(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The cells of the table row ``text[start:end]``, each with the bar before it."""
    bars = [match.start() for match in _BAR.finditer(text, start, end)]
    closing = bool(bars) and not text[bars[-1] + 1 : end].strip()
    starts = bars[:-1] if closing and len(bars) > 1 else bars
    if not starts or text[start : starts[0]].strip():
        starts = [start, *starts]
    return list(zip(starts, [*starts[1:], end], strict=True))


def _blocks(text: str, lines: list[Line]) -> Iterator[Block]:
    number = 0
    while number < len(lines):
        block, number = _next(lines, number)
        if block is not None:
            yield block


def _next(lines: list[Line], number: int) -> tuple[Block | None, int]:
    line = lines[number]
    if not line.text.strip() or _RULE.match(line.text) or _LINK_TARGET.match(line.text):
        return None, number + 1
    heading = _HEADING.match(line.text)
    if heading and len(line.text) <= _LONGEST_TITLE:
        title = heading.group(2).strip()
        return Block(line.start, line.end, "prose", len(heading.group(1)), title), number + 1
    if fence := _FENCE.match(line.text):
        return _run(lines, number, _fence_end(lines, number, fence.group(1)), "code")
    if _starts_table(lines, number):
        return _run(lines, number, _table_end(lines, number), "table")
    if _ITEM.match(line.text):
        return _run(lines, number, _list_end(lines, number), "list")
    return _paragraph(lines, number)


def _run(lines: list[Line], first: int, after: int, kind: PassageKind) -> tuple[Block, int]:
    return Block(lines[first].start, lines[after - 1].end, kind), after


def _paragraph(lines: list[Line], first: int) -> tuple[Block, int]:
    after = first + 1
    while after < len(lines) and lines[after].text.strip() and not _opens(lines, after):
        mark = _UNDERLINE.match(lines[after].text)
        if mark and after == first + 1 and _may_be_title(lines[first].text):
            level = 1 if mark.group(1).startswith("=") else 2
            title = lines[first].text.strip()
            return Block(lines[first].start, lines[after].end, "prose", level, title), after + 1
        after += 1
    return _run(lines, first, after, "prose")


def _may_be_title(text: str) -> bool:
    return len(text) <= _LONGEST_TITLE and not _SENTENCE_END.search(text)


def _opens(lines: list[Line], number: int) -> bool:
    text = lines[number].text
    return bool(
        _HEADING.match(text)
        or _FENCE.match(text)
        or _ITEM.match(text)
        or _starts_table(lines, number)
    )


def _starts_table(lines: list[Line], number: int) -> bool:
    text = lines[number].text
    if text.lstrip().startswith("|") and text.count("|") > 1:
        return True
    following = lines[number + 1].text if number + 1 < len(lines) else ""
    return "|" in text and "|" in following and bool(_DELIMITER.match(following))


def _table_end(lines: list[Line], number: int) -> int:
    while number < len(lines) and "|" in lines[number].text:
        number += 1
    return number


def _fence_end(lines: list[Line], number: int, mark: str) -> int:
    for after in range(number + 1, len(lines)):
        closing = lines[after].text.strip()
        if closing.startswith(mark) and not closing.strip(mark[0]):
            return after + 1
    return len(lines)


def _list_end(lines: list[Line], number: int) -> int:
    """A list goes on over indented lines, and over one blank line when an item follows."""
    indented = lines[number].text.startswith((" ", "\t"))
    after = number + 1
    while after < len(lines) and _continues(lines, after, indented=indented):
        after += 1
    return after


def _continues(lines: list[Line], number: int, *, indented: bool) -> bool:
    """A line at the margin carries on a list at the margin, but ends one that stands further in."""
    text = lines[number].text
    if not text.strip():
        following = lines[number + 1].text if number + 1 < len(lines) else ""
        return bool(_ITEM.match(following)) or following.startswith(("  ", "\t"))
    if _ITEM.match(text) or text.startswith((" ", "\t")):
        return True
    lazy = bool(lines[number - 1].text.strip()) and not indented
    return lazy and not (_HEADING.match(text) or _FENCE.match(text))


def _grouped(lines: list[Line]) -> list[tuple[int, int]]:
    groups: list[tuple[int, int]] = []
    for line in lines:
        if _ITEM.match(line.text) or not groups:
            groups.append((line.start, line.end))
        elif line.text.strip():
            groups[-1] = (groups[-1][0], line.end)
    return groups
