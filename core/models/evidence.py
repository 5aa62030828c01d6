"""Candidates from retrieval, the gate's verdict on each, and the package for the drafter."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.models.access import Classification
from core.models.base import Model
from core.models.calculation import Calculation
from core.models.request import Language
from core.models.source import Authority, VersionStatus

Route = Literal["include", "conflict", "exclude"]
Sufficiency = Literal["sufficient", "insufficient", "conflicting", "ambiguous"]
RetrievalSource = Literal["lexical", "vector", "hybrid", "record", "case_file", "supplied"]


class SamePassage(Model):
    """Another source the reader may see that holds the same passage."""

    chunk_id: str
    document_id: str
    source_id: str
    source_title: str
    authority: Authority
    status: VersionStatus = "active"


class WhyFound(Model):
    """What put a result where it stands, for a person to check.

    ``word_share`` is the part of the fused score that words gave, 0..1; ``matched`` and
    ``missing`` are words of the query; ``boosts`` the rules that applied; ``reranked_from`` its
    place before a reranker moved it; ``query`` the wording that found it best.
    """

    query: str = ""
    word_share: float = Field(default=0.0, ge=0, le=1)
    matched: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    boosts: tuple[str, ...] = ()
    reranked_from: int | None = None


class EvidenceCandidate(Model):
    """A retrieved passage or record, with everything later stages judge it by.

    ``score`` is the fused score; ``lexical_rank`` and ``vector_rank`` count from 1, ``None`` where
    that side did not return it. ``text`` is an exact span of the stored version, untrusted.
    """

    chunk_id: str
    source_id: str
    document_id: str
    tenant_id: str
    text: str
    source_title: str
    source_uri: str = ""
    page_start: int | None = None
    page_end: int | None = None
    heading_path: tuple[str, ...] = ()
    char_start: int = 0
    char_end: int = 0
    score: float = 0.0
    rank: int = 0
    lexical_rank: int | None = None
    vector_rank: int | None = None
    similarity: float | None = None
    """Cosine between query and passage, -1..1, when the vector side ran."""
    retrieval_source: RetrievalSource = "hybrid"
    authority: Authority
    signed: bool = True
    status: VersionStatus = "active"
    version: str = "1"
    valid_from: date | None = None
    valid_to: date | None = None
    last_reviewed: date | None = None
    review_sla_days: int = 90
    owner: str = ""
    permission_tag: str = "PUBLIC"
    acl_policy_id: str = "public"
    classification: Classification = "public"
    source_type: str = "FILE"
    department: str = ""
    region: str = ""
    product: str = ""
    language: Language = "en"
    scope_note: str = ""
    text_key: str = ""
    also_in: tuple[SamePassage, ...] = ()
    """Where else the same text stands, most authoritative first, without this passage itself."""
    why: WhyFound | None = None
    calculation: Calculation | None = None
    """Set where this is a calculation: ``text`` states its inputs, steps and result."""
    metadata: dict[str, str] = Field(default_factory=dict)

    @property
    def looked_up(self) -> bool:
        """Fetched by its key (a record, the case's own file), not found by a search."""
        return self.retrieval_source in ("record", "case_file")


FORCED_MARK = "a reviewer asked to use it"
"""Kept among a note's reasons, so that a later re-route remembers it."""

GateQuestion = Literal["relevant", "evidence", "contradicts", "injection"]
_Probability = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class GateScores(Model):
    """Four calibrated probabilities for one (query, passage) pair, each in 0..1.

    A missing one, one that is not a number or one out of range is refused.
    """

    relevant: _Probability
    evidence: _Probability
    contradicts: _Probability
    injection: _Probability


class GateNote(Model):
    """What a gate found, in words and spans, beside its numbers.

    ``premise`` is the presupposition of the question that the passage denies and
    ``counter_quote`` the exact span of the passage that denies it; ``injection_quote`` the exact
    span that addresses the reader's model.
    """

    premise: str = ""
    counter_quote: str = ""
    injection_quote: str = ""
    reasons: tuple[str, ...] = ()


class TokenUsage(Model):
    """What was asked of a remote model. ``cost`` is in the currency its prices are set in."""

    requests: int = Field(default=0, ge=0)
    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cost: float = Field(default=0.0, ge=0, allow_inf_nan=False)

    def __add__(self, other: TokenUsage) -> TokenUsage:
        """Both together."""
        return TokenUsage(
            requests=self.requests + other.requests,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost=self.cost + other.cost,
        )


class GateAnswer(Model):
    """What a gate says of one pair: scores, or why there are none. Never both, never neither.

    ``backend`` names who answered; ``failure`` is for a person to read and names the remedy.
    ``usage`` is what the answer cost; where one request judged several pairs, it stands whole on
    the first of them. A failure may have cost something too.
    """

    scores: GateScores | None = None
    note: GateNote = GateNote()
    backend: str = ""
    failure: str = ""
    usage: TokenUsage = TokenUsage()

    @model_validator(mode="after")
    def _scores_or_failure(self) -> GateAnswer:
        if (self.scores is None) != bool(self.failure):
            raise ValueError("a gate's answer holds scores or says why there are none")
        return self


class GateThresholds(Model):
    """All thresholds of the gate, in one place. Tested in this order.

    The defaults are fitted on held-back rows by ``scripts/fit_thresholds.py``; what each costs
    there stands in ``data/models/gate/thresholds.json``.
    """

    injection_max: float = Field(default=0.70, ge=0, le=1)
    contradicts_min: float = Field(default=0.60, ge=0, le=1)
    relevant_min: float = Field(default=0.45, ge=0, le=1)
    evidence_min: float = Field(default=0.55, ge=0, le=1)


class GatedPassage(Model):
    """A candidate with its scores, its route, the rule that fired and the reason in words.

    ``scores`` is ``None`` where the gate could not judge it (rule ``unjudged``): such a passage is
    left out unless a reviewer asked for it. ``backend`` names who judged.
    """

    candidate: EvidenceCandidate
    scores: GateScores | None
    note: GateNote = GateNote()
    backend: str = ""
    route: Route
    rule: Literal[
        "injection",
        "contradicts",
        "not_relevant",
        "no_evidence",
        "evidence",
        "situation",
        "forced",
        "unjudged",
    ]
    """``situation``: included because it holds the rule for the customer's own case."""
    reason: str

    def probability(self, question: GateQuestion) -> float:
        """The probability of one question, 0 where the passage was not judged."""
        return 0.0 if self.scores is None else float(getattr(self.scores, question))

    @property
    def forced(self) -> bool | None:
        """What a reviewer decided: to use it, to leave it out, or nothing (``None``)."""
        if self.rule == "forced":
            return self.route == "include"
        return True if FORCED_MARK in self.note.reasons else None


class Evidence(Model):
    """A gated passage that reaches the drafter, under its opaque id ``EVID-0001``."""

    evidence_id: str
    gated: GatedPassage

    @property
    def candidate(self) -> EvidenceCandidate:
        """The passage or record behind this evidence."""
        return self.gated.candidate


class EvidencePackage(Model):
    """What the drafter sees: accepted and conflicting evidence in separate blocks."""

    request_id: str
    query: str
    selected_evidence: tuple[Evidence, ...] = ()
    conflicting_evidence: tuple[Evidence, ...] = ()
    total_tokens: int = 0
    omitted_candidate_ids: tuple[str, ...] = ()
    context_policy_id: str = "budget-v1"
    sufficiency: Sufficiency = "insufficient"
    notes: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    """What the gate could not judge and why, in words; among the notes too."""
    nearby: tuple[str, ...] = ()
    """Title and heading of passages on the subject that do not state the answer, nearest first."""
    unread: dict[str, str] = Field(default_factory=dict)
    """What was looked up (an order's number) and how it failed, as the rest of a sentence."""

    not_yet: dict[str, date] | None = None
    """Set where no version valid on the past day asked about is on file: titles that would answer
    today, with the first day of each; empty where there is none either."""

    def not_read(self) -> tuple[str, ...]:
        """What could not be read or worked out; never to be taken for what is not there."""
        return tuple(f"{name} {why}" for name, why in self.unread.items())

    def all_evidence(self) -> tuple[Evidence, ...]:
        """Accepted first, then conflicting."""
        return self.selected_evidence + self.conflicting_evidence

    def by_id(self) -> dict[str, Evidence]:
        """Evidence by its opaque id."""
        return {item.evidence_id: item for item in self.all_evidence()}
