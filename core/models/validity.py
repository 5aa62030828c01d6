"""On which days a version holds."""

from __future__ import annotations

from datetime import date

from core.models.evidence import EvidenceCandidate
from core.models.plan import Dimension, QueryPlan

_LOOKED_UP = ("record", "case_file", "supplied")


def held_on(candidate: EvidenceCandidate, day: date) -> bool:
    """Whether the version behind ``candidate`` was valid on ``day``: from ``valid_from`` up to, not
    including, ``valid_to``. Never a draft; nor one replaced since nobody knows when."""
    if candidate.status == "draft":
        return False
    if candidate.status != "active" and candidate.valid_to is None:
        return False
    begun = candidate.valid_from is None or candidate.valid_from <= day
    return begun and (candidate.valid_to is None or day < candidate.valid_to)


def speaks_for(candidate: EvidenceCandidate, dimension: Dimension, plan: QueryPlan) -> bool:
    """Whether ``candidate`` may cover ``dimension``: where days are compared, only a version valid
    on the dimension's own day. Records and supplied passages have no versions."""
    if not plan.temporal.compared or candidate.retrieval_source in _LOOKED_UP:
        return True
    return held_on(candidate, plan.day_of(dimension))
