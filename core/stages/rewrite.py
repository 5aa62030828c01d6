"""The next query, which must name the gap it fills; nothing when nothing sensible is left."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core.models.judgement import Judgement
from core.models.plan import Dimension, QueryPlan, RewriteStrategy, RewrittenQuery
from core.text.names import find_names
from core.text.synonyms import enlarged, swapped
from core.text.tokens import content_words

STRUCTURED_FROM_ROUND = 4
"""From this round on a structured query opens even without a record identifier."""

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
    last_found_new: bool,
) -> RewrittenQuery | None:
    """A query for the first gap a strategy can still say something new about, or ``None``.

    ``done`` are the rewrites so far, oldest first; ``round_number`` is the round this query would
    open. Two EXPAND_FIELDS in a row without new evidence force SWITCH_KEYWORD_SYNONYM. No query
    is ever asked twice.
    """
    asked = {_key(q) for q in (*plan.subqueries, *(r.rewritten_query for r in done))}
    strategies = _strategies(plan, judgement, done, round_number, last_found_new=last_found_new)
    for gap in _gaps(plan, judgement):
        for strategy in strategies:
            query = _WRITERS[strategy](plan, gap)
            if query and _key(query) not in asked:
                return RewrittenQuery(
                    rewritten_query=query,
                    strategy_tag=strategy,
                    expected_new_evidence=_EXPECTED[strategy].format(gap=gap.name),
                    gap=gap.id,
                )
    return None


def _key(query: str) -> str:
    return " ".join(query.casefold().split())


def _gaps(plan: QueryPlan, judgement: Judgement) -> tuple[Dimension, ...]:
    """Uncovered dimensions, the judge's priorities first. A record or case file is not searched."""
    by_id = {d.id: d for d in plan.dimensions}
    open_ids = [
        i
        for i, c in judgement.dimension_coverage_matrix.items()
        if not (c.covered and c.confidence == "high")
    ]
    ids = dict.fromkeys((*judgement.next_action.priority_gaps, *open_ids))
    return tuple(by_id[i] for i in ids if i in by_id)


def _strategies(
    plan: QueryPlan,
    judgement: Judgement,
    done: Sequence[RewrittenQuery],
    round_number: int,
    *,
    last_found_new: bool,
) -> tuple[RewriteStrategy, ...]:
    if _forced(done, last_found_new=last_found_new):
        return ("SWITCH_KEYWORD_SYNONYM",)
    has_record = any(i.kind in {"order", "case", "customer", "sku"} for i in plan.identifiers)
    recommended = judgement.next_action.recommended_rewrite_strategy
    order = dict.fromkeys(([recommended] if recommended else []) + list(_ORDER))
    if has_record:
        order = dict.fromkeys(["SWITCH_TO_STRUCTURED_QUERY", *order])
    open_structured = has_record or round_number >= STRUCTURED_FROM_ROUND
    return tuple(s for s in order if s != "SWITCH_TO_STRUCTURED_QUERY" or open_structured)


def _forced(done: Sequence[RewrittenQuery], *, last_found_new: bool) -> bool:
    last = [r.strategy_tag for r in done[-2:]]
    return last == ["EXPAND_FIELDS", "EXPAND_FIELDS"] and not last_found_new


def _bare(gap: Dimension) -> str:
    return re.sub(r"\s*\(regarding: .*\)$", "", gap.query)


def _chinese(text: str) -> bool:
    return any("\u4e00" <= ch <= "\u9fff" for ch in text)


def _expand(plan: QueryPlan, gap: Dimension) -> str | None:
    if gap.kind != "passage":
        return None
    more = (
        "条件 期限 金额 例外"
        if _chinese(gap.query)
        else "criteria, conditions, time limits, amounts, exceptions"
    )
    return enlarged(gap.query) or f"{gap.query} ({more})"


def _synonym(plan: QueryPlan, gap: Dimension) -> str | None:
    return swapped(_bare(gap)) if gap.kind == "passage" else None


def _narrow(plan: QueryPlan, gap: Dimension) -> str | None:
    if gap.kind != "passage" or (plan.temporal.prefer_current and plan.temporal.event_date is None):
        return None
    day = plan.temporal.event_date or plan.temporal.effective_policy_date
    if _chinese(gap.query):
        return f"{_bare(gap)} {day.year}年{day.month}月有效的版本"
    return f"{_bare(gap)} valid in {day:%B %Y}"


def _resolve(plan: QueryPlan, gap: Dimension) -> str | None:
    """The gap put with the names of the question, or reduced to its bare terms."""
    if gap.kind != "passage":
        return None
    names = [
        n for n in find_names(plan.subqueries[0] if plan.subqueries else "") if n not in gap.query
    ]
    if names:
        return f"{_bare(gap)} {' '.join(names)}"
    terms = content_words(gap.query)
    return " ".join(dict.fromkeys(terms)) if len(terms) > 2 and not _chinese(gap.query) else None


def _structured(plan: QueryPlan, gap: Dimension) -> str | None:
    """The identifiers of the plan as field and value, beside the terms of the gap."""
    named = [f"{i.kind}: {i.value}" for i in plan.identifiers]
    terms = [] if gap.kind == "record" else list(dict.fromkeys(content_words(gap.query)))[:4]
    if not named and not terms:
        return None
    return " ".join((*named, *terms))


_WRITERS: dict[RewriteStrategy, Callable[[QueryPlan, Dimension], str | None]] = {
    "EXPAND_FIELDS": _expand,
    "SWITCH_KEYWORD_SYNONYM": _synonym,
    "RESOLVE_AMBIGUOUS_TERM": _resolve,
    "NARROW_TIME_SCOPE": _narrow,
    "SWITCH_TO_STRUCTURED_QUERY": _structured,
}
_EXPECTED: dict[RewriteStrategy, str] = {
    "EXPAND_FIELDS": "a passage that states conditions, limits or amounts for: {gap}",
    "SWITCH_KEYWORD_SYNONYM": "a passage that uses other words for: {gap}",
    "RESOLVE_AMBIGUOUS_TERM": "a passage about exactly the thing named in: {gap}",
    "NARROW_TIME_SCOPE": "the version that was valid then, about: {gap}",
    "SWITCH_TO_STRUCTURED_QUERY": "a record or passage filed under the identifier, about: {gap}",
}
