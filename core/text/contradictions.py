"""Pairs of accepted evidence that state different values for what a dimension asks.

Found, never decided: who wins is the adjudicator's matter.
"""

from __future__ import annotations

from itertools import combinations

from core.models.evidence import Evidence, EvidenceCandidate, EvidencePackage
from core.models.judgement import Ambiguity, ClaimSide, Contradiction
from core.models.plan import Dimension, QueryPlan
from core.text.stated import Stated, disagreement, stated_values


def find_contradictions(plan: QueryPlan, package: EvidencePackage) -> tuple[Contradiction, ...]:
    """Every contradiction among ``package.selected_evidence``, by dimension in the plan's order."""
    return tuple(
        found
        for d in plan.dimensions
        if d.kind == "passage"
        for found in _contradictions(d, plan, package)
    )


def find_ambiguities(plan: QueryPlan, package: EvidencePackage) -> tuple[Ambiguity, ...]:
    """Names of the question that stand for several things, each with an answer of its own."""
    return ()


def _contradictions(
    dimension: Dimension, plan: QueryPlan, package: EvidencePackage
) -> list[Contradiction]:
    """Pairs of accepted evidence that state different values for the dimension's attribute."""
    question = plan.situated(dimension.query)
    stated: list[tuple[Evidence, tuple[Stated, ...]]] = []
    for evidence in package.selected_evidence:
        candidate = evidence.candidate
        if candidate.retrieval_source in ("record", "case_file"):
            continue
        context = " › ".join((candidate.source_title, *candidate.heading_path))
        stated.append((evidence, stated_values(question, candidate.text, context)))
    found = []
    for (a, left), (b, right) in combinations(stated, 2):
        if not _same_reach(a.candidate, b.candidate):
            continue
        pair = disagreement(question, left, right)
        if pair:
            found.append(
                Contradiction(
                    dimension=dimension.id,
                    claim_a=_side(a, pair[0]),
                    claim_b=_side(b, pair[1]),
                )
            )
    return found


def _same_reach(a: EvidenceCandidate, b: EvidenceCandidate) -> bool:
    """Sources for two regions or two products do not contradict each other."""
    for left, right in ((a.region, b.region), (a.product, b.product)):
        if left and right and left.casefold() != right.casefold():
            return False
    return a.chunk_id != b.chunk_id


def _side(evidence: Evidence, stated: Stated) -> ClaimSide:
    return ClaimSide(evidence_id=evidence.evidence_id, value=stated.value, quote=stated.quote)
