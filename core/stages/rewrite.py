"""The next query, which must name the gap it fills; nothing when nothing sensible is left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.models.evidence import EvidenceCandidate, GatedPassage
from core.models.judgement import Judgement
from core.models.plan import Dimension, QueryPlan, RewriteStrategy, RewrittenQuery
from core.text.synonyms import WordBook
from core.text.wordings import expanded, further_keys, narrowed, resolved, reworded, structured

STRUCTURED_FROM_ROUND = 4
"""From this round on a structured query opens even without a record identifier."""
GENERAL_WORDS = WordBook()

_ORDER: tuple[RewriteStrategy, ...] = (
    "EXPAND_FIELDS",
    "SWITCH_KEYWORD_SYNONYM",
    "RESOLVE_AMBIGUOUS_TERM",
    "NARROW_TIME_SCOPE",
    "SWITCH_TO_STRUCTURED_QUERY",
)


def rewrite(
    plan: QueryPlan,
    judgement: Judgement,
    done: Sequence[RewrittenQuery],
    *,
    round_number: int,
    barren: int,
    words: WordBook = GENERAL_WORDS,
    seen: Sequence[GatedPassage] = (),
) -> RewrittenQuery | None:
    """A query for the first gap a strategy can still say something new about, or ``None``.

    ``done`` are the rewrites so far, oldest first; ``round_number`` is the round this query would
    open; ``barren`` counts the rounds in a row, up to the last, whose rewrite brought no new
    evidence. Two EXPAND_FIELDS without new evidence force SWITCH_KEYWORD_SYNONYM. No query is ever
    asked twice, and the gap tried least comes first. ``words`` are the other words the reader may
    learn of, ``seen`` what was found for the reader so far.
    """
    asked = {_key(q) for q in (plan.normalized_query, *plan.subqueries)}
    asked |= {_key(step.rewritten_query) for step in done}
    found = _usable(seen)
    for gap in _gaps(plan, judgement, done):
        for strategy in _strategies(plan, judgement, gap, done, found, round_number, barren):
            for query in _wordings(strategy, plan, judgement, gap, words, found):
                if _key(query) not in asked:
                    return RewrittenQuery(
                        rewritten_query=query,
                        strategy_tag=strategy,
                        expected_new_evidence=_EXPECTED[strategy].format(gap=gap.name),
                        gap=gap.id,
                    )
    return None


def _key(query: str) -> str:
    return " ".join(query.casefold().split())


def _usable(seen: Sequence[GatedPassage]) -> tuple[EvidenceCandidate, ...]:
    """What was found, nearest to the subject first; never what speaks to the model."""
    kept = [g for g in seen if g.rule != "injection"]
    kept.sort(key=lambda g: -g.probability("relevant"))
    return tuple(g.candidate for g in kept)


def _gaps(
    plan: QueryPlan, judgement: Judgement, done: Sequence[RewrittenQuery]
) -> tuple[Dimension, ...]:
    """Open dimensions, those tried least first, then as the judge orders them.

    What sources contradict each other about is left to the adjudicator: more of the same evidence
    settles nothing there.
    """
    by_id = {d.id: d for d in plan.dimensions}
    disputed = {c.dimension for c in judgement.contradictions}
    open_ids = [
        i
        for i, c in judgement.dimension_coverage_matrix.items()
        if not (c.covered and c.confidence == "high")
    ]
    ids = dict.fromkeys((*judgement.next_action.priority_gaps, *open_ids))
    tried = [step.gap for step in done]
    ordered = sorted((i for i in ids if i in by_id and i not in disputed), key=tried.count)
    return tuple(by_id[i] for i in ordered)


def _strategies(
    plan: QueryPlan,
    judgement: Judgement,
    gap: Dimension,
    done: Sequence[RewrittenQuery],
    found: Sequence[EvidenceCandidate],
    round_number: int,
    barren: int,
) -> tuple[RewriteStrategy, ...]:
    """The strategies open for ``gap``, best first."""
    if _forced(done, barren):
        return ("SWITCH_KEYWORD_SYNONYM",)
    has_record = any(i.kind in {"order", "case", "customer", "sku"} for i in plan.identifiers)
    recommended = judgement.next_action.recommended_rewrite_strategy
    order = list(dict.fromkeys(([recommended] if recommended else []) + list(_ORDER)))
    if gap.kind != "passage" or (has_record and further_keys(plan, found)):
        order = list(dict.fromkeys(["SWITCH_TO_STRUCTURED_QUERY", *order]))
    if barren:  # what brought nothing for this gap comes last
        tried = [step.strategy_tag for step in done if step.gap == gap.id]
        order.sort(key=tried.count)
    open_structured = has_record or round_number >= STRUCTURED_FROM_ROUND
    return tuple(s for s in order if s != "SWITCH_TO_STRUCTURED_QUERY" or open_structured)


def _forced(done: Sequence[RewrittenQuery], barren: int) -> bool:
    last = [r.strategy_tag for r in done[-2:]]
    return last == ["EXPAND_FIELDS", "EXPAND_FIELDS"] and barren >= len(last)


def _wordings(
    strategy: RewriteStrategy,
    plan: QueryPlan,
    judgement: Judgement,
    gap: Dimension,
    words: WordBook,
    found: Sequence[EvidenceCandidate],
) -> Iterator[str]:
    if strategy == "SWITCH_TO_STRUCTURED_QUERY":
        return structured(plan, gap, found)
    if gap.kind != "passage":
        return iter(())
    match strategy:
        case "EXPAND_FIELDS":
            return expanded(gap, words)
        case "SWITCH_KEYWORD_SYNONYM":
            return reworded(gap, words, found)
        case "RESOLVE_AMBIGUOUS_TERM":
            return resolved(plan, gap, found, judgement.ambiguities)
        case "NARROW_TIME_SCOPE":
            return narrowed(plan, gap)


_EXPECTED: dict[RewriteStrategy, str] = {
    "EXPAND_FIELDS": "a passage that states conditions, limits or amounts for: {gap}",
    "SWITCH_KEYWORD_SYNONYM": "a passage that uses other words for: {gap}",
    "RESOLVE_AMBIGUOUS_TERM": "a passage about exactly the thing named in: {gap}",
    "NARROW_TIME_SCOPE": "the version that was valid then, about: {gap}",
    "SWITCH_TO_STRUCTURED_QUERY": "a record or passage filed under the identifier, about: {gap}",
}
