"""The flow of one request, top to bottom, with the bounded rewrite loop. Writes the trace.

A stage that breaks ends the run ``escalated`` with the reason: never an unvalidated draft.
"""

from __future__ import annotations

from collections.abc import Callable

from core.errors import BadInput
from core.lookups.cases import EARLIER
from core.lookups.refund import REFUND
from core.models.access import SecurityContext
from core.models.draft import GeneratedClaim
from core.models.evidence import EvidenceCandidate
from core.models.request import UserRequest
from core.models.review import Case
from core.models.tool import ToolAnswer
from core.models.trace import PipelineRun
from core.pipeline_check import check_text, claims_of
from core.pipeline_rounds import gather
from core.pipeline_run import RunInProgress, recipient_of
from core.pipeline_tools import Options, Tools, never
from core.pipeline_trace import finish
from core.stages.adjudicate import adjudicate
from core.stages.advise import advise, failure_advice
from core.stages.authorise import authorise
from core.stages.draft import draft
from core.stages.ledger import enforce, redact
from core.stages.normalise import normalise
from core.stages.plan import make_plan
from core.stages.propose import propose
from core.text.earlier_contacts import DAYS


def answer(
    request: UserRequest,
    tools: Tools,
    options: Options | None = None,
    *,
    cancelled: Callable[[], bool] = never,
) -> PipelineRun:
    """Run every stage for ``request`` and store the run.

    ``cancelled`` is asked before each stage, never within a transaction; once it says yes the run
    ends ``escalated`` with no draft, is stored like any other, and says "stopped by request".

    Raises ``BadInput`` for a question that cannot be taken (nothing is stored). Every other fault
    becomes a run with status ``escalated`` and ``trace.failure`` saying what broke.
    """
    run = RunInProgress(request, tools, options=options or Options(), cancelled=cancelled)
    try:
        _understand(run)
        gather(run)
        _write(run)
        _check(run)
        _advise(run)
        _propose(run)
    except BadInput:
        raise
    except Exception as error:  # noqa: BLE001 - the run must end in a safe, visible state
        run.fail(error)
        run.advice = failure_advice(run.failure)
    finished = finish(run)
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


def _advise(run: RunInProgress) -> None:
    with run.stage("advise") as note:
        run.advice = advise(
            run.need_plan(),
            run.request,
            run.need_package(),
            run.judgement,
            run.resolutions,
            run.need_answer(),
            run.case,
            run.tools.limits.advice,
            _earlier_cases(run),
        )
        note("; ".join((run.advice.outcome, *(g.kind for g in run.advice.grounds))))


def _earlier_cases(run: RunInProgress) -> tuple[EvidenceCandidate, ...]:
    """The customer's other cases, where the run is about a case."""
    case, toolbox = run.case, run.tools.toolbox
    if case is None or not case.customer_id or EARLIER not in toolbox:
        return ()
    given = {
        "customer_id": case.customer_id,
        "days": DAYS,
        "except_case": case.case_id,
        "on": run.today,
    }
    called = toolbox.call(EARLIER, run.need_context(), given)
    run.add_records((), (called.call,), {})
    return called.answer.rows


def _propose(run: RunInProgress) -> None:
    def work_out(order: str) -> ToolAnswer:
        # The record says that it came back, not why: the customer's word for it decides nothing.
        wanted = {"order_id": order, "reason": "unwanted"}
        answer, call = run.tools.toolbox.call(REFUND, run.need_context(), wanted)
        run.tool_calls += (call,)
        return answer

    with run.stage("propose") as note:
        run.proposals = propose(
            run.need_context(),
            run.need_package(),
            run.need_answer(),
            case=run.case,
            advice=run.advice,
            work_out=work_out,
        )
        note(", ".join(p.title for p in run.proposals) or "nothing to propose")


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
