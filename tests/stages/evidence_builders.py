"""Builders for gate, select, judge and adjudicate: scripted scores, passages, plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from core.models.evidence import (
    Evidence,
    EvidenceCandidate,
    EvidencePackage,
    GateAnswer,
    GatedPassage,
    GateNote,
    GateScores,
)
from core.models.plan import Dimension, QueryPlan, TemporalContext

TODAY = date(2026, 11, 30)


def a_passage(
    chunk_id: str, text: str = "Most items may be returned within 30 days.", **more: Any
) -> EvidenceCandidate:
    fields: dict[str, Any] = {
        "chunk_id": chunk_id,
        "source_id": f"source-{chunk_id}",
        "document_id": f"document-{chunk_id}",
        "tenant_id": "athena",
        "text": text,
        "source_title": "Returns policy",
        "authority": "official_policy",
    }
    return EvidenceCandidate(**(fields | more))


def scores(
    *,
    relevant: float = 0.9,
    evidence: float = 0.9,
    contradicts: float = 0.02,
    injection: float = 0.02,
) -> GateScores:
    return GateScores(
        relevant=relevant, evidence=evidence, contradicts=contradicts, injection=injection
    )


class ScriptedGate:
    """A ``Gate`` that answers from a table and refuses chunks it was not told about."""

    name = "scripted"

    def __init__(self, table: Mapping[str, GateScores], premise: str = "") -> None:
        self._table, self._premise = table, premise
        self.asked = 0

    def score(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[GateAnswer, ...]:
        self.asked += 1
        note = GateNote(premise=self._premise)
        return tuple(GateAnswer(scores=self._table[c.chunk_id], note=note) for c in candidates)


class WordCounter:
    """A ``TokenCounter``: one token a word."""

    def count(self, text: str) -> int:
        return len(text.split())


def gated(
    candidate: EvidenceCandidate,
    route: str = "include",
    *,
    evidence: float = 0.9,
    contradicts: float = 0.02,
    note: GateNote | None = None,
) -> GatedPassage:
    rule = {"include": "evidence", "conflict": "contradicts", "exclude": "no_evidence"}[route]
    return GatedPassage.model_validate(
        {
            "candidate": candidate,
            "scores": scores(evidence=evidence, contradicts=contradicts),
            "note": note or GateNote(),
            "route": route,
            "rule": rule,
            "reason": "as the test says",
        }
    )


def a_dimension(query: str, number: int = 1, kind: str = "passage") -> Dimension:
    return Dimension.model_validate(
        {"id": f"D{number}", "name": query, "query": query, "kind": kind}
    )


def a_plan(*dimensions: Dimension, **more: Any) -> QueryPlan:
    query = " ".join(d.query for d in dimensions)
    fields: dict[str, Any] = {
        "normalized_query": query,
        "query_type": "policy_interpretation",
        "retrieval_mode": "hybrid",
        "dimensions": dimensions,
        "temporal": TemporalContext(asked_date=TODAY, effective_policy_date=TODAY),
    }
    return QueryPlan(**(fields | more))


def a_package(
    *accepted: EvidenceCandidate, denying: Sequence[GatedPassage] = (), evidence: float = 0.9
) -> EvidencePackage:
    selected = tuple(
        Evidence(evidence_id=f"EVID-{at:04d}", gated=gated(c, evidence=evidence))
        for at, c in enumerate(accepted, start=1)
    )
    conflicting = tuple(
        Evidence(evidence_id=f"EVID-{at:04d}", gated=g)
        for at, g in enumerate(denying, start=len(accepted) + 1)
    )
    return EvidencePackage(
        request_id="req_1",
        query="question",
        selected_evidence=selected,
        conflicting_evidence=conflicting,
    )
