"""The smallest parts a text is cut between, and what each cut would cost.

A sentence, a list item, a table row, a line of code. A cut between two paragraphs costs next to
nothing; one that parts a rule from its exception, a term from its definition, a question from its
answer or a list from what announces it costs so much that it is made only where nothing else fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from core.models.source import PassageKind
from core.sources.blocks import Block, cells_of, items_of, table_header
from core.sources.chunk_glue import (
    after_marker,
    announces,
    answers,
    belongs,
    lead_of,
    takes_back,
    term_of,
)
from core.sources.measure import sentence_spans

BETWEEN_BLOCKS, ROW, ITEM, SENTENCE, LINE = 0.05, 0.2, 0.3, 0.4, 0.6
QUESTION, EXCEPTION, INSIDE, GLUED = 1.0, 1.5, 2.0, 4.0
"""Costs of a cut. A passage of half the wanted length costs 0.25."""

_HEADS = 12
"""Columns named beside a passage that begins in the middle of a wide row."""
_INDENT = re.compile(r"[ \t]*")
_BLANK = re.compile(r"\s*")


class Unit(NamedTuple):
    """``text[start:end]``, which a cut leaves whole.

    ``cost`` is that of cutting before it; ``lead`` what must be said beside a passage that begins
    with it; ``repeats`` whether the unit before is said again there.
    """

    start: int
    end: int
    kind: PassageKind
    cost: float = BETWEEN_BLOCKS
    lead: str = ""
    repeats: bool = False


Fits = Callable[[int, int], bool]


def units_of(text: str, blocks: Sequence[Block], fits: Fits) -> list[Unit]:
    """The units of ``blocks`` in order; ``fits`` tells whether a span is short enough to stay."""
    units: list[Unit] = []
    for number, block in enumerate(blocks):
        cost, said = BETWEEN_BLOCKS, ""
        if units:
            alone = units[-1].start == blocks[number - 1].start
            cost, said = _joint(text, units[-1], block, alone=alone)
        for unit in _of_block(text, block, said, fits):
            first = unit.start == block.start
            units.append(unit._replace(cost=cost, lead=said) if first else unit)
    return units


def _joint(text: str, last: Unit, block: Block, *, alone: bool) -> tuple[float, str]:
    """What a cut before ``block`` costs, and what must then be said beside it.

    ``last`` is the unit before it; ``alone`` says that it is a block of its own.
    """
    before = text[last.start : last.end] if last.kind == "prose" else ""
    if announces(before, alone=alone):
        return GLUED, lead_of(before)
    if belongs(before, text[block.start : block.end]):
        return GLUED, ""
    apart = text[last.start : block.start].rstrip(" \t").endswith("\n\n")
    if before and not apart and block.kind in ("list", "table"):
        return QUESTION, lead_of(before)  # no empty line between: it speaks of what follows
    return (EXCEPTION if takes_back(text, block.start) else BETWEEN_BLOCKS), ""


def _of_block(text: str, block: Block, said: str, fits: Fits) -> Iterator[Unit]:
    if block.kind == "prose":
        yield from _sentences(text, block, said, fits)
    elif block.kind == "table":
        yield from _rows(text, block, said, fits)
    elif block.kind == "list":
        yield from _items(text, block, said, fits)
    else:
        yield from _lines(text, block, said, fits)


def _sentences(text: str, block: Block, said: str, fits: Fits) -> Iterator[Unit]:
    """Sentences, each with the term its line defines or the label above it."""
    spans = covering(sentence_spans(text, block.start, block.end), block.start, block.end)
    previous = named = ""
    for start, end in spans:
        sentence = text[start:end]
        opens = not previous or previous.endswith("\n")
        asked = bool(previous) and announces(previous, alone=opens)
        if opens:
            named = lead_of(previous) if asked else ""
        lead = said or named
        unit = Unit(start, end, "prose", _cost(previous, sentence, asked=asked), lead, not opens)
        yield from _shortened(text, unit, fits)
        if opens:
            named = named or term_of(sentence)
        previous = sentence


def _cost(previous: str, sentence: str, *, asked: bool) -> float:
    """Cost of a cut between two sentences of one block."""
    if asked or answers(sentence):
        return GLUED
    if takes_back(sentence):
        return EXCEPTION
    if previous.rstrip().endswith(("?", "？")):
        return QUESTION
    return ITEM if previous.endswith("\n") else SENTENCE


def _items(text: str, block: Block, said: str, fits: Fits) -> Iterator[Unit]:
    """Items with what announces them; an item under another one also with that one's words."""
    parents: list[tuple[int, str]] = []
    previous = ""
    for start, end in items_of(text, block):
        indent = _INDENT.match(text, start)
        depth = indent.end() - start if indent else 0
        parents = [(level, words) for level, words in parents if level < depth]
        lead = " › ".join(part for part in (said, *(words for _, words in parents)) if part)
        cost = ITEM if not parents else SENTENCE
        if announces(previous, alone=False):
            cost = GLUED
        elif takes_back(text, after_marker(text, start, end)):
            cost = EXCEPTION
        unit = Unit(start, end, "list", cost, lead)
        yield from _whole_or_sentences(text, unit, fits)
        previous = text[start:end]
        parents.append((depth, lead_of(text[after_marker(text, start, end) : end].split("\n")[0])))


def _whole_or_sentences(text: str, unit: Unit, fits: Fits) -> Iterator[Unit]:
    """One item may be too long: then its sentences, the first of which names it."""
    if fits(unit.start, unit.end):
        yield unit
        return
    spans = covering(sentence_spans(text, unit.start, unit.end), unit.start, unit.end)
    words = text[after_marker(text, unit.start, unit.end) : unit.end]
    named = term_of(words)
    for number, (start, end) in enumerate(spans):
        lead = " › ".join(part for part in (unit.lead, named) if part) if number else unit.lead
        part = Unit(start, end, unit.kind, SENTENCE if number else unit.cost, lead, number > 0)
        yield from _shortened(text, part, fits)


def _rows(text: str, block: Block, said: str, fits: Fits) -> Iterator[Unit]:
    header = table_header(text, block)
    rows = items_of(text, block)
    opening = 3 if header else 1  # header, rule and first row stay together
    for number, (start, end) in enumerate(rows):
        cost = GLUED if number < opening else ROW
        named = "" if number == 0 or (header and number == 1) else header
        if fits(start, end):
            lead = "\n".join(part for part in (said, named) if part)
            yield Unit(start, end, "table", cost, lead)
        else:
            yield from _cells(text, Unit(start, end, "table", cost, said), named, fits)


def _cells(text: str, row: Unit, header: str, fits: Fits) -> Iterator[Unit]:
    """A row too wide for a passage, cell by cell, each with the row's name and its own heading."""
    cells = cells_of(text, row.start, row.end)
    names = [header[a:b].strip("| ") for a, b in cells_of(header, 0, len(header))]
    name = text[cells[0][0] : cells[0][1]].strip("| ")
    for number, (start, end) in enumerate(cells):
        heads = " | ".join(names[number : number + _HEADS])
        lead = "\n".join(part for part in (row.lead, name if number else "", heads) if part)
        cost = row.cost if number == 0 else SENTENCE
        yield from _shortened(text, Unit(start, end, "table", cost, lead), fits)


def _lines(text: str, block: Block, said: str, fits: Fits) -> Iterator[Unit]:
    """Lines of code; a cut after an empty line is the better one."""
    end_before = block.start
    for number, (start, end) in enumerate(items_of(text, block)):
        gap = text[end_before:start].count("\n") > 1
        cost = GLUED if number == 1 else ROW if gap else LINE
        yield from _shortened(text, Unit(start, end, "code", cost, said), fits)
        end_before = end


def _shortened(text: str, unit: Unit, fits: Fits) -> Iterator[Unit]:
    """A unit beyond any limit is cut at blanks, or anywhere if there are none."""
    start = unit.start
    while not fits(start, unit.end):
        cut = _cut(text, start, unit.end, fits)
        yield _part(unit, start, cut)
        blank = _BLANK.match(text, cut, unit.end)
        start = blank.end() if blank else cut
    if start < unit.end:
        yield _part(unit, start, unit.end)


def _part(unit: Unit, start: int, end: int) -> Unit:
    if start == unit.start:
        return unit._replace(end=end)
    return unit._replace(start=start, end=end, cost=INSIDE, repeats=False)


def _cut(text: str, start: int, end: int, fits: Fits) -> int:
    """The last place from ``start`` that still fits, at a blank if there is one in its half."""
    low, high = start + 1, end
    while low < high:
        middle = (low + high + 1) // 2
        if fits(start, middle):
            low = middle
        else:
            high = middle - 1
    blank = max(text.rfind(mark, start + 1, low) for mark in (" ", "\n", "，", "；"))
    return blank + 1 if blank > start + (low - start) // 2 else low


def covering(spans: list[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """Sentence spans stretched so that no visible character between them is lost."""
    if not spans:
        return [(start, end)]
    starts = [start, *(left for left, _ in spans[1:])]
    return list(zip(starts, [*starts[1:], end], strict=True))
