"""From a run in progress to the frozen run that is stored, with its trace."""

from __future__ import annotations

from core.models.access import SecurityContext
from core.models.request import UserRequest
from core.models.trace import PipelineRun, RagTrace
from core.pipeline_run import RunInProgress


def finish(run: RunInProgress) -> PipelineRun:
    """The frozen run with its trace. Raises ``StageFailed`` for a run without an answer."""
    return PipelineRun(
        request=run.request,
        context=run.context or _nobody(run.request),
        normalized=run.normalized,
        plan=run.plan,
        retrieval_plan=run.retrieval_plan,
        gated=run.gated,
        package=run.package,
        judgement=run.judgement,
        resolutions=run.resolutions,
        answer=run.need_answer(),
        claims=run.claims,
        ledger=run.ledger,
        compliance=run.compliance,
        freshness=run.freshness,
        advice=run.advice,
        proposals=run.proposals,
        trace=_trace(run),
    )


def _trace(run: RunInProgress) -> RagTrace:
    answer, package = run.need_answer(), run.package
    selected = package.all_evidence() if package else ()
    return RagTrace(
        trace_id=run.trace_id,
        request_id=run.request.request_id,
        started_at=run.started_at,
        raw_query=run.request.raw_query,
        normalized_query=run.normalized.normalized_query if run.normalized else "",
        query_type=run.plan.query_type if run.plan else None,
        retrieval_plan=run.retrieval_plan,
        filter_sql=run.filter_sql,
        index_versions={"passages": run.index_version} if run.index_version else {},
        embedding_models=(run.tools.encoder.fingerprint,),
        policy_version=run.context.policy_version if run.context else "",
        thresholds=run.thresholds,
        gate_policy_id=run.gate_policy_id,
        candidate_chunk_ids=tuple(run.candidates),
        selected_chunk_ids=tuple(e.candidate.chunk_id for e in selected),
        cited_chunk_ids=tuple(dict.fromkeys(c.chunk_id for c in answer.citations)),
        access_violations_dropped=len(run.violations),
        tool_calls=run.tool_calls,
        evidence_sufficiency=package.sufficiency if package else "insufficient",
        answer_status=answer.status,
        unsupported_claims=answer.unsupported_claims,
        rounds=tuple(run.rounds),
        loop_end=run.loop_end,
        stages=tuple(run.stages),
        timings_ms=_timings(run),
        token_usage={
            "context_tokens": package.total_tokens if package else 0,
            **run.gate.tokens(),
        },
        cost_estimate=round(run.gate.usage.cost, 6),
        backend={
            "gate": run.tools.gate.name,
            "checker": run.tools.checker.name,
            "draft": "local",
        },
        failure=run.failure,
        extra={"unavailable": True} if run.unavailable else {},
    )


def _timings(run: RunInProgress) -> dict[str, float]:
    """Milliseconds by stage over all rounds, and ``total``, the wall time of the run."""
    totals: dict[str, float] = {}
    for record in run.stages:
        totals[record.stage] = round(totals.get(record.stage, 0.0) + record.ms, 3)
    totals["total"] = round(run.elapsed_ms(), 3)
    return totals


def _nobody(request: UserRequest) -> SecurityContext:
    return SecurityContext(
        tenant_id=request.tenant_id,
        user_id=request.user_id,
        roles=("guest",),
        department="",
        permission_level="L1",
        allowed_acl_policy_ids=(),
        allowed_classifications=(),
    )
