"""The judge: is each dimension covered, how surely, and does the evidence disagree with itself?

Coverage is decided by rules a person can read (``core.text.coverage_confidence`` has the table),
gaps by ``core.text.coverage_gaps``. The judge reports contradictions; it never picks a winner, and
it says ENOUGH only when every dimension is covered with high confidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.models.evidence import EvidencePackage
from core.models.judgement import Contradiction, Coverage, Decision, Judgement, NextAction
from core.models.plan import QueryPlan
from core.text.contradictions import find_ambiguities, find_contradictions
from core.text.coverage_gaps import priority_gaps, recommended_strategy, settled
from core.text.coverage_matrix import coverage_matrix


def judge(plan: QueryPlan, package: EvidencePackage) -> Judgement:
    """The coverage of every dimension, the contradictions found, and what to look for next."""
    contradictions = find_contradictions(plan, package)
    matrix = coverage_matrix(plan, package, contradictions)
    gaps = priority_gaps(plan, matrix)
    return Judgement(
        decision=_decision(matrix, contradictions),
        dimension_coverage_matrix=matrix,
        contradictions=contradictions,
        ambiguities=find_ambiguities(plan, package),
        next_action=NextAction(
            priority_gaps=gaps,
            recommended_rewrite_strategy=recommended_strategy(plan, matrix, package, gaps),
        ),
    )


def _decision(matrix: Mapping[str, Coverage], contradictions: Sequence[Contradiction]) -> Decision:
    if contradictions:
        return "CONTRADICTION_FOUND"
    return "ENOUGH" if matrix and all(map(settled, matrix.values())) else "NEED_MORE"
