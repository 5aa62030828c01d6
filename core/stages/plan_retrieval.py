"""How a search runs: which wordings, for whom, as of when, and what counts a little more."""

from __future__ import annotations

from core.models.access import SecurityContext
from core.models.plan import BoostRule, Fusion, QueryPlan, RetrievalFilters, RetrievalPlan
from core.text.conversation import InContext

TOPIC = " (regarding: "
"""What normalising puts between a question that leans on its conversation and the topic."""

BOOST_RULES = (
    BoostRule(when="official_policy", factor=1.04),
    BoostRule(when="approved_procedure", factor=1.03),
    BoostRule(when="draft", factor=0.96),
    BoostRule(when="community_forum", factor=0.97),
    BoostRule(when="unsigned", factor=0.97),
    BoostRule(when="superseded", factor=0.98),
    BoostRule(when="archived", factor=0.98),
)
"""Between passages that match about equally well, what somebody answers for comes first."""

REQUIRED = ("tenant_id", "acl_policy_id", "classification", "status")
"""Without these nobody can say who may read a passage, so nobody does."""


def plan_retrieval(
    plan: QueryPlan,
    context: SecurityContext,
    *,
    query: str | None = None,
    conversation: InContext | None = None,
    top_k: int,
    candidate_k: int,
    fusion: Fusion = "scores",
    reranker: str = "",
) -> RetrievalPlan:
    """How one search runs. The filter comes from rights and policy date alone.

    The plan's sub-queries and the ``conversation`` run with its own question, which then goes
    without the topic put behind it; a rewritten query runs by itself. With a ``reranker`` a hybrid
    search becomes one that is reranked.
    """
    own = plan.subqueries[0] if plan.subqueries else plan.normalized_query
    asked = query if query is not None else own
    first = query is None or query == own or not _is_rewrite(query, plan)
    others = tuple(s for s in plan.subqueries if s != asked) if first else ()
    heard = conversation if first and conversation and conversation.query else None
    hybrid = plan.retrieval_mode in ("hybrid", "hybrid_rerank")
    reranked = bool(reranker) and hybrid
    unranked = "hybrid" if hybrid else plan.retrieval_mode
    return RetrievalPlan(
        query=asked.partition(TOPIC)[0] if heard else asked,
        mode="hybrid_rerank" if reranked else unranked,
        subqueries=others if len(plan.subqueries) > 1 else (),
        context_query=heard.query if heard else "",
        context_weight=heard.weight if heard else 0.0,
        top_k=top_k,
        candidate_k=candidate_k,
        fusion=fusion,
        filters=filters_for(plan, context),
        other_days=_other_days(plan, context),
        boost_rules=BOOST_RULES,
        required_metadata=REQUIRED,
        reranker=reranker if reranked else "",
    )


def _is_rewrite(query: str, plan: QueryPlan) -> bool:
    """The question itself contains the plan's own query; a rewrite words it otherwise."""
    return bool(plan.subqueries) and plan.subqueries[0] not in query


def _other_days(plan: QueryPlan, context: SecurityContext) -> tuple[RetrievalFilters, ...]:
    """The same rights on each other day that is compared with the policy date."""
    when, own = plan.temporal, filters_for(plan, context)
    return tuple(
        own.model_copy(update={"valid_on": day, "include_past_versions": day < when.asked_date})
        for day in when.compared
        if day != when.effective_policy_date
    )


def filters_for(plan: QueryPlan, context: SecurityContext) -> RetrievalFilters:
    """Invariant 1: rights of the context and the policy date of the plan, nothing else."""
    return RetrievalFilters(
        tenant_id=context.tenant_id,
        acl_policy_ids=context.allowed_acl_policy_ids,
        classifications=context.allowed_classifications,
        source_types=context.allowed_source_types,
        valid_on=plan.temporal.effective_policy_date,
        include_past_versions=not plan.temporal.prefer_current,
    )
