"""Small stored things with sensible fields; a test names only what it is about."""

from __future__ import annotations

import hashlib
from datetime import date, timedelta
from typing import Any

from core.models.access import AclPolicy, SecurityContext, User
from core.models.action import ActionProposal, ActionRecord
from core.models.draft import EvidenceSpan, GeneratedClaim, GroundedAnswer
from core.models.evidence import (
    Evidence,
    EvidenceCandidate,
    EvidencePackage,
    GatedPassage,
    GateScores,
)
from core.models.ledger import (
    AnswerQualityMetrics,
    CitationLedger,
    LedgerCitation,
    LedgerContext,
)
from core.models.request import UserRequest
from core.models.review import (
    Case,
    Disposition,
    DraftVersion,
    Escalation,
    Lease,
    Message,
    OutboxItem,
    SourceFlag,
    WorkingEdit,
)
from core.models.source import DocumentVersion, Governance
from core.models.trace import PipelineRun, RagTrace
from tests.fakes.fixed_clock import DEMO_DAY

TENANT = "athena"


def a_case(case_id: str = "1042", **fields: Any) -> Case:
    message = Message(
        message_id=f"{case_id}-m1", author="customer", at=DEMO_DAY, body="May I return it? 可以退吗"
    )
    return Case(
        **{
            "case_id": case_id,
            "tenant_id": TENANT,
            "subject": "Coat from the sale",
            "opened_at": DEMO_DAY,
            "updated_at": DEMO_DAY,
            "messages": (message,),
            **fields,
        }
    )


def a_lease(case_id: str = "1042", user_id: str = "ana", **fields: Any) -> Lease:
    return Lease(
        **{
            "case_id": case_id,
            "user_id": user_id,
            "user_name": user_id.title(),
            "acquired_at": DEMO_DAY,
            "expires_at": DEMO_DAY + timedelta(minutes=15),
            **fields,
        }
    )


def a_draft(draft_id: str = "draft_1", **fields: Any) -> DraftVersion:
    text = fields.get("text", "You can return it within 30 days.")
    return DraftVersion(
        **{
            "draft_id": draft_id,
            "case_id": "1042",
            "number": 1,
            "kind": "copilot",
            "text": text,
            "markdown": f"{text}[#EVID-0001]",
            "text_hash": hashlib.sha256(text.encode()).hexdigest(),
            "trace_id": "trace_1",
            "created_by": "copilot",
            "created_at": DEMO_DAY,
            **fields,
        }
    )


def a_claim(evidence_id: str) -> GeneratedClaim:
    span = EvidenceSpan(evidence_id=evidence_id, start=0, end=7, quote="30 days")
    return GeneratedClaim(
        claim_id="c1",
        text="You can return it within 30 days.",
        support_status="supported",
        score=0.9,
        evidence_ids=(evidence_id,),
        spans=(span,),
    )


def a_ledger(*evidence_ids: str) -> CitationLedger:
    citations = tuple(
        LedgerCitation(
            id=name,
            source_type="FILE",
            source_location=f"file://{name}",
            document_permission_tag="PUBLIC",
            snippet="30 days",
            used_in_answer_sentences=("You can return it within 30 days.",),
        )
        for name in evidence_ids
    )
    return CitationLedger(
        query_id="request_1",
        user_and_permission_context=LedgerContext(
            user_role="agent", user_dept="Customer service", permission_level="L2"
        ),
        citations=citations,
        answer_quality_metrics=AnswerQualityMetrics(
            total_factual_sentences=1, sentences_without_citation=0, citation_coverage_rate_pct=100
        ),
    )


def a_disposition(disposition_id: str = "disp_1", **fields: Any) -> Disposition:
    return Disposition(
        **{
            "disposition_id": disposition_id,
            "case_id": "1042",
            "kind": "approve",
            "draft_id": "draft_1",
            "by": "ana",
            "at": DEMO_DAY,
            **fields,
        }
    )


def an_escalation(escalation_id: str = "esc_1", **fields: Any) -> Escalation:
    return Escalation(
        **{
            "escalation_id": escalation_id,
            "case_id": "1042",
            "reason": "policy_exception",
            "raised_by": "ana",
            "raised_at": DEMO_DAY,
            "due_at": DEMO_DAY + timedelta(hours=8),
            **fields,
        }
    )


def an_outbox_item(item_id: str = "out_1", **fields: Any) -> OutboxItem:
    body = "You can return it within 30 days."
    return OutboxItem(
        **{
            "item_id": item_id,
            "case_id": "1042",
            "draft_id": "draft_1",
            "disposition_id": "disp_1",
            "channel": "email",
            "recipient": "customer@example.org",
            "subject": "Re: Coat",
            "body": body,
            "body_hash": hashlib.sha256(body.encode()).hexdigest(),
            "idempotency_key": f"key-{item_id}",
            "not_before": DEMO_DAY,
            "created_at": DEMO_DAY,
            **fields,
        }
    )


def a_flag(flag_id: str = "flag_1", **fields: Any) -> SourceFlag:
    return SourceFlag(
        **{
            "flag_id": flag_id,
            "tenant_id": TENANT,
            "source_id": "returns",
            "document_id": "returns-1",
            "chunk_id": "returns-1#0",
            "reason": "out of date",
            "raised_by": "ana",
            "raised_at": DEMO_DAY,
            **fields,
        }
    )


def a_working_edit(user_id: str = "ana", **fields: Any) -> WorkingEdit:
    return WorkingEdit(
        **{
            "case_id": "1042",
            "user_id": user_id,
            "base_draft_id": "draft_1",
            "text": "half a sen",
            "saved_at": DEMO_DAY,
            **fields,
        }
    )


def a_document(document_id: str = "returns-1", **fields: Any) -> DocumentVersion:
    """A version; keyword arguments that governance knows go there. The hash covers both."""
    known = {name: fields.pop(name) for name in list(fields) if name in Governance.model_fields}
    governance = Governance(**{"owner": "kim", "last_reviewed": date(2026, 11, 1), **known})
    text = fields.get("text", "Returns within 30 days.\n\n退货期为三十天。")
    digest = hashlib.sha256((text + governance.model_dump_json()).encode()).hexdigest()
    return DocumentVersion(
        **{
            "document_id": document_id,
            "source_id": document_id.rsplit("-", 1)[0],
            "tenant_id": TENANT,
            "title": "Return policy",
            "text": text,
            "original_text": text,
            "governance": governance,
            "content_hash": digest,
            "ingested_at": DEMO_DAY,
            **fields,
        }
    )


def a_candidate(document_id: str = "returns-1", chunk_id: str = "") -> EvidenceCandidate:
    return EvidenceCandidate(
        chunk_id=chunk_id or f"{document_id}#0",
        source_id=document_id.rsplit("-", 1)[0],
        document_id=document_id,
        tenant_id=TENANT,
        text="30 days",
        source_title="Return policy",
        authority="official_policy",
    )


def a_run(trace_id: str = "trace_1", *document_ids: str, **fields: Any) -> PipelineRun:
    """A run whose evidence EVID-0001, EVID-0002 … comes from the given documents in order."""
    evidence = tuple(
        Evidence(
            evidence_id=f"EVID-{number:04d}",
            gated=GatedPassage(
                candidate=a_candidate(document_id),
                scores=GateScores(relevant=1, evidence=1, contradicts=0, injection=0),
                route="include",
                rule="evidence",
                reason="states the period",
            ),
        )
        for number, document_id in enumerate(document_ids, start=1)
    )
    question = fields.get("question", "May I return it?")
    tenant_id = fields.get("tenant_id", TENANT)
    return PipelineRun(
        request=UserRequest(
            request_id="request_1", tenant_id=tenant_id, user_id="ana", raw_query=question
        ),
        context=SecurityContext(
            tenant_id=tenant_id,
            user_id="ana",
            roles=("agent",),
            department="Customer service",
            permission_level="L2",
            allowed_acl_policy_ids=("public",),
            allowed_classifications=("public",),
        ),
        package=EvidencePackage(request_id="request_1", query=question, selected_evidence=evidence),
        answer=GroundedAnswer(status="answered", answer_markdown="30 days.[#EVID-0001]"),
        trace=RagTrace(
            trace_id=trace_id,
            request_id="request_1",
            started_at=fields.get("started_at", DEMO_DAY),
            raw_query=question,
        ),
    )


def a_user(user_id: str = "ana", **fields: Any) -> User:
    return User(
        **{
            "user_id": user_id,
            "tenant_id": TENANT,
            "name": user_id.title(),
            "email": f"{user_id}@example.org",
            "roles": ("agent",),
            "department": "Customer service",
            "permission_level": "L2",
            **fields,
        }
    )


def a_policy(policy_id: str = "public", **fields: Any) -> AclPolicy:
    return AclPolicy(
        **{
            "policy_id": policy_id,
            "tenant_id": TENANT,
            "description": "Anybody",
            "everyone": True,
            **fields,
        }
    )


def an_action(proposal_id: str = "act_1", **fields: Any) -> ActionRecord:
    """A confirmed refund."""
    proposal = ActionProposal(
        proposal_id=proposal_id,
        tool="start_refund",
        title="Refund of order A-1",
        arguments={"order_id": "A-1", "amount": "12.50"},
        preview="12.50 USD is paid back.",
        reason="It came back.",
        moves_money=True,
    )
    return ActionRecord(
        **{
            "proposal": proposal,
            "tenant_id": TENANT,
            "case_id": "1042",
            "draft_id": "draft_1",
            "trace_id": "trace_1",
            "arguments": proposal.arguments,
            "state": "confirmed",
            "by": "ana",
            "by_name": "Ana Ruiz",
            "at": DEMO_DAY,
            "not_before": DEMO_DAY,
            "idempotency_key": f"key-{proposal_id}",
            **fields,
        }
    )
