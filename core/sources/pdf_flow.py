"""Pages of a PDF joined into headings, paragraphs, lists and tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from core.sources.pdf_edges import without_running
from core.sources.pdf_page import PageContent, Part, RuledTable, TextLine
from core.sources.render import Rendering, heading, one_line, table_lines
from core.text.language import CJK

_BULLET = re.compile(r"[•●▪■◦○‣∙·–*\-\uf0b7\uf0a7\ufffd\x7f]\s+(?=\S)|[•●▪◦‣∙\uf0b7\uf0a7](?=\S)")
"""Bullets often come from a font that does not say what its signs are."""
_NUMBERED = re.compile(
    r"(?:\d{1,3}[.)]|\(?[a-z]\)|\(\d{1,3}\)|[（(]?[一二三四五六七八九十]{1,3}[、）)])\s*(?=\S)"
)
_ENDED = re.compile(r"[.!?:;。！？：；…][\"'”’）)\]]*$")
_HYPHENATED = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad]$")
_CJK = re.compile(f"[{CJK}]")
_LARGER = 1.12
_HEADING_GAP = 0.45  # of the size of print; lines of one heading stand closer
_LONGEST_HEADING = 150
_LONGEST_BOLD_HEADING = 90
_DEEPEST = 4


@dataclass
class _Block:
    """A block under construction: text by page, or rows by page."""

    kind: Literal["text", "item", "heading", "table"]
    level: int = 0
    pieces: list[tuple[int, str]] = field(default_factory=list)
    rows: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    last: TextLine | None = None


class Flow(NamedTuple):
    """The Markdown of a document, where its pages begin in it, its title, and what was left out."""

    text: str
    page_starts: tuple[int, ...]
    title: str
    left_out: tuple[str, ...]


def flow(pages: Sequence[PageContent]) -> Flow:
    """The text of all pages as one document."""
    kept, running = without_running(pages)
    blocks = _below_title(_Builder(kept).blocks())
    text, starts = _written(blocks, len(pages))
    top = [b for b in blocks[:6] if b.kind == "heading" and b.level == 1]
    title = one_line("".join(piece for _, piece in top[0].pieces)) if top else ""
    return Flow(text, starts, title, running)


def _below_title(blocks: list[_Block]) -> list[_Block]:
    """A first heading with another like it right below is the title, and stands above them all."""
    levels = [block.level for block in blocks[:2]]
    if len(levels) == 2 and levels[0] and levels[0] == levels[1]:
        for block in blocks[1:]:
            block.level += bool(block.level)
        blocks[0].level = 1
    return blocks


class _Builder:
    """Joins lines into blocks; a paragraph or a table may run over the end of a page."""

    def __init__(self, pages: list[list[Part]]) -> None:
        self._pages = pages
        lines = [part for page in pages for part in page if isinstance(part, TextLine)]
        weights = Counter[float]()
        for line in lines:
            weights[line.size] += len(line.text)
        self._body = weights.most_common(1)[0][0] if weights else 0.0
        bold = sum(len(line.text) for line in lines if line.bold)
        self._bold_body = bold * 2 > sum(weights.values())
        sizes = {line.size for line in lines if self._large(line)}
        self._levels = {size: n for n, size in enumerate(sorted(sizes, reverse=True), start=1)}
        self._compounds = _compounds(lines)
        self._blocks: list[_Block] = []

    def blocks(self) -> list[_Block]:
        """All blocks in order."""
        for number, parts in enumerate(self._pages, start=1):
            for part in parts:
                if isinstance(part, RuledTable):
                    self._table(number, part)
                else:
                    self._line(number, part)
        return self._blocks

    def _large(self, line: TextLine) -> bool:
        larger = line.size >= self._body * _LARGER and len(line.text) <= _LONGEST_HEADING
        return larger and not _BULLET.match(line.text)

    def _level(self, line: TextLine) -> int:
        """The level of the heading that a line is; 0 for a line that is none."""
        if not any(letter.isalpha() for letter in line.text):
            return 0
        if self._large(line):
            return min(self._levels[line.size], _DEEPEST)
        stands_out = line.bold and not self._bold_body and line.size >= self._body
        stands_out = stands_out and not _BULLET.match(line.text)
        short = len(line.text) <= _LONGEST_BOLD_HEADING and not _ENDED.search(line.text)
        return min(len(self._levels), _DEEPEST) + 1 if stands_out and short else 0

    def _table(self, page: int, part: RuledTable) -> None:
        last = self._blocks[-1] if self._blocks else None
        goes_on = (
            last is not None
            and last.kind == "table"
            and last.rows[-1][0] == page - 1
            and len(last.rows[0][1]) == len(part.rows[0])
        )
        if last is None or not goes_on:
            rows = [(page, row) for row in part.rows]
            self._blocks.append(_Block("table", rows=rows))
            return
        repeated = part.rows[0] == last.rows[0][1]
        last.rows += [(page, row) for row in part.rows[repeated:]]

    def _line(self, page: int, line: TextLine) -> None:
        level = self._level(line)
        last = self._blocks[-1] if self._blocks else None
        if last is not None and last.last is not None and self._goes_on(last, page, line, level):
            self._append(last, page, line)
            return
        kind: Literal["text", "item", "heading"] = "text"
        text = line.text
        if level:
            kind = "heading"
        elif bullet := _BULLET.match(text):
            kind, text = "item", "- " + text[bullet.end() :]
        elif _NUMBERED.match(text):
            kind = "item"
        self._blocks.append(_Block(kind, level, [(page, text)], last=line))

    def _goes_on(self, block: _Block, page: int, line: TextLine, level: int) -> bool:
        before = block.last
        if before is None or level != block.level or _starts_item(line.text):
            return False
        if abs(before.size - line.size) > 1 or before.mono != line.mono:
            return False
        jumped = page != block.pieces[-1][0] or line.top < before.top
        if jumped:
            return not level and not _ENDED.search(before.text) and _mid_sentence(line.text)
        if line.top - before.bottom > (_HEADING_GAP if level else 0.75) * max(
            before.size, line.size
        ):
            return False
        if level and not _aligned(before, line):
            return False
        ended_early = before.x1 < before.x0 + 0.8 * (before.right - before.x0)
        return not (ended_early and _ENDED.search(before.text))

    def _append(self, block: _Block, page: int, line: TextLine) -> None:
        at, said = block.pieces[-1]
        said, joint = (said, "\n") if line.mono else self._joint(said, line.text)
        if at == page:
            block.pieces[-1] = (page, said + joint + line.text)
        else:
            block.pieces[-1] = (at, said)
            block.pieces.append((page, joint + line.text))
        block.last = line

    def _joint(self, before: str, after: str) -> tuple[str, str]:
        """What stays of ``before`` and what comes between it and ``after``."""
        if _HYPHENATED.search(before) and after[:1].islower():
            first, second = before.split()[-1], after.split()[0]
            kept = (first + second).strip(".,;:)").lower() in self._compounds
            return (before if kept else before[:-1]), ""
        if _CJK.match(before[-1:]) and _CJK.match(after):
            return before, ""
        return before, " "


def _compounds(lines: list[TextLine]) -> frozenset[str]:
    """Words with a hyphen inside a line: these keep it at the end of a line too."""
    return frozenset(
        word.lower() for line in lines for word in re.findall(r"\w+(?:-\w+)+", line.text)
    )


def _aligned(first: TextLine, second: TextLine) -> bool:
    """Whether two lines begin at one place or are centred on one: those of one heading do."""
    off = abs(first.x0 - second.x0), abs(first.x0 + first.x1 - second.x0 - second.x1) / 2
    return min(off) <= 0.5 * first.size


def _starts_item(text: str) -> bool:
    return bool(_BULLET.match(text) or _NUMBERED.match(text))


def _mid_sentence(text: str) -> bool:
    return text[:1].islower() or bool(_CJK.match(text))


def _written(blocks: list[_Block], pages: int) -> tuple[str, tuple[int, ...]]:
    out = Rendering()
    before = ""
    for block in blocks:
        gap = "\n" if block.kind == before == "item" else "\n\n"
        for page, text in _lines_of(block):
            lead = gap if gap and out.text_length else ""
            out.page(page, gap=len(lead) + len(text) - len(text.lstrip()))
            out.more(lead + text)
            gap = ""
        before = block.kind
    out.page(pages)
    return out.text, tuple(out.page_starts)


def _lines_of(block: _Block) -> Iterator[tuple[int, str]]:
    if block.kind == "table":
        lines = table_lines([row for _, row in block.rows])
        filled = [(page, line) for (page, _), line in zip(block.rows, lines, strict=True) if line]
        yield from ((page, ("\n" if n else "") + line) for n, (page, line) in enumerate(filled))
    elif block.kind == "heading":
        yield block.pieces[0][0], heading("".join(text for _, text in block.pieces), block.level)
    else:
        yield from block.pieces
