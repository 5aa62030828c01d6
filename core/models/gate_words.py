"""What the gate did, in words: the counts, and plainly where it could not judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.models.evidence import GatedPassage

UNJUDGED = "could not be judged: "
"""How the reason of an unjudged passage begins; the gate's own words follow."""
IN_PLACE = " (in place of "
"""How a backend's name goes on where another one judged for it: ``local (in place of X: why)``."""
_TOLD = 2


def route_words(gated: Sequence[GatedPassage]) -> str:
    """The counts by route, then what was not judged, for the trace."""
    routes = ("include", "conflict", "exclude")
    counts = ", ".join(f"{sum(g.route == r for g in gated)} {r}" for r in routes)
    return "; ".join((counts, *unjudged_words(gated)))


def unjudged_words(gated: Sequence[GatedPassage]) -> tuple[str, ...]:
    """One sentence each for passages that were not judged, and for those another gate judged.

    Empty where the gate judged everything.
    """
    failed = [g.reason.removeprefix(UNJUDGED) for g in gated if g.rule == "unjudged"]
    instead = [g.backend.split(IN_PLACE, 1) for g in gated if IN_PLACE in g.backend]
    words = []
    if failed:
        words.append(f"{_share(failed, gated)} could not be judged: {_reasons(failed)}")
    if instead:
        why = _reasons([reason.removesuffix(")") for _, reason in instead])
        words.append(f"{_share(instead, gated)} judged by {instead[0][0]} in place of {why}")
    return tuple(words)


def _share(some: Sequence[object], gated: Sequence[GatedPassage]) -> str:
    return f"{len(some)} of {len(gated)} passages"


def _reasons(failed: Sequence[str]) -> str:
    """The commonest reasons, each with its count where there are several."""
    counted = Counter(failed).most_common()
    if len(counted) == 1:
        return counted[0][0]
    told = "; ".join(f"{reason} ({number})" for reason, number in counted[:_TOLD])
    return told if len(counted) <= _TOLD else f"{told}; and other reasons"
