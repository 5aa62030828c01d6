"""One whole pipeline run about the coat, stage by stage."""

from __future__ import annotations

from datetime import timedelta

from core.models.draft import GroundedAnswer, ReportedConflict
from core.models.evidence import (
    Evidence,
    EvidenceCandidate,
    EvidencePackage,
    GatedPassage,
    GateNote,
    GateScores,
)
from core.models.judgement import ClaimSide, Contradiction, Coverage, Judgement, Resolution
from core.models.plan import (
    Dimension,
    QueryPlan,
    RetrievalFilters,
    RetrievalPlan,
    RewrittenQuery,
    TemporalContext,
)
from core.models.request import NormalizedInput, UserRequest
from core.models.trace import PipelineRun, RagTrace, Round, StageRecord
from tests.pages.builders import (
    DRAFT,
    FAQ,
    HOSTILE,
    NOW,
    POLICY,
    REFUNDS,
    TODAY,
    a_compliance,
    a_context,
    a_ledger,
    claims_of,
)


def a_candidate(
    chunk_id: str, text: str, title: str, section: str, **changes: object
) -> EvidenceCandidate:
    """A retrieved passage."""
    base = {
        "chunk_id": chunk_id,
        "source_id": chunk_id.split("#")[0],
        "document_id": chunk_id.split("#")[0] + "@4.2",
        "tenant_id": "athena",
        "text": text,
        "source_title": title,
        "heading_path": (title, section),
        "score": 0.031,
        "rank": 1,
        "lexical_rank": 1,
        "vector_rank": 2,
        "similarity": 0.71,
        "authority": "official_policy",
        "last_reviewed": TODAY - timedelta(days=12),
        "owner": "kim",
    }
    return EvidenceCandidate.model_validate({**base, **changes})


def a_gated(
    candidate: EvidenceCandidate, rule: str, reason: str, scores: tuple[float, ...]
) -> GatedPassage:
    """A candidate after the gate."""
    route = {"evidence": "include", "contradicts": "conflict"}.get(rule, "exclude")
    relevant, evidence, contradicts, injection = scores
    return GatedPassage(
        candidate=candidate,
        scores=GateScores(
            relevant=relevant, evidence=evidence, contradicts=contradicts, injection=injection
        ),
        note=GateNote(reasons=(reason,)),
        route=route,
        rule=rule,
        reason=reason,
    )


def a_conflict() -> ReportedConflict:
    """The unsigned FAQ against the policy."""
    return ReportedConflict(
        kind="sources",
        dimension="return window",
        side_a="45 days",
        side_b="60 days",
        evidence_ids=("EVID-0001", "EVID-0003"),
        resolution="Decided by authority: an official policy outranks an unsigned FAQ.",
        decided=True,
        winner_evidence_id="EVID-0001",
    )


def a_run(
    trace_id: str = "trace_1", question: str = "How long do I have to return the coat?"
) -> PipelineRun:
    """A whole run of the coat question."""
    policy = a_candidate("returns#3", POLICY, "Return policy 4.2", "Holiday returns")
    refunds = a_candidate(
        "refunds#1", REFUNDS, "Refund procedure", "Timing", rank=2, lexical_rank=3
    )
    faq = a_candidate(
        "faq#9", FAQ, "Holiday FAQ", "Returns", authority="faq", signed=False, rank=3, vector_rank=1
    )
    hostile = a_candidate(
        "forum#2", HOSTILE, "Community post", "", authority="community_forum", rank=4
    )
    gated = (
        a_gated(policy, "evidence", "states the return window", (0.96, 0.94, 0.02, 0.01)),
        a_gated(refunds, "evidence", "states when money goes back", (0.81, 0.77, 0.03, 0.01)),
        a_gated(
            faq, "contradicts", "says 60 days where the policy says 45", (0.92, 0.70, 0.83, 0.02)
        ),
        a_gated(hostile, "injection", "tries to instruct the model", (0.55, 0.11, 0.20, 0.97)),
    )
    evidence = tuple(Evidence(evidence_id=f"EVID-000{n}", gated=g) for n, g in enumerate(gated, 1))
    matrix = {
        "D1": Coverage(
            covered=True, evidence_ids=("EVID-0001",), confidence="high", reason="stated"
        )
    }
    judgement = Judgement(decision="ENOUGH", dimension_coverage_matrix=matrix)
    first = Judgement(
        decision="NEED_MORE",
        dimension_coverage_matrix={"D1": Coverage(covered=False, reason="no number of days found")},
    )
    filters = RetrievalFilters(
        tenant_id="athena",
        acl_policy_ids=("public", "internal-service"),
        classifications=("public", "internal"),
        valid_on=TODAY,
    )
    plan = RetrievalPlan(query=question, mode="hybrid", filters=filters)
    contradiction = Contradiction(
        dimension="return window",
        claim_a=ClaimSide(evidence_id="EVID-0001", value="45 days", quote="within 45 days"),
        claim_b=ClaimSide(evidence_id="EVID-0003", value="60 days", quote="within 60 days"),
    )
    trace = RagTrace(
        trace_id=trace_id,
        request_id="req_1",
        started_at=NOW - timedelta(minutes=3),
        raw_query=question,
        normalized_query=question,
        query_type="policy_interpretation",
        retrieval_plan=plan,
        filter_sql="tenant_id = 'athena' AND array_has_any(acl, ['public', 'internal-service'])",
        index_versions={"passages": "17"},
        embedding_models=("all-MiniLM-L6-v2 fp32",),
        answer_status="answered",
        rounds=(
            Round(
                number=1, query=question, retrieved=6, new_chunk_ids=("refunds#1",), judgement=first
            ),
            Round(
                number=2,
                query="holiday purchase return window days",
                rewrite=RewrittenQuery(
                    rewritten_query="holiday purchase return window days",
                    strategy_tag="EXPAND_FIELDS",
                    expected_new_evidence="the number of days",
                    gap="D1",
                ),
                retrieved=8,
                new_chunk_ids=("returns#3", "faq#9"),
                judgement=judgement,
            ),
        ),
        stages=tuple(
            StageRecord(stage=name, ms=ms, decision=words)
            for name, ms, words in (
                ("normalise", 1.2, "English, no sign of injection"),
                ("plan", 0.8, "policy interpretation, 1 dimension"),
                ("retrieve", 61.0, "8 candidates"),
                ("gate", 190.4, "2 include, 1 conflict, 1 exclude"),
                ("judge", 2.2, "enough"),
                ("draft", 3.9, "2 sentences"),
                ("validate", 120.0, "2 supported"),
            )
        ),
        timings_ms={"total": 402.0},
        backend={"draft": "local", "gate": "local"},
    )
    return PipelineRun(
        request=UserRequest(
            request_id="req_1", tenant_id="athena", user_id="ana", raw_query=question
        ),
        context=a_context("ana"),
        normalized=NormalizedInput(
            raw_query=question,
            normalized_query=question,
            standalone_query=question,
            detected_language="en",
        ),
        plan=QueryPlan(
            normalized_query=question,
            query_type="policy_interpretation",
            retrieval_mode="hybrid",
            dimensions=(Dimension(id="D1", name="return window", query=question),),
            temporal=TemporalContext(asked_date=TODAY, effective_policy_date=TODAY),
        ),
        retrieval_plan=plan,
        gated=gated,
        package=EvidencePackage(
            request_id="req_1",
            query=question,
            selected_evidence=evidence[:2],
            conflicting_evidence=evidence[2:3],
            total_tokens=412,
            omitted_candidate_ids=("forum#2",),
            sufficiency="sufficient",
        ),
        judgement=judgement,
        resolutions=(
            Resolution(
                dimension="return window",
                contradiction=contradiction,
                winner="claim_a",
                decided_by="authority",
                reason=("An official policy outranks an unsigned FAQ.",),
            ),
        ),
        answer=GroundedAnswer(
            status="answered",
            answer_markdown=DRAFT.replace("purchase date.", "purchase date. [#EVID-0001]"),
            confidence="high",
            conflicts=(a_conflict(),),
            evidence_ids_used=("EVID-0001", "EVID-0002"),
        ),
        claims=claims_of(DRAFT),
        ledger=a_ledger(),
        compliance=a_compliance(DRAFT),
        trace=trace,
    )
