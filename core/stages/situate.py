"""Stage: which special rule the customer's own facts fall under.

Nobody asks "in the holiday period"; they bought on 18 November. Where an accepted passage limits a
rule to a stretch of dates and the purchase lies in it, the plan says so, and every later stage
compares rules for that case instead of the general one.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.models.evidence import EvidenceCandidate, GatedPassage
from core.models.plan import QueryPlan
from core.models.request import UserRequest
from core.text.period import bought_on, periods
from core.text.scope import scope_words
from core.text.sentences import split_sentences

PLACED_ON = "placed_on"
"""The column of an order that says when it was bought."""
_REASON = "the purchase falls into the period this rule is for"
_ROWS = ("record", "case_file")


def situate(
    plan: QueryPlan, request: UserRequest, gated: Sequence[GatedPassage], *, today: date
) -> QueryPlan:
    """``plan`` with the limits the purchase falls under, and one note saying why."""
    # "On the subject, but does not state the answer" may be so because the case was not named.
    near = [g.candidate for g in gated if g.route == "include" or g.rule == "no_evidence"]
    days = _purchases(request, near, today)
    limits: dict[str, str] = {}
    for candidate in near:
        if candidate.retrieval_source not in _ROWS:
            limits |= _met(candidate, days)
    if not limits:
        return plan.model_copy(update={"situation": ""})
    notes = tuple(dict.fromkeys((*plan.reasoning_notes, *limits.values())))
    return plan.model_copy(update={"situation": " ".join(limits), "reasoning_notes": notes})


def _purchases(
    request: UserRequest, accepted: Sequence[EvidenceCandidate], today: date
) -> tuple[date, ...]:
    """The record knows best; else what the customer says."""
    rows = [c.metadata.get(PLACED_ON, "") for c in accepted if c.retrieval_source == "record"]
    recorded = tuple(date.fromisoformat(day) for day in rows if day)
    if recorded:
        return recorded
    said = [t.text for t in request.history if t.role == "customer"] + [request.raw_query]
    return tuple(day for text in said for day in bought_on(text, today=today))


def _met(candidate: EvidenceCandidate, days: Sequence[date]) -> dict[str, str]:
    heading = " ".join(candidate.heading_path)
    met: dict[str, str] = {}
    for sentence in split_sentences(candidate.text):
        for day in days:
            if any(period.holds(day) for period in periods(sentence.text)):
                why = f"bought on {day.isoformat()}, which falls under: {sentence.text.strip()}"
                met |= dict.fromkeys(sorted(scope_words(f"{heading} {sentence.text}")), why)
    return met


def promote(plan: QueryPlan, gated: Sequence[GatedPassage]) -> tuple[GatedPassage, ...]:
    """``gated`` with the rule for the customer's own case marked as such, and included where it was
    left out only for not naming the thing bought ("the coat")."""
    return tuple(
        g.model_copy(update={"route": "include", "rule": "situation", "reason": _REASON})
        if g.rule in ("no_evidence", "evidence") and _is_the_rule(plan, g.candidate)
        else g
        for g in gated
    )


def _is_the_rule(plan: QueryPlan, candidate: EvidenceCandidate) -> bool:
    words = [f": {s.text.strip()}" for s in split_sentences(candidate.text) if periods(s.text)]
    return any(note.endswith(end) for note in plan.reasoning_notes for end in words)
