"""From the decisions on pairs to one consistent result for a dimension with several values.

Pairs are decided one by one, so three of them may run in a circle, and two values may tie that both
lost to a third. The result for the dimension is one value that no other beats, or nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

from core.models.judgement import ClaimSide, Resolution
from core.text.same_value import same_value

NOBODY = "NO_WINNER_NEED_HUMAN"
_STEPS = ("authority", "recency", "scope")


class _Beaten(NamedTuple):
    """One value over another, by the strongest step that decided a pair of theirs."""

    winner: int
    loser: int
    step: str


def consistent(resolutions: Sequence[Resolution]) -> tuple[Resolution, ...]:
    """The resolutions of one dimension without contradictions among them, in their order.

    Where one value stands above all it was held against, a tie between two that lost to it is
    settled by that and left out. Where the decisions run in a circle, or pairs for the same two
    values were decided both ways by one step, every one of them goes to a person.
    """
    if len(resolutions) < 2:
        return tuple(resolutions)
    values = _values(resolutions)
    beaten = _beaten(resolutions, values)
    circle = _circle(beaten, len(values))
    if circle:
        return tuple(_opened(r, circle, values) for r in resolutions)
    lost = {b.loser for b in beaten}
    return tuple(r for r in resolutions if not _both_lost(r, lost, values))


def _values(resolutions: Sequence[Resolution]) -> list[str]:
    found: list[str] = []
    for resolution in resolutions:
        for side in _sides(resolution):
            if not any(same_value(side.value, known) for known in found):
                found.append(side.value)
    return found


def _sides(resolution: Resolution) -> tuple[ClaimSide, ClaimSide]:
    return resolution.contradiction.claim_a, resolution.contradiction.claim_b


def _at(side: ClaimSide, values: Sequence[str]) -> int:
    return next(i for i, value in enumerate(values) if same_value(side.value, value))


def _beaten(resolutions: Sequence[Resolution], values: Sequence[str]) -> list[_Beaten]:
    """For each two values the strongest decision; both, where one step decided both ways."""
    decided = [
        _Beaten(_at(winner, values), _at(loser, values), r.decided_by)
        for r in resolutions
        if r.winner != NOBODY
        for winner, loser in [_sides(r) if r.winner == "claim_a" else _sides(r)[::-1]]
    ]
    return [
        one
        for one in decided
        if not any(
            {other.winner, other.loser} == {one.winner, one.loser}
            and _STEPS.index(other.step) < _STEPS.index(one.step)
            for other in decided
        )
    ]


def _circle(beaten: Sequence[_Beaten], size: int) -> tuple[_Beaten, ...]:
    """Decisions that run in a circle; empty where there is none. There are few values."""
    over = {(b.winner, b.loser): b for b in beaten}
    for length in range(2, min(size, 5) + 1):
        for places in permutations(range(size), length):
            steps = list(zip(places, (*places[1:], places[0]), strict=True))
            if all(step in over for step in steps):
                return tuple(over[step] for step in steps)
    return ()


def _both_lost(resolution: Resolution, lost: set[int], values: Sequence[str]) -> bool:
    return resolution.winner == NOBODY and all(
        _at(side, values) in lost for side in _sides(resolution)
    )


def _opened(resolution: Resolution, circle: Sequence[_Beaten], values: Sequence[str]) -> Resolution:
    said = ", ".join(f"{values[b.winner]} over {values[b.loser]} by {b.step}" for b in circle)
    line = f"Together: the steps run in a circle ({said}), so none of them decides."
    return resolution.model_copy(
        update={
            "winner": NOBODY,
            "decided_by": "nobody",
            "reason": (*resolution.reason, line),
        }
    )
