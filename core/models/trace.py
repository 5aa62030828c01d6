"""Everything needed to replay a run, and the run itself."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from core.models.access import SecurityContext
from core.models.action import ActionProposal
from core.models.advice import HandlingAdvice
from core.models.base import Model
from core.models.compliance import ComplianceDecision, FreshnessWarning
from core.models.draft import AnswerStatus, GeneratedClaim, GroundedAnswer
from core.models.evidence import EvidencePackage, GatedPassage, GateThresholds, Sufficiency
from core.models.judgement import Judgement, Resolution
from core.models.ledger import CitationLedger
from core.models.plan import QueryPlan, QueryType, RetrievalPlan, RewrittenQuery
from core.models.request import NormalizedInput, UserRequest
from core.models.tool import ToolCall


class StageRecord(Model):
    """One stage of one run: what it decided in words, how long it took (ms)."""

    stage: str
    round: int = 0
    ms: float
    decision: str = ""
    backend: str = "local"


LoopEnd = Literal[
    "enough",
    "contradiction",
    "rounds_spent",
    "time_spent",
    "cost_spent",
    "nothing_new",
    "nothing_left_to_try",
    "nothing_to_search",
    "cancelled",
    "failed",
]
"""Why the rounds of a run ended."""


class Round(Model):
    """One retrieve–gate–select–judge round and the rewrite that led to it (none for the first).

    ``new_chunk_ids`` came back for the first time; ``new_evidence_ids`` entered the package for the
    first time (a passage of an earlier round may, when it is read again in other words).
    ``covered`` are the dimensions settled after the round. ``gap_filled`` says whether the gap that
    the rewrite named is settled now (``None`` for the first round). ``ms`` is the whole round's
    wall time.
    """

    number: int
    query: str
    rewrite: RewrittenQuery | None = None
    retrieved: int = 0
    new_chunk_ids: tuple[str, ...] = ()
    new_evidence_ids: tuple[str, ...] = ()
    covered: tuple[str, ...] = ()
    gap_filled: bool | None = None
    ms: float = 0.0
    judgement: Judgement | None = None


class RagTrace(Model):
    """The record of a run. No customer text beyond the query; passages by id."""

    trace_id: str
    request_id: str
    started_at: datetime
    raw_query: str
    normalized_query: str = ""
    query_type: QueryType | None = None
    retrieval_plan: RetrievalPlan | None = None
    filter_sql: str = ""
    index_versions: dict[str, str] = Field(default_factory=dict)
    embedding_models: tuple[str, ...] = ()
    policy_version: str = ""
    thresholds: GateThresholds = GateThresholds()
    gate_policy_id: str = ""
    """The saved policy the thresholds are of; empty for those of the settings or of a trial."""
    candidate_chunk_ids: tuple[str, ...] = ()
    selected_chunk_ids: tuple[str, ...] = ()
    cited_chunk_ids: tuple[str, ...] = ()
    access_violations_dropped: int = 0
    tool_calls: tuple[ToolCall, ...] = ()
    evidence_sufficiency: Sufficiency = "insufficient"
    answer_status: AnswerStatus = "escalated"
    unsupported_claims: tuple[str, ...] = ()
    rounds: tuple[Round, ...] = ()
    loop_end: LoopEnd | None = None
    stages: tuple[StageRecord, ...] = ()
    timings_ms: dict[str, float] = Field(default_factory=dict)
    token_usage: dict[str, int] = Field(default_factory=dict)
    cost_estimate: float = 0.0
    backend: dict[str, str] = Field(default_factory=dict)
    failure: str = ""
    extra: dict[str, Any] = Field(default_factory=dict)


class PipelineRun(Model):
    """One finished run with every stage's output. Stored whole, replayable, shown in the inspector.

    Fields after the stage that failed are ``None``; ``answer`` is always there and always safe.
    """

    request: UserRequest
    context: SecurityContext
    normalized: NormalizedInput | None = None
    plan: QueryPlan | None = None
    retrieval_plan: RetrievalPlan | None = None
    gated: tuple[GatedPassage, ...] = ()
    package: EvidencePackage | None = None
    judgement: Judgement | None = None
    resolutions: tuple[Resolution, ...] = ()
    answer: GroundedAnswer
    claims: tuple[GeneratedClaim, ...] = ()
    ledger: CitationLedger | None = None
    compliance: ComplianceDecision | None = None
    freshness: tuple[FreshnessWarning, ...] = ()
    advice: HandlingAdvice | None = None
    proposals: tuple[ActionProposal, ...] = ()
    trace: RagTrace
