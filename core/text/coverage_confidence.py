"""How surely a dimension is covered: five signals, one table, one sentence.

=========  ====================================================================================
high       stated directly (directness ≥ .50), by a source of class A or B, found usable by the
           gate, within its review date, and no source of the same class says otherwise
medium     the same, but every source that states it is past its review date,
           or another source of the same class says otherwise,
           or a reviewer chose the passage although nobody answers for it
low        stated only by sources nobody answers for (class C), however many,
           or on the subject without stating it, or nothing accepted speaks of it: **not covered**
=========  ====================================================================================

A source that was never reviewed is said to be so, not taken for stale. How many sources agree is
told; a crowd of posts is no authority.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.models.judgement import Confidence, CoverageSignals
from core.models.source import FreshnessState
from core.text.coverage_bearing import DIRECT, Bearing
from core.text.review_state import freshness_state

_BEST: tuple[FreshnessState, ...] = ("fresh", "due_soon", "unknown", "stale")
_REVIEW = {
    "fresh": "within its review date",
    "due_soon": "its review is due soon",
    "stale": "past its review date",
    "unknown": "never reviewed",
    "": "",
}


def signals_of(bearing: Sequence[Bearing], today: date) -> CoverageSignals:
    """The five signals over what bears a dimension: best probability, directness and class, the
    number of sources, and the review state of the one that is freshest."""
    if not bearing:
        return CoverageSignals()
    sources = {b.evidence.candidate.source_id for b in bearing}
    states = [review_state(b, today) for b in bearing]
    return CoverageSignals(
        evidence=max(b.evidence.gated.probability("evidence") for b in bearing),
        directness=round(min(1.0, max(b.directness for b in bearing)), 4),
        authority=min(b.letter for b in bearing),
        sources=len(sources),
        freshness=min(states, key=_BEST.index),
    )


def review_state(bearing: Bearing, today: date) -> FreshnessState:
    """The review state of one source on ``today``."""
    candidate = bearing.evidence.candidate
    return freshness_state(candidate.last_reviewed, candidate.review_sla_days, today)


def confidence_of(signals: CoverageSignals, *, disputed: bool, chosen: bool = False) -> Confidence:
    """The table above. ``disputed``: a source of the same class says otherwise; ``chosen``: a
    reviewer asked to use the passage."""
    if signals.directness < DIRECT or not signals.sources:
        return "low"
    if signals.authority not in ("A", "B"):
        return "medium" if chosen else "low"
    return "medium" if disputed or signals.freshness == "stale" else "high"


def reason_of(lead: Bearing, signals: CoverageSignals, *, disputed: bool) -> str:
    """What was decided and by which signals, as one line: "stated directly by: official policy
    (evidence 0.83); 2 sources speak of it; within its review date"."""
    by = "a reviewer chose" if lead.evidence.gated.rule == "forced" else "stated directly by"
    parts = [f"{by}: {lead.words} (evidence {signals.evidence:.2f})"]
    if signals.sources > 1:
        parts.append(f"{signals.sources} sources speak of it")
    if disputed:
        parts.append("another of the same standing says otherwise")
    return "; ".join([*parts, *filter(None, (_REVIEW[signals.freshness],))])
