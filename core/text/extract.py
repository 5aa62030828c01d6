"""Cuts a passage into units that can be quoted alone: sentences, lists with their lead, rows.

A unit is an exact span of the passage. A lead such as "These items are excluded:" and its list
are one unit, because neither says anything without the other.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal, NamedTuple

from core.text.plain import plain
from core.text.sentences import split_sentences

UnitKind = Literal["sentence", "list", "steps", "item", "row", "heading"]

_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S")
_ITEM = re.compile(r"(\s*)((?:[-*+•·])|(?:\(?\d{1,2}[.)、])|(?:[（(]\d{1,2}[)）]))\s*(?=\S)")
_ROW = re.compile(r"\s*\|.*\|\s*$")
_RULE_ROW = re.compile(r"[\s|:\-]+$")
_FENCE = re.compile(r"\s*(```|~~~)")
_LEANS = re.compile(
    r"(?:this|that|these|those|it|they|he|she|such|both|however|but|otherwise|in (?:this|that) case"
    r"|in (?:these|those) cases|the (?:same|latter|former)|instead|if so|if not|then|also"
    r"|therefore|either way)\b|(?:这|那|其|它|他们|但|此|该|否则|同时|因此)",
    re.IGNORECASE,
)
_END = re.compile(r"[.!?。！？][\"'”’)\]]*\s*$")


class Unit(NamedTuple):
    """A quotable piece: ``source[start:end]`` is its exact wording, ``prose`` the readable one.

    ``items`` are the readable items of a list; ``heading`` the nearest heading above;
    ``leans_on`` the index of the unit it needs to be understood, or ``None``.
    """

    start: int
    end: int
    prose: str
    kind: UnitKind
    items: tuple[str, ...] = ()
    lead: str = ""
    heading: str = ""
    leans_on: int | None = None


class _Line(NamedTuple):
    start: int
    text: str
    kind: Literal["blank", "heading", "item", "row", "text"]

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def units(source: str) -> tuple[Unit, ...]:
    """All units of ``source`` in reading order; headings are among them (kind ``heading``)."""
    found: list[Unit] = []
    heading = ""
    for block in _blocks(_lines(source)):
        kind = block[0].kind
        if kind == "heading":
            heading = plain(block[0].text)
            found.append(Unit(block[0].start, block[0].end, heading, "heading"))
        elif kind == "item":
            _add_list(found, source, block, heading)
        elif kind == "row":
            found += _rows(block, heading)
        else:
            _add_prose(found, source, block, heading)
    return tuple(found)


def _lines(source: str) -> list[_Line]:
    lines: list[_Line] = []
    offset, in_code = 0, False
    for raw in source.splitlines(keepends=True):
        text = raw.rstrip("\r\n")
        fence = bool(_FENCE.match(text))
        if not (fence or in_code):
            lines.append(_Line(offset, text, _line_kind(text, lines)))
        elif fence:
            lines.append(_Line(offset, "", "blank"))
        in_code ^= fence
        offset += len(raw)
    return lines


def _line_kind(
    text: str, before: list[_Line]
) -> Literal["blank", "heading", "item", "row", "text"]:
    if not text.strip():
        return "blank"
    if _HEADING.match(text):
        return "heading"
    if _ROW.match(text):
        return "row"
    if _ITEM.match(text):
        return "item"
    # An indented line below an item goes on with that item.
    if text.startswith(("  ", "\t")) and before and before[-1].kind == "item":
        return "item"
    return "text"


def _blocks(lines: list[_Line]) -> list[list[_Line]]:
    blocks: list[list[_Line]] = []
    gap = True
    for line in lines:
        if line.kind == "blank":
            # Loose lists have blank lines between items; the list goes on behind them.
            gap = not (blocks and blocks[-1][0].kind == "item")
            continue
        same = bool(blocks) and blocks[-1][0].kind == line.kind and line.kind != "heading"
        if same and not gap:
            blocks[-1].append(line)
        else:
            blocks.append([line])
        gap = False
    return blocks


def _add_prose(found: list[Unit], source: str, block: list[_Line], heading: str) -> None:
    start, end = block[0].start, block[-1].end
    # A wrapped line is no sentence end: a space keeps every offset where it is.
    chars = list(source[start:end])
    for line, following in pairwise(block):
        if _soft_break(line.text, following.text):
            for at in range(line.end - start, following.start - start):
                chars[at] = " "
    first = len(found)
    for span in split_sentences("".join(chars)):
        begin, stop = start + span.start, start + span.end
        quote = source[begin:stop]
        begin += len(quote) - len(quote.lstrip())
        stop -= len(quote) - len(quote.rstrip())
        prose = plain(source[begin:stop])
        if not prose:
            continue
        leans = len(found) - 1 if len(found) > first and _LEANS.match(prose) else None
        found.append(Unit(begin, stop, prose, "sentence", heading=heading, leans_on=leans))


def _soft_break(line: str, following: str) -> bool:
    if _END.search(line) or line.endswith("  "):
        return False
    return len(line) >= 40 or following.strip()[:1].islower()


def _add_list(found: list[Unit], source: str, block: list[_Line], heading: str) -> None:
    items: list[tuple[int, int, str, bool]] = []
    for line in block:
        mark = _ITEM.match(line.text)
        if mark or not items:
            at = line.start + (mark.end() if mark else 0)
            items.append((at, line.end, plain(source[at : line.end]), _ordered(mark)))
        else:
            at = items[-1][0]
            items[-1] = (at, line.end, plain(source[at : line.end]), items[-1][3])
    prose = tuple(text for _, _, text, _ in items if text)
    kind: UnitKind = "steps" if all(item[3] for item in items) else "list"
    lead = found[-1] if found and found[-1].prose.endswith((":", "：")) else None
    if lead is not None and lead.kind == "sentence":
        found[-1] = Unit(
            lead.start, items[-1][1], lead.prose, kind, prose, lead.prose, heading, lead.leans_on
        )
        return
    if kind == "steps" and len(prose) > 1:
        found.append(Unit(items[0][0], items[-1][1], " ".join(prose), kind, prose, "", heading))
        return
    found += [
        Unit(start, end, text, "item", heading=heading) for start, end, text, _ in items if text
    ]


def _ordered(mark: re.Match[str] | None) -> bool:
    return mark is not None and any(c.isdigit() for c in mark.group(2))


def _rows(block: list[_Line], heading: str) -> list[Unit]:
    cells = [[plain(c) for c in line.text.strip().strip("|").split("|")] for line in block]
    ruled = len(block) > 1 and bool(_RULE_ROW.fullmatch(block[1].text))
    if not ruled:
        return [
            Unit(line.start, line.end, "; ".join(filter(None, row)) + ".", "row", heading=heading)
            for line, row in zip(block, cells, strict=True)
        ]
    header = cells[0]
    return [
        Unit(line.start, line.end, _row_prose(header, row), "row", heading=heading)
        for line, row in zip(block[2:], cells[2:], strict=True)
        if any(row)
    ]


def _row_prose(header: list[str], row: list[str]) -> str:
    pairs = [f"{h}: {c}" if h else c for h, c in zip(header, row, strict=False) if c]
    return "; ".join(pairs) + "."
