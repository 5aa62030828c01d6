"""The bounded loop of one run: retrieve, gate, select, judge, and a rewrite for what is missing.

Each round names the gap it is to fill; the loop ends when nothing is missing, when nothing new
comes back, or when the run's budget of rounds, time or cost is spent.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.models.evidence import EvidenceCandidate, EvidencePackage, GatedPassage
from core.models.gate_words import route_words
from core.models.judgement import Judgement
from core.models.plan import RewrittenQuery
from core.models.trace import Round
from core.pipeline_run import RunInProgress
from core.stages.gate import gate
from core.stages.judge import judge
from core.stages.normalise import clean_text
from core.stages.plan_retrieval import plan_retrieval
from core.stages.records import fetch_records
from core.stages.retrieve import retrieve
from core.stages.rewrite import rewrite
from core.stages.select import select
from core.stages.situate import promote, situate
from core.text.conversation import in_context


def gather(run: RunInProgress) -> None:
    """Evidence for every dimension of the plan, in at most ``run.rounds_allowed`` rounds."""
    plan = run.need_plan()
    if plan.needs_clarification or plan.retrieval_mode == "none":
        run.package = EvidencePackage(
            request_id=run.request.request_id, query=plan.normalized_query
        )
        return
    question = run.need_normalized().standalone_query
    query, step = question, None
    _fetch(run)
    for number in range(1, run.rounds_allowed + 1):
        known = frozenset(run.candidates)
        _retrieve(run, query, number)
        _gate(run, question, number)
        _select(run, number)
        judgement = _judge(run, number)
        new = tuple(c for c in run.candidates if c not in known)
        run.rounds.append(
            Round(
                number=number,
                query=query,
                rewrite=step,
                judgement=judgement,
                retrieved=len(run.candidates),
                new_chunk_ids=new,
            )
        )
        if judgement.decision != "NEED_MORE" or number == run.rounds_allowed:
            break
        step = _rewrite(run, judgement, number, found_new=bool(new))
        if step is None:
            break
        query = step.rewritten_query


def _select(run: RunInProgress, number: int) -> None:
    with run.stage("select", number) as note:
        package = select(
            run.request.request_id,
            run.need_plan(),
            run.gated,
            tokens=run.tools.tokens,
            budget=run.tools.limits.token_budget,
            known=run.evidence_ids,
        )
        run.package = package
        run.remember_ids()
        accepted, against = len(package.selected_evidence), len(package.conflicting_evidence)
        note(f"{accepted} accepted, {against} conflicting")


def _judge(run: RunInProgress, number: int) -> Judgement:
    with run.stage("judge", number) as note:
        run.judgement = judge(run.need_plan(), run.need_package())
        note(run.judgement.decision)
    return run.judgement


def _rewrite(
    run: RunInProgress, judgement: Judgement, number: int, *, found_new: bool
) -> RewrittenQuery | None:
    with run.stage("rewrite", number) as note:
        step = rewrite(
            run.need_plan(),
            judgement,
            run.rewrites,
            round_number=number + 1,
            last_found_new=found_new,
        )
        note(step.strategy_tag if step else "nothing sensible left")
    if step is not None:
        run.rewrites.append(step)
    return step


def _fetch(run: RunInProgress) -> None:
    if run.options.supplied is not None:
        run.add_candidates(run.options.supplied)
        return
    with run.stage("records") as note:
        rows = fetch_records(
            run.need_plan(),
            run.need_context(),
            run.request,
            records=run.tools.records,
            case=run.case,
        )
        run.add_candidates(rows)
        note(f"{len(rows)} row(s)")


def _retrieve(run: RunInProgress, query: str, number: int) -> None:
    if run.options.supplied is not None:
        return
    limits = run.tools.limits
    with run.stage("retrieve", number) as note:
        retrieval = plan_retrieval(
            run.need_plan(),
            run.need_context(),
            query=query,
            conversation=in_context(clean_text(run.request.raw_query), run.request.history),
            top_k=limits.top_k,
            candidate_k=limits.candidate_k,
            fusion=limits.fusion,
            reranker=run.tools.reranker.name if run.tools.reranker else "",
        )
        run.begin_search(retrieval)
        found = retrieve(
            retrieval,
            index=run.tools.index,
            registry=run.tools.registry,
            reranker=run.tools.reranker,
        )
        run.violations += found.violations
        run.add_candidates(found.candidates)
        note(f"{len(found.candidates)} candidates")


def _gate(run: RunInProgress, question: str, number: int) -> None:
    with run.stage("gate", number) as note:
        run.gated += _gated(run, question, run.ungated())
        note(route_words(run.gated))
    with run.stage("situate", number) as note:
        run.plan = situate(run.need_plan(), run.request, run.gated, today=run.today)
        run.gated = promote(run.plan, run.gated)
        note(run.plan.situation or "no special case")
    queries = run.part_queries(question)
    if queries:
        with run.stage("gate", number) as note:
            for query in queries:
                run.gated = _second_look(run, query)
            note(f"by part: {route_words(run.gated)}")


def _second_look(run: RunInProgress, query: str) -> tuple[GatedPassage, ...]:
    """A passage may answer one part of a question, or the customer's case of it, not the whole."""
    key = (query, frozenset(run.candidates))
    if key in run.looked_at:
        return run.gated
    run.looked_at.add(key)
    left = tuple(g.candidate for g in run.gated if g.rule in ("not_relevant", "no_evidence"))
    better = {g.candidate.chunk_id: g for g in _gated(run, query, left) if g.route == "include"}
    return tuple(better.get(g.candidate.chunk_id, g) for g in run.gated)


def _gated(
    run: RunInProgress, query: str, candidates: Sequence[EvidenceCandidate]
) -> tuple[GatedPassage, ...]:
    return gate(
        query,
        candidates,
        gate=run.gate,
        thresholds=run.thresholds,
        force_include=run.options.include,
        force_exclude=run.options.exclude,
    )
