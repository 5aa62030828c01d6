"""The draft: cited sentences, their claims, and what the draft could not say."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from core.models.base import Model
from core.models.judgement import Confidence, ConflictKind

AnswerStatus = Literal[
    "answered",
    "insufficient_evidence",
    "needs_clarification",
    "conflicting_evidence",
    "refused",
    "escalated",
]
SupportStatus = Literal["supported", "unsupported", "contradicted", "unclear"]


class Citation(Model):
    """One claim leaning on one passage. ``quote`` is an exact span of the passage; verified."""

    claim: str
    evidence_id: str
    source_id: str
    chunk_id: str
    page_start: int | None = None
    page_end: int | None = None
    quote: str


class EvidenceSpan(Model):
    """A span inside one piece of evidence: ``evidence.text[start:end] == quote``."""

    evidence_id: str
    start: int
    end: int
    quote: str


class ReportedConflict(Model):
    """A conflict as people read it: both sides, the rule that decided, in words.

    ``kind`` is ``sources`` (two passages disagree) or ``premise`` (the question assumes what a
    passage denies; ``side_a`` is then the premise in the asker's words, a question where it was
    asked to be confirmed). ``source_b`` says where the denying passage stands and of when it is.
    ``value_kind`` says what kind of value two sources disagree on.
    """

    kind: Literal["sources", "premise"]
    value_kind: ConflictKind | None = None
    dimension: str = ""
    side_a: str
    side_b: str
    source_b: str = ""
    evidence_ids: tuple[str, ...]
    resolution: str
    decided: bool
    winner_evidence_id: str | None = None


class GroundedAnswer(Model):
    """What the drafter wrote. ``answer_markdown`` carries ``[#EVID-0001]`` markers."""

    status: AnswerStatus
    answer_markdown: str
    citations: tuple[Citation, ...] = ()
    confidence: Confidence = "low"
    missing_information: tuple[str, ...] = ()
    conflicts: tuple[ReportedConflict, ...] = ()
    assumptions: tuple[str, ...] = ()
    unsupported_claims: tuple[str, ...] = ()
    follow_up_question: str | None = None
    evidence_ids_used: tuple[str, ...] = ()


class GeneratedClaim(Model):
    """One factual sentence of a draft and what the evidence says of it.

    ``start``/``end`` locate the sentence in the text *without* markers. ``score`` in 0..1 is how
    strongly the evidence bears the claim. ``reasons`` are words a reviewer can act on;
    ``suggestion`` is wording the evidence supports, where there is one.
    """

    claim_id: str
    text: str
    start: int = 0
    end: int = 0
    support_status: SupportStatus
    score: float = Field(ge=0, le=1)
    evidence_ids: tuple[str, ...] = ()
    spans: tuple[EvidenceSpan, ...] = ()
    reasons: tuple[str, ...] = ()
    suggestion: str | None = None
    is_inference: bool = False

    @model_validator(mode="after")
    def _supported_means_spans(self) -> GeneratedClaim:
        if self.support_status == "supported" and not self.spans:
            raise ValueError("a supported claim needs the span that supports it")
        return self
