"""Find candidates: every wording searched, joined, checked again, said once, best first.

The index filters before its top-k. Every candidate is checked again here, against the filters and
against the governance the registry holds now: an index may lag behind, rights may not. Only what
passed is weighed, merged with its copies or shown to a reranker.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest

from core.models.admission import admitted
from core.models.base import Model
from core.models.evidence import EvidenceCandidate
from core.models.plan import RetrievalPlan
from core.models.source import DocumentVersion
from core.models.validity import ends
from core.ports import DocumentRegistry, PassageIndex, Reranker
from core.text.join_searches import Searched, joined, kept_for_each
from core.text.near_duplicates import collapse
from core.text.weigh import boosted, by_score, reranked

_PART_WEIGHT = 0.5
"""What a part of a question counts beside the whole."""
_SPARE = 8
_JOINED_DEPTH = 40
_DEEPER = 3
_PASSES = 3


class Retrieved(Model):
    """``candidates`` best first; ``violations`` say which were dropped by the second check."""

    candidates: tuple[EvidenceCandidate, ...] = ()
    violations: tuple[str, ...] = ()


def retrieve(
    plan: RetrievalPlan,
    *,
    index: PassageIndex,
    registry: DocumentRegistry,
    reranker: Reranker | None = None,
) -> Retrieved:
    """Search every wording of the plan and return what is left after the second check.

    At most ``top_k`` candidates for one question; a plan with sub-queries may return half as many
    again, so that no sub-question is crowded out. Where copies or dropped rows leave fewer, the
    search goes deeper. ``reranker`` is used when the plan names one. Days that are compared are
    searched one by one, each with its own filter and limit, and told in turns.
    """
    by_day = [
        _on_one_day(
            plan.model_copy(update={"filters": f, "other_days": ()}), index, registry, reranker
        )
        for f in (plan.filters, *plan.other_days)
    ]
    if len(by_day) == 1:
        return by_day[0]
    turns = chain.from_iterable(zip_longest(*(found.candidates for found in by_day)))
    once = {c.chunk_id: c for c in turns if c is not None}
    violations = dict.fromkeys(v for found in by_day for v in found.violations)
    return Retrieved(candidates=_ranked(tuple(once.values())), violations=tuple(violations))


def _on_one_day(
    plan: RetrievalPlan,
    index: PassageIndex,
    registry: DocumentRegistry,
    reranker: Reranker | None,
) -> Retrieved:
    limit = plan.top_k + plan.top_k // 2 if plan.subqueries else plan.top_k
    depth, found = plan.top_k + _SPARE, Retrieved()
    for _ in range(_PASSES):
        searched = _searched(plan, index, depth)
        checked, violations = _checked(joined(searched), plan, registry)
        distinct = collapse(by_score(boosted(checked, plan.boost_rules)), on=plan.filters.valid_on)
        if plan.reranker and reranker is not None:
            distinct = reranked(plan.query, distinct, reranker)
        best = kept_for_each(distinct, searched, limit)
        found = Retrieved(candidates=_ranked(best), violations=violations)
        if len(best) >= limit or not any(s.may_have_more for s in searched):
            break
        depth *= _DEEPER
    return found


def _searched(plan: RetrievalPlan, index: PassageIndex, depth: int) -> list[Searched]:
    """Hits of the question, its parts, and the question in its conversation."""
    wordings = {plan.query: 1.0} if plan.query else {}
    wordings |= {q: _PART_WEIGHT for q in plan.subqueries if q and q != plan.query}
    if plan.context_query and plan.context_weight:
        wordings.setdefault(plan.context_query, plan.context_weight)
    if len(wordings) > 1:
        depth = max(depth, _JOINED_DEPTH)
    alone = {"subqueries": (), "context_query": "", "top_k": depth}
    alone["candidate_k"] = max(plan.candidate_k, depth)
    return [
        Searched(
            hits=index.search(plan.model_copy(update={**alone, "query": query})),
            weight=weight,
            asked_for=depth,
            must_show=query != plan.context_query,
        )
        for query, weight in wordings.items()
    ]


def _checked(
    candidates: Sequence[EvidenceCandidate], plan: RetrievalPlan, registry: DocumentRegistry
) -> tuple[list[EvidenceCandidate], tuple[str, ...]]:
    live = _ended(registry.live({c.document_id for c in candidates}), registry)
    kept: list[EvidenceCandidate] = []
    violations: list[str] = []
    for candidate in candidates:
        version = live.get(candidate.document_id)
        passed, why = admitted(candidate, version, plan.filters, plan.required_metadata)
        if passed is None:
            violations.append(f"{candidate.chunk_id} dropped: {why}")
        else:
            kept.append(passed)
    return kept, tuple(violations)


def _ended(
    live: Mapping[str, DocumentVersion], registry: DocumentRegistry
) -> dict[str, DocumentVersion]:
    """The versions, one whose end nobody stated ending where the next of its source begins."""
    unsure = {v.source_id for v in live.values() if v.governance.valid_to is None}
    chains = registry.lifetimes(unsure) if unsure else {}
    last = {
        n: end for chain_ in chains.values() if len(chain_) > 1 for n, end in ends(chain_).items()
    }
    return {
        name: version.model_copy(
            update={"governance": version.governance.model_copy(update={"valid_to": last[name]})}
        )
        if name in last and version.governance.valid_to is None
        else version
        for name, version in live.items()
    }


def _ranked(candidates: Sequence[EvidenceCandidate]) -> tuple[EvidenceCandidate, ...]:
    return tuple(c.model_copy(update={"rank": n}) for n, c in enumerate(candidates, start=1))
