"""Finished runs as a reader of the golden set meets them."""

from __future__ import annotations

from datetime import UTC, date, datetime

from core.evaluation.golden import GoldenCase
from core.models.access import SecurityContext
from core.models.draft import (
    AnswerStatus,
    Citation,
    EvidenceSpan,
    GeneratedClaim,
    GroundedAnswer,
    SupportStatus,
)
from core.models.evidence import (
    Evidence,
    EvidenceCandidate,
    EvidencePackage,
    GatedPassage,
    GateScores,
)
from core.models.ledger import AnswerQualityMetrics, CitationLedger, LedgerContext
from core.models.plan import QueryPlan, TemporalContext
from core.models.request import UserRequest
from core.models.trace import PipelineRun, RagTrace

DAY = date(2026, 11, 30)
SENTENCE = "Items can be returned within 30 days of the purchase date."


def a_row(**changes: object) -> GoldenCase:
    """A golden row about the return window."""
    fields: dict[str, object] = {
        "query_id": "G-1",
        "question": "How long do I have to return an item?",
        "difficulty_level": "EASY",
        "expected_status": "answered",
        "required_facts": ("30 days",),
        "forbidden_facts": ("60 days",),
        "gold_sources": ("returns-4.2",),
    }
    return GoldenCase.model_validate({**fields, **changes})


def a_candidate(document_id: str = "returns-4.2", **changes: object) -> EvidenceCandidate:
    """A passage of a policy in force."""
    fields: dict[str, object] = {
        "chunk_id": f"{document_id}#0",
        "source_id": document_id.split("-")[0],
        "document_id": document_id,
        "tenant_id": "athena",
        "text": SENTENCE,
        "source_title": "Returns policy",
        "authority": "official_policy",
        "valid_from": date(2026, 9, 1),
        "last_reviewed": date(2026, 11, 18),
    }
    return EvidenceCandidate.model_validate({**fields, **changes})


def a_run(
    *candidates: EvidenceCandidate,
    question: str = "How long do I have to return an item?",
    text: str = f"{SENTENCE} [#EVID-0001]",
    status: AnswerStatus = "answered",
    cite: tuple[str, ...] = ("EVID-0001",),
    quote: str = SENTENCE,
    support: SupportStatus = "supported",
    uncited: int = 0,
    trace_id: str = "trace-1",
    failure: str = "",
) -> PipelineRun:
    """A run that retrieved ``candidates`` in order and cites those named ``EVID-0001`` …"""
    gated = tuple(
        GatedPassage(
            candidate=c,
            scores=GateScores(relevant=0.9, evidence=0.9, contradicts=0.0, injection=0.0),
            route="include",
            rule="evidence",
            reason="answers the question",
        )
        for c in candidates or (a_candidate(),)
    )
    evidence = tuple(
        Evidence(evidence_id=f"EVID-{n:04d}", gated=g) for n, g in enumerate(gated, start=1)
    )
    request = UserRequest(request_id="r1", tenant_id="athena", user_id="ana", raw_query=question)
    return PipelineRun(
        request=request,
        context=_context(),
        plan=_plan(question),
        gated=gated,
        package=EvidencePackage(request_id="r1", query=question, selected_evidence=evidence),
        answer=GroundedAnswer(
            status=status,
            answer_markdown=text,
            citations=tuple(
                Citation(claim=SENTENCE, evidence_id=i, source_id="s", chunk_id="c", quote=quote)
                for i in cite
            ),
        ),
        claims=(_claim(support),) if cite else (),
        ledger=_ledger(sentences=1 if cite else 0, uncited=uncited),
        trace=RagTrace(
            trace_id=trace_id,
            request_id="r1",
            started_at=datetime(2026, 11, 30, 9, tzinfo=UTC),
            raw_query=question,
            failure=failure,
        ),
    )


def _claim(support: SupportStatus) -> GeneratedClaim:
    span = EvidenceSpan(evidence_id="EVID-0001", start=0, end=len(SENTENCE), quote=SENTENCE)
    return GeneratedClaim(
        claim_id="c1",
        text=SENTENCE,
        support_status=support,
        score=0.9,
        evidence_ids=("EVID-0001",),
        spans=(span,),
    )


def _ledger(*, sentences: int, uncited: int) -> CitationLedger:
    total = sentences + uncited
    return CitationLedger(
        query_id="r1",
        user_and_permission_context=LedgerContext(
            user_role="agent", user_dept="Customer service", permission_level="L2"
        ),
        answer_quality_metrics=AnswerQualityMetrics(
            total_factual_sentences=total,
            sentences_without_citation=uncited,
            citation_coverage_rate_pct=100 * sentences / total if total else 100,
        ),
    )


def _plan(question: str) -> QueryPlan:
    return QueryPlan(
        normalized_query=question,
        query_type="policy_interpretation",
        retrieval_mode="hybrid",
        temporal=TemporalContext(asked_date=DAY, effective_policy_date=DAY),
    )


def _context() -> SecurityContext:
    return SecurityContext(
        tenant_id="athena",
        user_id="ana",
        roles=("agent",),
        department="Customer service",
        permission_level="L2",
        allowed_acl_policy_ids=("public",),
        allowed_classifications=("public",),
    )
