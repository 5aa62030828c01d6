"""On which of the days asked about a version held, in the words of an evidence card."""

from __future__ import annotations

from datetime import date

from core.models.evidence import EvidenceCandidate
from core.models.plan import QueryPlan
from core.models.validity import may_speak
from core.text.provenance import day_words


def validity_words(candidate: EvidenceCandidate, plan: QueryPlan | None) -> tuple[str, ...]:
    """``valid then (31 May 2025)``, ``valid now, since 1 June 2025`` or ``valid then and now``.

    Nothing for a question about today alone, for a record, or for a text without dates.
    """
    if plan is None or candidate.looked_up or (candidate.valid_from or candidate.valid_to) is None:
        return ()
    when = plan.temporal
    if not when.compared:
        past = when.effective_policy_date < when.asked_date or not when.prefer_current
        named = day_words(when.effective_policy_date)
        return (f"valid on {named}",) if past else ()
    held = [day for day in when.compared if may_speak(candidate, day, plan)]
    if len(held) == len(when.compared):
        return ("valid then and now",) if when.asked_date in held else ("valid on both days",)
    return tuple(_on(day, candidate, when.asked_date) for day in held)


def _on(day: date, candidate: EvidenceCandidate, today: date) -> str:
    if day == today:
        begun = candidate.valid_from
        return f"valid now, since {day_words(begun)}" if begun else "valid now"
    if day > today:
        return f"valid from {day_words(candidate.valid_from or day)}"
    return f"valid then ({day_words(day)})"
