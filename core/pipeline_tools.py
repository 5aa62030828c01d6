"""What a run reaches the world through, its budgets, and what a caller may fix for one run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from core.models.base import Model
from core.models.evidence import EvidenceCandidate, GateThresholds
from core.models.gate_policy import GatePolicy
from core.models.plan import Fusion
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


class Limits(Model):
    """Budgets and thresholds of every run, recorded in its trace.

    ``thresholds`` hold while no gate policy was saved.
    """

    thresholds: GateThresholds = GateThresholds()
    max_rounds: int = 3
    top_k: int = 16
    candidate_k: int = 60
    token_budget: int = 2400
    fusion: Fusion = "scores"


class Options(Model):
    """What a caller may fix for one run.

    ``include``/``exclude`` are chunk ids a person forced in or out. With ``supplied`` passages
    retrieval is skipped and exactly those are used. ``thresholds`` are on trial: for this run alone,
    whatever policy is in force.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    supplied: tuple[EvidenceCandidate, ...] | None = None
    thresholds: GateThresholds | None = None


def no_gate_policy(_tenant_id: str) -> GatePolicy | None:
    """None was saved: the thresholds of the limits hold."""
    return None


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
