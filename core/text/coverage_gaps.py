"""What to look for next: the dimensions short of high confidence, and how to ask for the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.models.evidence import EvidencePackage
from core.models.judgement import Coverage
from core.models.plan import QueryPlan, RewriteStrategy


def settled(coverage: Coverage) -> bool:
    """Covered with high confidence: nothing more needs to be looked for."""
    return coverage.covered and coverage.confidence == "high"


def priority_gaps(plan: QueryPlan, matrix: Mapping[str, Coverage]) -> tuple[str, ...]:
    """Ids of the dimensions that are not settled, the one to look for first in front.

    Uncovered before covered less surely; records and case files before passages, for a look-up is
    certain; what has nothing on its subject before what is only not stated; then the plan's order.
    """
    short = [d for d in plan.dimensions if not settled(matrix[d.id])]
    short.sort(
        key=lambda d: (
            matrix[d.id].covered,
            d.kind == "passage",
            bool(matrix[d.id].evidence_ids),
        )
    )
    return tuple(d.id for d in short)


def recommended_strategy(
    plan: QueryPlan,
    matrix: Mapping[str, Coverage],
    package: EvidencePackage,
    gaps: Sequence[str],
) -> RewriteStrategy | None:
    """How to look for the first gap; ``None`` without gaps.

    A look-up for what stands in a record; the time narrowed where the version is what is doubtful;
    other words where nothing is on the subject; more of the same where the subject was found.
    """
    if not gaps:
        return None
    first = next(d for d in plan.dimensions if d.id == gaps[0])
    coverage = matrix[first.id]
    if first.kind != "passage":
        return "SWITCH_TO_STRUCTURED_QUERY"
    if plan.query_type == "ambiguous":
        return "RESOLVE_AMBIGUOUS_TERM"
    if not package.selected_evidence:
        return "SWITCH_KEYWORD_SYNONYM"
    stale = (
        coverage.covered and coverage.signals is not None and coverage.signals.freshness == "stale"
    )
    if stale or (plan.temporal.event_date is not None and coverage.evidence_ids):
        return "NARROW_TIME_SCOPE"
    return "EXPAND_FIELDS"
