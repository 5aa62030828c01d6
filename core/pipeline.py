"""The flow of one request, top to bottom, with the bounded rewrite loop. Writes the trace.

A stage that breaks ends the run ``escalated`` with the reason: never an unvalidated draft.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import BadInput
from core.models.access import SecurityContext
from core.models.draft import GeneratedClaim
from core.models.evidence import EvidenceCandidate, EvidencePackage, GatedPassage
from core.models.gate_words import route_words
from core.models.judgement import Judgement
from core.models.plan import RewrittenQuery
from core.models.request import UserRequest
from core.models.review import Case
from core.models.trace import PipelineRun, Round
from core.pipeline_check import check_text, claims_of
from core.pipeline_run import RunInProgress, recipient_of
from core.pipeline_tools import Options, Tools
from core.stages.adjudicate import adjudicate
from core.stages.authorise import authorise
from core.stages.draft import draft
from core.stages.gate import gate
from core.stages.judge import judge
from core.stages.ledger import enforce, redact
from core.stages.normalise import clean_text, normalise
from core.stages.plan import make_plan
from core.stages.plan_retrieval import plan_retrieval
from core.stages.records import fetch_records
from core.stages.retrieve import retrieve
from core.stages.rewrite import rewrite
from core.stages.select import select
from core.stages.situate import promote, situate
from core.text.conversation import in_context


def answer(request: UserRequest, tools: Tools, options: Options | None = None) -> PipelineRun:
    """Run every stage for ``request`` and store the run.

    Raises ``BadInput`` for a question that cannot be taken (nothing is stored). Every other fault
    becomes a run with status ``escalated`` and ``trace.failure`` saying what broke.
    """
    run = RunInProgress(request, tools, options=options or Options())
    try:
        _understand(run)
        _gather(run)
        _write(run)
        _check(run)
    except BadInput:
        raise
    except Exception as error:  # noqa: BLE001 - the run must end in a safe, visible state
        run.fail(error)
    finished = run.finish()
    tools.runs.save_run(finished)
    return finished


def _understand(run: RunInProgress) -> None:
    request, tools = run.request, run.tools
    with run.stage("authorise") as note:
        run.context = context_of(request.user_id, request.tenant_id, tools)
        run.adopt_gate_policy()
        allowed = len(run.context.allowed_acl_policy_ids)
        note(f"level {run.context.permission_level}, {allowed} access policies")
    with run.stage("normalise") as note:
        run.normalized = normalise(request, today=run.today)
        note(f"language {run.normalized.detected_language}")
    with run.stage("plan") as note:
        run.case = _readable_case(run)
        run.plan = make_plan(run.normalized, request, today=run.today, case=run.case)
        plan = run.plan
        note(f"{plan.query_type}, {plan.retrieval_mode}, {len(plan.dimensions)} dimension(s)")


def _gather(run: RunInProgress) -> None:
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


def _write(run: RunInProgress) -> None:
    plan, package = run.need_plan(), run.need_package()
    if run.judgement is not None:
        with run.stage("adjudicate") as note:
            run.resolutions = adjudicate(run.judgement, package, plan)
            note(", ".join(r.decided_by for r in run.resolutions) or "nothing to decide")
    with run.stage("draft") as note:
        run.answer = draft(
            run.request,
            run.need_normalized(),
            plan,
            package,
            run.judgement,
            run.resolutions,
            encoder=run.tools.encoder,
        )
        note(run.answer.status)


def _check(run: RunInProgress) -> None:
    written = run.need_answer()
    claims = claims_of(run, written.answer_markdown)
    run.answer = enforce(written, claims)
    if run.answer.answer_markdown != written.answer_markdown:
        claims = claims_of(run, run.answer.answer_markdown)
    _comply(run, claims)
    decision = run.compliance
    if decision and decision.decision == "PARTIAL_ALLOW_NEED_REDACTION":
        allowed = decision.final_answer_text_after_enforcement
        run.answer = redact(run.answer, run.claims, allowed)
        _comply(run, claims_of(run, run.answer.answer_markdown))
        run.keep_redactions(decision)
    run.enforce_denial()


def _comply(run: RunInProgress, claims: tuple[GeneratedClaim, ...]) -> None:
    checked = check_text(
        run,
        run.need_answer().answer_markdown,
        claims,
        output_form=run.request.output_form,
        recipient=recipient_of(run.request, run.case),
    )
    run.claims, run.ledger = checked.claims, checked.ledger
    run.compliance, run.freshness = checked.compliance, checked.freshness


def context_of(user_id: str, tenant_id: str, tools: Tools) -> SecurityContext:
    """Rights of a user, from identity and policy store alone; unknown means least privileged."""
    return authorise(
        tools.policies.user(user_id), tools.policies.acl_policies(tenant_id), tenant_id=tenant_id
    )


def _readable_case(run: RunInProgress) -> Case | None:
    """The case asked about, if there is one and the user may review cases."""
    if "review" not in run.need_context().actions:
        return None
    named = [i.value for i in run.need_normalized().extracted_identifiers if i.kind == "case"]
    case_id = run.request.case_id or (named[0] if named else None)
    return run.tools.cases.case(run.request.tenant_id, case_id) if case_id else None
