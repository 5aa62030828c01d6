"""Chooses where to cut: the passages whose lengths and cuts together cost least."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from core.models.source import PassageKind
from core.sources.chunk_units import Unit

_REPEATED = 0.25
"""Share of a passage's room that a repeated sentence may take."""


class Piece(NamedTuple):
    """A span that will be a passage, with what must be said beside it."""

    start: int
    end: int
    kind: PassageKind
    lead: str = ""


class Room(NamedTuple):
    """What a passage may hold: ``tokens`` and ``words`` at most, ``target`` words at best."""

    tokens: float
    words: float
    target: float


class Weight(NamedTuple):
    """How much of the room a unit takes, with the blanks up to the next one."""

    tokens: float
    words: float


def pieces_of(
    units: Sequence[Unit],
    weights: Sequence[Weight],
    room: Room,
    lead_tokens: Callable[[str], float],
) -> list[Piece]:
    """The best division of ``units``, in order and complete.

    Each unit fits the room alone. A piece that begins with a repeating unit takes the unit before
    it along, when that is short enough.
    """
    best: list[tuple[float, int]] = [(0.0, 0)]
    opened = [_opening(units, weights, room, lead_tokens, at) for at in range(len(units))]
    for end in range(1, len(units) + 1):
        tokens = words = 0.0
        choice = (float("inf"), end - 1)
        for start in range(end - 1, -1, -1):
            tokens += weights[start].tokens
            words += weights[start].words
            extra = opened[start]
            alone = start == end - 1
            whole = Weight(tokens + extra.tokens, words + extra.words)
            if not alone and not _within(Weight(tokens, words), room):
                break
            if not alone and not _within(whole, room):
                continue
            cost = best[start][0] + _misfit(whole.words, room) + (units[start].cost if start else 0)
            choice = min(choice, (cost, start))
        best.append(choice)
    return [_piece(units, opened, start, end) for start, end in _cuts([start for _, start in best])]


class _Opening(NamedTuple):
    """What a piece that begins here takes along."""

    tokens: float
    words: float
    repeats: bool


def _opening(
    units: Sequence[Unit],
    weights: Sequence[Weight],
    room: Room,
    lead_tokens: Callable[[str], float],
    at: int,
) -> _Opening:
    said = lead_tokens(units[at].lead) if at and units[at].lead else 0.0
    if not at or not units[at].repeats:
        return _Opening(said, 0.0, repeats=False)
    before, own = weights[at - 1], weights[at]
    if before.tokens > room.tokens * _REPEATED or before.words > room.words * _REPEATED:
        return _Opening(said, 0.0, repeats=False)
    together = Weight(before.tokens + own.tokens + said, before.words + own.words)
    if not _within(together, room):
        return _Opening(said, 0.0, repeats=False)
    return _Opening(before.tokens + said, before.words, repeats=True)


def _within(weight: Weight, room: Room) -> bool:
    return weight.tokens <= room.tokens and weight.words <= room.words


def _misfit(words: float, room: Room) -> float:
    return ((words - room.target) / room.target) ** 2


def _cuts(starts: Sequence[int]) -> list[tuple[int, int]]:
    """Spans of units, read back from the best start of each end."""
    spans: list[tuple[int, int]] = []
    end = len(starts) - 1
    while end > 0:
        spans.append((starts[end], end))
        end = starts[end]
    return spans[::-1]


def _piece(units: Sequence[Unit], opened: Sequence[_Opening], start: int, end: int) -> Piece:
    first = start - 1 if opened[start].repeats else start
    kinds = {unit.kind for unit in units[start:end]}
    kind: PassageKind = kinds.pop() if len(kinds) == 1 else "prose"
    lead = units[start].lead if start else ""
    return Piece(units[first].start, units[end - 1].end, kind, lead)
