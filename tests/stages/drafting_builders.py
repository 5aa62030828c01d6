"""Builders for the stages behind the evidence: candidates, packages, plans, contexts."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from core.models.access import SecurityContext
from core.models.evidence import (
    Evidence,
    EvidenceCandidate,
    EvidencePackage,
    GatedPassage,
    GateNote,
    GateScores,
)
from core.models.judgement import (
    ClaimSide,
    Contradiction,
    Coverage,
    Judgement,
    Resolution,
)
from core.models.plan import Dimension, QueryPlan, TemporalContext
from core.models.request import NormalizedInput, UserRequest

TODAY = date(2026, 11, 30)
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


def a_candidate(text: str, **more: Any) -> EvidenceCandidate:
    fields: dict[str, Any] = {
        "chunk_id": "returns#1",
        "source_id": "returns",
        "document_id": "returns-4.2",
        "tenant_id": "athena",
        "text": text,
        "source_title": "Returns policy",
        "authority": "official_policy",
        "version": "4.2",
        "owner": "kim",
        "last_reviewed": date(2026, 11, 18),
        "source_type": "CONFLUENCE_PAGE",
        "source_uri": "https://kb.athena.example/returns/4.2",
    }
    return EvidenceCandidate(**(fields | more))


def an_evidence(text: str, number: int = 1, **more: Any) -> Evidence:
    """Accepted evidence; ``scores`` and ``note`` may be given besides fields of the candidate."""
    scores = more.pop(
        "scores", GateScores(relevant=0.9, evidence=0.9, contradicts=0.02, injection=0.02)
    )
    note = more.pop("note", GateNote())
    route, rule = ("conflict", "contradicts") if note.premise else ("include", "evidence")
    more.setdefault("chunk_id", f"chunk#{number}")
    more.setdefault("document_id", f"doc-{number}")
    gated = GatedPassage(
        candidate=a_candidate(text, **more),
        scores=scores,
        note=note,
        route=route,
        rule=rule,
        reason="holds the answer",
    )
    return Evidence(evidence_id=f"EVID-{number:04d}", gated=gated)


def a_denier(text: str, premise: str, quote: str, number: int = 1, **more: Any) -> Evidence:
    scores = GateScores(relevant=0.9, evidence=0.6, contradicts=0.9, injection=0.02)
    note = GateNote(premise=premise, counter_quote=quote)
    return an_evidence(text, number, scores=scores, note=note, **more)


def a_package(
    *selected: Evidence, conflicting: tuple[Evidence, ...] = (), query: str = "question"
) -> EvidencePackage:
    return EvidencePackage(
        request_id="req_1",
        query=query,
        selected_evidence=selected,
        conflicting_evidence=conflicting,
        sufficiency="sufficient" if selected else "insufficient",
    )


def a_request(question: str, **more: Any) -> UserRequest:
    fields: dict[str, Any] = {
        "request_id": "req_1",
        "tenant_id": "athena",
        "user_id": "ana",
        "raw_query": question,
        "output_form": "email",
    }
    return UserRequest(**(fields | more))


def a_normalized(question: str, language: str = "en") -> NormalizedInput:
    return NormalizedInput(
        raw_query=question,
        normalized_query=question,
        standalone_query=question,
        detected_language=language,
    )


def a_plan(question: str, *dimensions: Dimension, **more: Any) -> QueryPlan:
    fields: dict[str, Any] = {
        "normalized_query": question,
        "query_type": "policy_interpretation",
        "retrieval_mode": "hybrid",
        "dimensions": dimensions or (Dimension(id="D1", name=question, query=question),),
        "temporal": TemporalContext(asked_date=TODAY, effective_policy_date=TODAY),
    }
    return QueryPlan(**(fields | more))


def in_the_past(day: date) -> TemporalContext:
    return TemporalContext(
        asked_date=TODAY, event_date=day, effective_policy_date=day, prefer_current=False
    )


def a_judgement(**covered: tuple[str, ...]) -> Judgement:
    """``D1=("EVID-0001",)`` covers D1 by that evidence; ``D2=()`` leaves D2 open."""
    matrix = {
        name: Coverage(covered=bool(ids), evidence_ids=ids, confidence="high" if ids else "low")
        for name, ids in covered.items()
    }
    enough = all(c.covered for c in matrix.values())
    return Judgement(decision="ENOUGH" if enough else "NEED_MORE", dimension_coverage_matrix=matrix)


def a_resolution(
    a: tuple[str, str, str], b: tuple[str, str, str], winner: str = "claim_a", by: str = "authority"
) -> Resolution:
    """``a`` and ``b`` are (evidence id, value, quote)."""
    sides = [ClaimSide(evidence_id=i, value=v, quote=q) for i, v, q in (a, b)]
    return Resolution(
        dimension="D1",
        contradiction=Contradiction(dimension="D1", claim_a=sides[0], claim_b=sides[1]),
        winner=winner,
        decided_by=by,
        reason=("authority: official policy over unsigned FAQ",),
        questions=("Which window holds for holiday purchases?",) if by == "nobody" else (),
    )


def a_context(**more: Any) -> SecurityContext:
    fields: dict[str, Any] = {
        "tenant_id": "athena",
        "user_id": "ana",
        "roles": ("agent",),
        "department": "Customer service",
        "permission_level": "L2",
        "allowed_acl_policy_ids": ("public", "support-internal"),
        "allowed_classifications": ("public", "internal"),
    }
    return SecurityContext(**(fields | more))
