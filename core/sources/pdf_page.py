"""One page of a PDF as lines of text and ruled tables, in the order a person reads them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from core.text.language import CJK

_CID = re.compile(r"\(cid:\d+\)")
_BOLD = re.compile(r"bold|black|heavy|semib", re.IGNORECASE)
_MONO = re.compile(r"courier|mono|consol|menlo|typewriter|cmtt|sftt", re.IGNORECASE)
_CJK = re.compile(f"[{CJK}]")
_SMALLEST = 1.5  # points; nobody reads smaller print
_WHITE = 0.97
_LEAST_COLUMN_LINES = 8
_LEAST_COLUMN_WORDS = 3.0  # a line; shorter sides are labels beside values, not columns of prose
_CROSSING = 0.3  # share of lines that may run across both columns
_WORD_GAP = 0.15  # of the size of print; a wider gap parts words
_GUTTER = 3.0  # points on either side of the middle of a gutter

Word = dict[str, Any]


class TextLine(NamedTuple):
    """A line of text; places in points from the top left, ``right`` the edge of its column.

    ``mono`` is type of one width, as for code: there line ends mean something.
    """

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    size: float
    bold: bool
    right: float
    mono: bool = False


class RuledTable(NamedTuple):
    """The rows of a table drawn with lines."""

    rows: tuple[tuple[str, ...], ...]
    top: float
    bottom: float


Part = TextLine | RuledTable


class PageContent(NamedTuple):
    """What is on a page. ``scanned``: a picture of text, with no letters to read."""

    parts: tuple[Part, ...]
    height: float
    scanned: bool = False
    hidden: bool = False
    rotated: bool = False


def page_content(page: Any) -> PageContent:
    """The readable content of a pdfplumber page."""
    chars = page.chars
    if not chars:
        return PageContent((), float(page.height), scanned=bool(page.images))
    turned = sum(not char["upright"] for char in chars) * 2 < len(chars)
    ground = [*page.images, *(r for r in page.rects if _filled(r))]
    hidden = {id(char) for char in chars if _unseen(char, page.bbox, ground)}
    rotated = {id(char) for char in chars if turned and not char["upright"]}
    dropped = hidden | rotated
    seen = page.filter(lambda thing: id(thing) not in dropped) if dropped else page
    return PageContent(
        parts=tuple(_parts(seen)),
        height=float(page.height),
        hidden=bool(hidden),
        rotated=bool(rotated),
    )


def _unseen(char: Word, box: tuple[float, ...], ground: list[Word]) -> bool:
    """Off the page, too small to see, or white on white."""
    if char["text"].isspace():
        return False
    if char["size"] < _SMALLEST or not _inside(char, box):
        return True
    return _white(char.get("non_stroking_color")) and not any(
        _inside(char, (g["x0"], g["top"], g["x1"], g["bottom"])) for g in ground
    )


def _inside(thing: Word, box: tuple[float, ...]) -> bool:
    x, y = (thing["x0"] + thing["x1"]) / 2, (thing["top"] + thing["bottom"]) / 2
    return bool(box[0] <= x <= box[2] and box[1] <= y <= box[3])


def _white(color: Any) -> bool:
    if not isinstance(color, (tuple, list)) or not all(isinstance(c, (int, float)) for c in color):
        return False
    if len(color) == 4:
        return all(part <= 1 - _WHITE for part in color)
    return len(color) in (1, 3) and all(part >= _WHITE for part in color)


def _filled(rect: Word) -> bool:
    return bool(rect.get("fill")) and not _white(rect.get("non_stroking_color"))


def _parts(page: Any) -> Iterator[Part]:
    tables, boxes = _tables(page)
    words = page.extract_words(x_tolerance_ratio=_WORD_GAP, extra_attrs=["size", "fontname"])
    outside = [word for word in words if not any(_inside(word, box) for box in boxes)]
    lines = _visual_lines(outside)
    middle = _gutter(lines)
    pending = sorted(tables, key=lambda table: table.top)
    for line in _in_reading_order(lines, middle):
        while pending and pending[0].top < line.top and middle is None:
            yield pending.pop(0)
        yield line
    yield from pending


def _tables(page: Any) -> tuple[list[RuledTable], list[tuple[float, ...]]]:
    tables, boxes = [], []
    for found in page.find_tables():
        rows = [tuple(_text(cell or "") for cell in row) for row in found.extract()]
        rows = [row for row in rows if any(row)]
        if len(rows) < 2 or max(sum(bool(cell) for cell in row) for row in rows) < 2:
            continue
        _, top, _, bottom = found.bbox
        tables.append(RuledTable(tuple(rows), top, bottom))
        boxes.append(found.bbox)
    return tables, boxes


def _visual_lines(words: list[Word]) -> list[list[Word]]:
    """Words on one baseline, from left to right; lines from top to bottom."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda w: (w["bottom"], w["x0"])):
        last = lines[-1][0] if lines else None
        if last and word["bottom"] - last["bottom"] <= max(word["size"], last["size"]) / 3:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda word: float(word["x0"])) for line in lines]


def _gutter(lines: list[list[Word]]) -> float | None:
    """Where the page is parted into two columns of prose; ``None`` where it is not."""
    words = [word for line in lines for word in line]
    if len(lines) < _LEAST_COLUMN_LINES:
        return None
    left, right = min(w["x0"] for w in words), max(w["x1"] for w in words)
    places = range(int(left + (right - left) * 0.35), int(left + (right - left) * 0.65), 3)
    best = min(places, key=lambda x: (_crossing(lines, x), abs(x - (left + right) / 2)), default=0)
    if not best or _crossing(lines, best) > _CROSSING * len(lines):
        return None
    sides = [
        [
            [w for w in line if (w["x0"] < best) == is_left]
            for line in lines
            if not _cross(line, best)
        ]
        for is_left in (True, False)
    ]
    return float(best) if all(_is_prose(side) for side in sides) else None


def _crossing(lines: list[list[Word]], x: float) -> int:
    return sum(_cross(line, x) for line in lines)


def _cross(line: list[Word], x: float) -> bool:
    return any(word["x0"] < x + _GUTTER and word["x1"] > x - _GUTTER for word in line)


def _is_prose(side: list[list[Word]]) -> bool:
    filled = [line for line in side if line]
    if len(filled) * 2 < _LEAST_COLUMN_LINES:
        return False
    return sum(len(line) for line in filled) / len(filled) >= _LEAST_COLUMN_WORDS or any(
        len(_CJK.findall(word["text"])) > 10 for word in filled[0]
    )


def _in_reading_order(lines: list[list[Word]], middle: float | None) -> Iterator[TextLine]:
    if middle is None:
        yield from _text_lines(lines)
        return
    block: list[list[Word]] = []
    for line in lines:
        if _cross(line, middle):
            yield from _columns(block, middle)
            yield from _text_lines([line])
            block = []
        else:
            block.append(line)
    yield from _columns(block, middle)


def _columns(block: list[list[Word]], middle: float) -> Iterator[TextLine]:
    yield from _text_lines([[w for w in line if w["x0"] < middle] for line in block])
    yield from _text_lines([[w for w in line if w["x0"] >= middle] for line in block])


def _text_lines(lines: Iterable[list[Word]]) -> Iterator[TextLine]:
    filled = [line for line in lines if line]
    edge = max((line[-1]["x1"] for line in filled), default=0.0)
    for line in filled:
        text = _joined(line)
        if text.strip():
            letters = sum(len(word["text"]) for word in line)
            bold = sum(len(w["text"]) for w in line if _BOLD.search(w["fontname"] or ""))
            yield TextLine(
                text=text,
                x0=line[0]["x0"],
                x1=line[-1]["x1"],
                top=min(word["top"] for word in line),
                bottom=max(word["bottom"] for word in line),
                size=_size(line),
                bold=bold * 10 >= letters * 9,
                right=edge,
                mono=all(_MONO.search(word["fontname"] or "") for word in line),
            )


def _size(line: list[Word]) -> float:
    """The size most of a line is set in, to half a point: a large bullet makes no heading."""
    weights = Counter[float]()
    for word in line:
        weights[round(word["size"] * 2) / 2] += len(word["text"])
    return weights.most_common(1)[0][0]


def _joined(line: list[Word]) -> str:
    text = ""
    for before, word in zip([None, *line], line, strict=False):
        close = before is not None and word["x0"] - before["x1"] < word["size"] / 2
        glued = close and _CJK.match(word["text"]) and _CJK.match(text[-1:])
        text += ("" if not text or glued else " ") + word["text"]
    return _text(text)


def _text(text: str) -> str:
    """Letters of a font that does not say which they are come out as ``(cid:12)``."""
    return _CID.sub("\ufffd", text)
