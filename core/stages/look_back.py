"""Stage: which past day's rules decide, where only a record or the stored versions can tell.

A question seldom names the day of a purchase that its order does. And "what was it before?" means
the last day on which another version said otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from core.models.evidence import EvidenceCandidate
from core.models.plan import QueryPlan
from core.models.source import DocumentVersion
from core.models.validity import ends
from core.ports import DocumentRegistry
from core.text.days_compared import about_purchase
from core.text.moments import RECENT_DAYS
from core.text.near_duplicates import same_values
from core.text.sentences import split_sentences
from core.text.similarity import overlap, term_coverage
from core.text.timeless import at_last_dated

PLACED_ON = "placed_on"
"""The column of an order that says when it was bought."""
_LOOKED_AT = 4
"""Passages whose sources are asked for an earlier version, the best first."""
_SAME_SENTENCE = 0.6


def by_record(plan: QueryPlan, rows: Sequence[EvidenceCandidate], question: str) -> QueryPlan:
    """``plan`` with the day of the one purchase on record as the day of the event.

    An old purchase is decided by the rules of its day, as one whose day the question names; only
    for what becomes of a purchase, and where the question names no day itself.
    """
    when = plan.temporal
    if when.event_date or when.compared or not when.prefer_current or not about_purchase(question):
        return plan
    days = {
        date.fromisoformat(row.metadata[PLACED_ON]) for row in rows if row.metadata.get(PLACED_ON)
    }
    if len(days) != 1:
        return plan
    (day,) = days
    if day > when.asked_date:
        return plan
    changes: dict[str, object] = {"event_date": day}
    note = f"bought on {day.isoformat()}, says the order"
    if day < when.asked_date - timedelta(days=RECENT_DAYS):
        changes |= {"effective_policy_date": day, "prefer_current": False}
        note += f", more than {RECENT_DAYS} days ago: the policy of that day"
    return plan.model_copy(
        update={
            "temporal": when.model_copy(update=changes),
            "reasoning_notes": (*plan.reasoning_notes, note),
        }
    )


def look_back(
    plan: QueryPlan, candidates: Sequence[EvidenceCandidate], registry: DocumentRegistry
) -> QueryPlan:
    """``plan`` with the day before the last change, where it asks what held before.

    ``candidates`` are what is found for today, best first. Where no earlier version says otherwise
    the earlier day stays unknown (``date.min``), and nothing will cover it.
    """
    when = plan.temporal
    if not when.before_change or len(when.compared) > 1:
        return plan
    query = plan.subqueries[0] if plan.subqueries else plan.normalized_query
    found = (_last_day_before(c, query, registry) for c in candidates[:_LOOKED_AT])
    day = next((d for d in found if d is not None), None)
    note = f"the rule before held until {day.isoformat()}" if day else "no earlier version on file"
    days = (day or date.min, *when.compared)
    return plan.model_copy(
        update={
            "temporal": when.model_copy(update={"compared": days, "event_date": day}),
            "dimensions": at_last_dated(plan.dimensions, day) if day else plan.dimensions,
            "reasoning_notes": (*plan.reasoning_notes, note),
        }
    )


def begins_later(
    day: date, answering: Sequence[EvidenceCandidate], registry: DocumentRegistry
) -> dict[str, date]:
    """Titles of sources that would answer but have no version of ``day``, with their first day.

    None where one of them held on that day: it was not the version that was missing.
    """
    chains = registry.lifetimes({c.source_id for c in answering})
    found: dict[str, date] = {}
    for candidate in answering:
        versions = chains.get(candidate.source_id, {}).values()
        starts = [g.valid_from or date.min for g in versions if g.status != "draft"]
        if not starts or min(starts) <= day:
            return {}
        found[candidate.source_title] = min(starts)
    return found


def _last_day_before(
    current: EvidenceCandidate, query: str, registry: DocumentRegistry
) -> date | None:
    """The last day on which a version of the same source did not say what ``current`` says."""
    if current.looked_up or current.valid_from is None:
        return None
    versions = registry.versions_of(current.source_id)
    last = ends({v.document_id: v.governance for v in versions})
    said = _said(current.text, query)
    for version in _earlier(versions, current):
        end = last.get(version.document_id, current.valid_from)
        if said and not any(_says(version.text, sentence) for sentence in said):
            return min(end, current.valid_from) - timedelta(days=1)
    return None


def _earlier(
    versions: Sequence[DocumentVersion], current: EvidenceCandidate
) -> Iterator[DocumentVersion]:
    """Versions that held before, the latest first."""
    for version in reversed(versions):
        begun = version.governance.valid_from
        before = begun is None or (current.valid_from is not None and begun < current.valid_from)
        other = version.document_id != current.document_id
        if other and before and version.governance.status != "draft":
            yield version


def _said(text: str, query: str) -> list[str]:
    """The sentence that speaks of the matter most; a passage without a word of it says nothing."""
    best = max(split_sentences(text), key=lambda s: term_coverage(query, s.text), default=None)
    return [best.text] if best and term_coverage(query, best.text) > 0 else []


def _says(text: str, sentence: str) -> bool:
    return sentence in text or any(
        overlap(sentence, s.text) >= _SAME_SENTENCE and same_values(sentence, s.text)
        for s in split_sentences(text)
    )
