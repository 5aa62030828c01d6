"""Text that remembers where each of its characters came from."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.models.source import SpanMap

Offsets = npt.NDArray[np.int64]


class Edit(NamedTuple):
    """Replace ``[start, end)`` by ``text``."""

    start: int
    end: int
    text: str = ""


class Traced:
    """A text and, for every character, its offset in the original.

    A replacement as long as what it replaces keeps its offsets one to one; any other takes the
    offset of the first character replaced, all along.
    """

    def __init__(self, text: str, origins: Offsets) -> None:
        if len(text) != len(origins):
            raise ValueError("every character needs an origin")
        self.text = text
        self.origins = origins

    @classmethod
    def of(cls, original: str) -> Traced:
        """The original itself."""
        return cls(original, np.arange(len(original), dtype=np.int64))

    def edited(self, edits: Iterable[Edit]) -> Traced:
        """A new text with ``edits`` applied; overlapping ones after the first are left out."""
        telling = (edit for edit in edits if edit.start < edit.end or edit.text)
        ordered = sorted(telling, key=lambda e: (e.start, -e.end))
        if not ordered:
            return self
        pieces: list[str] = []
        origins: list[Offsets] = []
        done = 0
        for edit in ordered:
            if edit.start < done:
                continue
            pieces += [self.text[done : edit.start], edit.text]
            origins += [self.origins[done : edit.start], self._origins_of(edit)]
            done = edit.end
        pieces.append(self.text[done:])
        origins.append(self.origins[done:])
        return Traced("".join(pieces), np.concatenate(origins))

    def sub(
        self,
        pattern: re.Pattern[str],
        replacement: str | Callable[[re.Match[str]], str],
        *,
        skip: Sequence[tuple[int, int]] = (),
    ) -> Traced:
        """Every match replaced, but for matches that start in a span of ``skip``."""
        return self.edited(
            Edit(match.start(), match.end(), _replaced(match, replacement))
            for match in outside(pattern, self.text, skip)
        )

    def span_map(self) -> SpanMap:
        """The anchors between which this text and the original advance together."""
        if not self.text:
            return SpanMap()
        jumps = np.flatnonzero(np.diff(self.origins) != 1) + 1
        starts = [0, *jumps.tolist()]
        return SpanMap(anchors=tuple((start, int(self.origins[start])) for start in starts))

    def _origins_of(self, edit: Edit) -> Offsets:
        if len(edit.text) == edit.end - edit.start:
            return self.origins[edit.start : edit.end]
        if edit.start < len(self.origins):
            first = int(self.origins[edit.start])
        else:
            first = int(self.origins[-1]) + 1 if len(self.origins) else 0
        return np.full(len(edit.text), first, dtype=np.int64)


def outside(
    pattern: re.Pattern[str], text: str, spans: Sequence[tuple[int, int]]
) -> Iterator[re.Match[str]]:
    """Matches of ``pattern`` that do not start inside one of ``spans`` (sorted, apart)."""
    starts = [start for start, _ in spans]
    place = 0
    while match := pattern.search(text, place):
        before = bisect_right(starts, match.start()) - 1
        if before >= 0 and match.start() < spans[before][1]:
            place = spans[before][1]
            continue
        yield match
        place = match.end() if match.end() > match.start() else match.end() + 1
        if place > len(text):
            return


def inside(offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether ``offset`` lies in one of ``spans`` (sorted, apart)."""
    before = bisect_right(spans, (offset, sys.maxsize)) - 1
    return before >= 0 and offset < spans[before][1]


def to_original(span_map: SpanMap, offset: int) -> int:
    """The offset in the original text of an offset in the cleaned text."""
    starts = [clean for clean, _ in span_map.anchors]
    clean, original = span_map.anchors[max(0, bisect_right(starts, offset) - 1)]
    return original + (offset - clean)


def to_clean(span_map: SpanMap, offset: int) -> int:
    """The first offset in the cleaned text that comes from ``offset`` in the original or later.

    May lie beyond the end of the cleaned text when nothing that late was kept.
    """
    places = [original for _, original in span_map.anchors]
    after = bisect_right(places, offset)
    if after == 0:
        return span_map.anchors[0][0]
    clean, original = span_map.anchors[after - 1]
    here = clean + (offset - original)
    return min(here, span_map.anchors[after][0]) if after < len(places) else here


def _replaced(match: re.Match[str], replacement: str | Callable[[re.Match[str]], str]) -> str:
    return replacement if isinstance(replacement, str) else replacement(match)
