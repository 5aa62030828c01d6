"""The search of one round on the days its question is about, and what those days lack."""

from __future__ import annotations

from datetime import date

from core.models.evidence import EvidenceCandidate
from core.models.plan import QueryPlan
from core.models.validity import may_speak
from core.pipeline_run import RunInProgress
from core.stages.gate import gate
from core.stages.look_back import begins_later, look_back
from core.stages.plan_retrieval import plan_retrieval
from core.stages.retrieve import Retrieved, retrieve
from core.text.conversation import InContext

_LOOKED_AT = 6
"""Passages of today asked whether they would answer, where the past day has nothing."""


def search_days(
    run: RunInProgress, query: str, plan: QueryPlan, conversation: InContext | None
) -> Retrieved:
    """What each day asked about has on ``query``. A day known only as "before the change" is looked
    up by what is found for today."""
    found = _search(run, query, plan, conversation)
    dated = look_back(plan, found.candidates, run.tools.registry)
    if dated is plan:
        return found
    run.plan, run.retrieval_plan = dated, None
    return _search(run, query, dated, conversation)


def say_what_began_later(run: RunInProgress) -> None:
    """Mark the package where no version of a past day is on file, though today's would answer."""
    plan, package = run.need_plan(), run.package
    if package is None or run.options.supplied is not None:
        return
    today = run.started_at.date()
    first = min(plan.temporal.compared, default=plan.temporal.effective_policy_date)
    on_the_subject = (g.candidate for g in run.gated if g.rule != "not_relevant")
    if first >= today or any(may_speak(c, first, plan) for c in on_the_subject if not c.looked_up):
        return
    with run.stage("on file") as note:
        answering = [e.candidate for e in package.selected_evidence if not e.candidate.looked_up]
        later = begins_later(first, answering or _today(run, today), run.tools.registry)
        searched = (c for c in run.candidates.values() if not c.looked_up)
        if later or first == date.min or not any(may_speak(c, first, plan) for c in searched):
            run.package = package.model_copy(update={"not_yet": later})
        note(", ".join(f"{title} from {day}" for title, day in later.items()) or "nothing later")


def _today(run: RunInProgress, today: date) -> list[EvidenceCandidate]:
    """What would answer the question today, by the gate's word."""
    plan = run.need_plan()
    when = plan.temporal.model_copy(
        update={"effective_policy_date": today, "prefer_current": True, "compared": ()}
    )
    question = plan.asked(run.need_normalized().standalone_query)
    found = _search(run, question, plan.model_copy(update={"temporal": when}), None)
    run.violations += found.violations
    gated = gate(question, found.candidates[:_LOOKED_AT], gate=run.gate, thresholds=run.thresholds)
    return [g.candidate for g in gated if g.route == "include"]


def _search(
    run: RunInProgress, query: str, plan: QueryPlan, conversation: InContext | None
) -> Retrieved:
    limits, tools = run.tools.limits, run.tools
    retrieval = plan_retrieval(
        plan,
        run.need_context(),
        query=query,
        conversation=conversation,
        top_k=limits.top_k,
        candidate_k=limits.candidate_k,
        fusion=limits.fusion,
        reranker=tools.reranker.name if tools.reranker else "",
    )
    run.begin_search(retrieval)
    return retrieve(retrieval, index=tools.index, registry=tools.registry, reranker=tools.reranker)
