"""Stage: is what the draft leans on still within its review promise.

The state follows the source's own review SLA (days); a source nobody ever reviewed is ``unknown``,
which is said, never taken for fresh.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from core.models.compliance import FreshnessWarning
from core.models.evidence import Evidence, EvidenceCandidate
from core.models.source import FreshnessState
from core.text.review_state import freshness_state

__all__ = ["freshness", "freshness_state"]

Replacement = tuple[str, date | None]
"""A version by title or id, and the first day it holds."""
_RECORD_SOURCES = ("record", "case_file")


def freshness(
    used: Sequence[Evidence], *, today: date, replaced_by: Mapping[str, Replacement] = {}
) -> tuple[FreshnessWarning, ...]:
    """One line for each document version used, in order of use; records of today need none.

    ``replaced_by`` maps a document id to the title or id of the version that follows it and the day
    that begins. One still to come is announced, but supersedes nothing yet.
    """
    seen: dict[str, FreshnessWarning] = {}
    for item in used:
        candidate = item.candidate
        if candidate.retrieval_source in _RECORD_SOURCES or candidate.document_id in seen:
            continue
        seen[candidate.document_id] = _warning(item, today, replaced_by.get(candidate.document_id))
    return tuple(seen.values())


def _warning(item: Evidence, today: date, newer: Replacement | None) -> FreshnessWarning:
    candidate = item.candidate
    state = freshness_state(candidate.last_reviewed, candidate.review_sla_days, today)
    begun = newer is not None and (newer[1] is None or newer[1] <= today)
    superseded = begun or candidate.status == "superseded"
    return FreshnessWarning(
        evidence_id=item.evidence_id,
        source_id=candidate.source_id,
        document_id=candidate.document_id,
        title=candidate.source_title,
        state=state,
        superseded=superseded,
        days_past_due=_days_past_due(candidate, today),
        message="; ".join(
            filter(None, (_age(candidate, state, today), _replaced(candidate, newer, today)))
        ),
        owner=candidate.owner,
    )


def _days_past_due(candidate: EvidenceCandidate, today: date) -> int:
    if candidate.last_reviewed is None:
        return 0
    return max(0, (today - candidate.last_reviewed).days - candidate.review_sla_days)


def _age(candidate: EvidenceCandidate, state: FreshnessState, today: date) -> str:
    if candidate.last_reviewed is None:
        return "never reviewed"
    age = (today - candidate.last_reviewed).days
    if state == "stale":
        return f"past its review date by {_days(age - candidate.review_sla_days)}"
    if state == "due_soon":
        left = candidate.review_sla_days - age
        return "review is due today" if left == 0 else f"review is due in {_days(left)}"
    return "reviewed today" if age <= 0 else f"reviewed {_days(age)} ago"


def _replaced(candidate: EvidenceCandidate, newer: Replacement | None, today: date) -> str:
    if newer is not None:
        name, begins = newer
        coming = begins is not None and begins > today
        return f"{name} replaces it from {begins} on" if coming else f"superseded by {name}"
    if candidate.status != "superseded":
        return ""
    return f"superseded on {candidate.valid_to.isoformat()}" if candidate.valid_to else "superseded"


def _days(count: int) -> str:
    return "1 day" if count == 1 else f"{count} days"
