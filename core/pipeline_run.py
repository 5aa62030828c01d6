"""A run while it is being made: what each stage left, timings, and the safe end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, TypeVar

from core.errors import BadInput, Cancelled, StageFailed, Unavailable
from core.models.access import SecurityContext
from core.models.action import ActionProposal
from core.models.advice import HandlingAdvice
from core.models.compliance import ComplianceDecision, FreshnessWarning
from core.models.draft import GeneratedClaim, GroundedAnswer
from core.models.evidence import (
    Evidence,
    EvidenceCandidate,
    EvidencePackage,
    GatedPassage,
)
from core.models.judgement import Judgement, Resolution
from core.models.ledger import CitationLedger
from core.models.plan import QueryPlan, RetrievalPlan, RewrittenQuery
from core.models.request import NormalizedInput, UserRequest
from core.models.review import Case
from core.models.tool import ToolCall
from core.models.trace import LoopEnd, Round, StageRecord
from core.models.validity import successors
from core.pipeline_tools import MeteredGate, Options, Tools, never
from core.text.synonyms import WordBook

T = TypeVar("T")
Recipient = Literal["customer", "colleague", "public"]

HOLDING_REPLY = (
    "Thank you for your message. A colleague is looking into this and will get back to you."
)


@dataclass
class RunInProgress:
    """The one mutable thing of the pipeline; stages never see it."""

    request: UserRequest
    tools: Tools
    options: Options
    cancelled: Callable[[], bool] = never
    context: SecurityContext | None = None
    case: Case | None = None
    normalized: NormalizedInput | None = None
    plan: QueryPlan | None = None
    retrieval_plan: RetrievalPlan | None = None
    index_version: str = ""
    filter_sql: str = ""
    candidates: dict[str, EvidenceCandidate] = field(default_factory=dict)
    found: tuple[str, ...] = ()
    """What the last search found, best first, by chunk id."""
    violations: tuple[str, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    unread: dict[str, str] = field(default_factory=dict)
    gated: tuple[GatedPassage, ...] = ()
    looked_at: set[tuple[str, str]] = field(default_factory=set)
    evidence_ids: dict[str, str] = field(default_factory=dict)
    package: EvidencePackage | None = None
    judgement: Judgement | None = None
    rounds: list[Round] = field(default_factory=list)
    rewrites: list[RewrittenQuery] = field(default_factory=list)
    resolutions: tuple[Resolution, ...] = ()
    answer: GroundedAnswer | None = None
    claims: tuple[GeneratedClaim, ...] = ()
    ledger: CitationLedger | None = None
    compliance: ComplianceDecision | None = None
    freshness: tuple[FreshnessWarning, ...] = ()
    advice: HandlingAdvice | None = None
    proposals: tuple[ActionProposal, ...] = ()
    loop_end: LoopEnd | None = None
    stages: list[StageRecord] = field(default_factory=list)
    failure: str = ""
    unavailable: bool = False

    def __post_init__(self) -> None:
        self.started_at = self.tools.clock.now()
        self.today: date = self.request.asked_on or self.started_at.date()
        self.trace_id = self.tools.ids.new("trace")
        self._began = self.tools.stopwatch()
        self.thresholds = self.options.thresholds or self.tools.limits.thresholds
        self.gate_policy_id = ""
        self._words: WordBook | None = None
        self.gate = MeteredGate(self.tools.gate)

    def adopt_gate_policy(self) -> None:
        """Go by the policy in force as of now, unless this run tries other thresholds out."""
        policy = self.tools.gate_policy(self.request.tenant_id)
        if policy is not None and self.options.thresholds is None:
            self.thresholds, self.gate_policy_id = policy.thresholds, policy.policy_id

    @property
    def rounds_allowed(self) -> int:
        """One round when the passages were supplied: there is nowhere else to look."""
        return 1 if self.options.supplied is not None else self.tools.limits.max_rounds

    @contextmanager
    def stage(self, name: str, number: int = 0) -> Iterator[Callable[[str], None]]:
        """Time a stage, keep its decision in words, and name it when it breaks.

        Raises ``Cancelled`` instead of beginning it once somebody asked the run to stop. Stages
        hold no transaction, so nothing is cut off half-written.
        """
        if self.cancelled():
            where = f"the stage {name!r}" + (f" of round {number}" if number else "")
            raise Cancelled(f"stopped by request before {where}")
        began = self.tools.stopwatch()
        words: list[str] = []
        try:
            yield words.append
        except Exception as error:
            words.append(f"failed: {type(error).__name__}")
            if isinstance(error, StageFailed | Unavailable | BadInput):
                raise
            raise StageFailed(name, f"{type(error).__name__}: {error}") from error
        finally:
            spent = (self.tools.stopwatch() - began) * 1000
            self.stages.append(
                StageRecord(stage=name, round=number, ms=round(spent, 3), decision="; ".join(words))
            )

    def begin_search(self, plan: RetrievalPlan) -> None:
        """Remember the first search and the index it ran on; an ingest may move on meanwhile."""
        if self.retrieval_plan is None:
            self.index_version = self.tools.index.version()
            self.retrieval_plan = plan
            self.filter_sql = self.tools.index.explain(plan)

    def add_candidates(self, found: Iterable[EvidenceCandidate]) -> None:
        """Keep each passage once; a later round never replaces what was judged."""
        for candidate in found:
            self.candidates.setdefault(candidate.chunk_id, candidate)

    def add_records(
        self,
        rows: Iterable[EvidenceCandidate],
        calls: Iterable[ToolCall],
        unread: Mapping[str, str],
    ) -> None:
        """Keep what read tools brought, how they were called, and what they could not read."""
        self.add_candidates(rows)
        calls = tuple(calls)
        self.tool_calls += calls
        for call in calls:
            self.violations += (f"{call.tool}: beyond the reader's rights",) * call.dropped
        self.unread.update(unread)

    def ungated(self) -> Sequence[EvidenceCandidate]:
        """Candidates no round has gated yet, best first."""
        seen = {g.candidate.chunk_id for g in self.gated}
        return tuple(c for key, c in self.candidates.items() if key not in seen)

    def question(self) -> str:
        """What passages are held against."""
        return self.need_plan().asked(self.need_normalized().standalone_query)

    def part_queries(self, question: str) -> tuple[str, ...]:
        """What the parts of the question ask of passages, where that differs from the whole."""
        plan = self.need_plan()
        asked = [plan.situated(d.query) for d in plan.dimensions if d.kind == "passage"]
        if len(plan.dimensions) == 1 and not plan.situation:
            return ()
        return tuple(query for query in dict.fromkeys(asked) if query != question)

    def words(self) -> WordBook:
        """The other words this reader may learn of, opened on first use."""
        if self._words is None:
            plan = self.need_plan()
            asked = "\n".join((plan.normalized_query, *(d.query for d in plan.dimensions)))
            known = self.tools.company_words(self.need_context(), self.today, asked)
            self._words = WordBook(known)
        return self._words

    def remember_ids(self) -> None:
        """Evidence keeps its id over the rounds."""
        for item in self.need_package().all_evidence():
            self.evidence_ids[item.candidate.chunk_id] = item.evidence_id

    def replaced_by(self, used: Sequence[Evidence]) -> dict[str, tuple[str, date | None]]:
        """For each version of the used sources that another follows, which, and from when on."""
        chains = self.tools.registry.lifetimes({e.candidate.source_id for e in used})
        return {
            old: (new, chain[new].valid_from)
            for chain in chains.values()
            for old, new in successors(chain).items()
        }

    def keep_redactions(self, first: ComplianceDecision) -> None:
        """The draft no longer holds what had to go; the record still says what went and why."""
        if self.compliance is None or self.compliance.decision != "ALLOW":
            return
        final = self.compliance.final_answer_text_after_enforcement
        self.compliance = first.model_copy(update={"final_answer_text_after_enforcement": final})

    def enforce_denial(self) -> None:
        """DENY leaves nothing but the standard sentence."""
        decision, answer = self.compliance, self.need_answer()
        if decision is None or decision.decision != "DENY":
            return
        self.claims = ()
        self.answer = answer.model_copy(
            update={
                "status": "refused",
                "answer_markdown": decision.final_answer_text_after_enforcement,
                "citations": (),
                "evidence_ids_used": (),
                "confidence": "low",
                "follow_up_question": None,
            }
        )

    def fail(self, error: Exception) -> None:
        """End in the safe state: no draft, the reason visible."""
        self.failure = str(error) or type(error).__name__
        self.loop_end = "cancelled" if isinstance(error, Cancelled) else self.loop_end or "failed"
        self.unavailable = isinstance(error, Unavailable)
        self.claims, self.ledger, self.compliance, self.freshness = (), None, None, ()
        self.answer = GroundedAnswer(
            status="escalated",
            answer_markdown=HOLDING_REPLY,
            missing_information=(f"The co-pilot could not finish: {self.failure}",),
        )

    def elapsed_ms(self) -> float:
        """Wall time since the run began."""
        return (self.tools.stopwatch() - self._began) * 1000

    def need_context(self) -> SecurityContext:
        """The rights, once authorised."""
        return _present(self.context, "authorise")

    def need_normalized(self) -> NormalizedInput:
        """The normalised input, once there."""
        return _present(self.normalized, "normalise")

    def need_plan(self) -> QueryPlan:
        """The plan, once there."""
        return _present(self.plan, "plan")

    def need_package(self) -> EvidencePackage:
        """The evidence package, once selected."""
        return _present(self.package, "select")

    def need_answer(self) -> GroundedAnswer:
        """The draft, once written."""
        return _present(self.answer, "draft")


def recipient_of(request: UserRequest, case: Case | None) -> Recipient:
    """Who reads the final text.

    A public post is public, a case says itself who reads. Without a case an e-mail is for a
    customer; a chat answer or a PDF is read by the person who asked.
    """
    if request.output_form == "public_post":
        return "public"
    if case is not None:
        return case.reader()
    return "customer" if request.output_form == "email" else "colleague"


def _present(value: T | None, stage: str) -> T:
    if value is None:
        raise StageFailed(stage, "left no result")
    return value
