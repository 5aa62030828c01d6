"""What a run reaches the world through, its budgets, and what a caller may fix for one run."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from core.models.access import SecurityContext
from core.models.advice import AdviceLimits
from core.models.base import Model
from core.models.evidence import EvidenceCandidate, GateAnswer, GateThresholds, TokenUsage
from core.models.gate_policy import GatePolicy
from core.models.plan import Fusion
from core.models.words import OtherWords
from core.pipeline_lookups import standard_toolbox
from core.ports import (
    CaseFiles,
    ClaimChecker,
    Clock,
    DocumentRegistry,
    Encoder,
    Gate,
    Ids,
    PassageIndex,
    PolicyStore,
    RecordStore,
    Reranker,
    RunStore,
    TokenCounter,
)
from core.stages.gate import HoldsBack
from core.tools.ports import CaseHistory, ReadTool, ViolationLog
from core.tools.toolbox import Toolbox


class Limits(Model):
    """Budgets and thresholds of every run, recorded in its trace.

    ``thresholds`` hold while no gate policy was saved. No round begins after ``round_time_ms``
    (wall time since the run began) or once remote models cost more than ``round_cost`` (USD).
    """

    thresholds: GateThresholds = GateThresholds()
    max_rounds: int = 4
    round_time_ms: float = 8_000.0
    round_cost: float = 0.25
    top_k: int = 16
    candidate_k: int = 60
    token_budget: int = 2400
    fusion: Fusion = "scores"
    advice: AdviceLimits = AdviceLimits()


class Options(Model):
    """What a caller may fix for one run.

    ``include``/``exclude`` are chunk ids a person forced in or out. With ``supplied`` passages
    retrieval is skipped and exactly those are used. ``thresholds`` are on trial: for this run
    alone, whatever policy is in force.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    supplied: tuple[EvidenceCandidate, ...] | None = None
    thresholds: GateThresholds | None = None


def never() -> bool:
    """Nobody asked to stop."""
    return False


CompanyWords = Callable[[SecurityContext, date, str], Sequence[OtherWords]]
"""The company's own ways to say what a text says, those a reader may learn of, as of a day."""


def no_company_words(_context: SecurityContext, _on: date, _text: str) -> Sequence[OtherWords]:
    """None are known: the general ones hold."""
    return ()


def no_gate_policy(_tenant_id: str) -> GatePolicy | None:
    """None was saved: the thresholds of the limits hold."""
    return None


class MeteredGate:
    """The gate of one run, with what it cost the run so far. For one thread."""

    def __init__(self, gate: Gate) -> None:
        self._gate, self.usage = gate, TokenUsage()

    @property
    def name(self) -> str:
        """That of the gate behind it."""
        return self._gate.name

    def holding_back(self, injection_max: float) -> MeteredGate:
        """As the gate behind it, if it shows passages to anybody."""
        if isinstance(self._gate, HoldsBack):
            self._gate = self._gate.holding_back(injection_max)
        return self

    def score(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[GateAnswer, ...]:
        """The answers of the gate behind it."""
        answers = self._gate.score(query, candidates)
        self.usage = sum((answer.usage for answer in answers), self.usage)
        return answers

    def tokens(self) -> dict[str, int]:
        """Requests and tokens for the trace; empty where nothing was asked of a remote model."""
        counts = self.usage.model_dump(exclude={"cost"})
        return {f"gate_{name}": number for name, number in counts.items() if number}


@dataclass(frozen=True)
class Tools:
    """Everything a run reaches the world through."""

    clock: Clock
    ids: Ids
    index: PassageIndex
    registry: DocumentRegistry
    policies: PolicyStore
    records: RecordStore
    cases: CaseFiles
    gate: Gate
    checker: ClaimChecker
    encoder: Encoder
    tokens: TokenCounter
    runs: RunStore
    limits: Limits
    stopwatch: Callable[[], float] = time.perf_counter
    reranker: Reranker | None = None
    gate_policy: Callable[[str], GatePolicy | None] = no_gate_policy
    """The policy in force for a tenant, read anew at the start of each run."""
    company_words: CompanyWords = no_company_words
    """Asked once in a run, when it first rewrites."""
    connectors: tuple[ReadTool, ...] = ()
    """Read tools beside the standard ones, from the administrator's connectors."""
    tool_log: ViolationLog | None = None

    @cached_property
    def toolbox(self) -> Toolbox:
        """The read tools of a run, over the same records and passages as the run itself."""
        return standard_toolbox(
            records=self.records,
            index=self.index,
            registry=self.registry,
            today=lambda: self.clock.now().date(),
            cases=self.cases if isinstance(self.cases, CaseHistory) else None,
            connectors=self.connectors,
            log=self.tool_log,
        )
