"""Gate policies and stored answers in memory, with the same promises as the SQL ones."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import StaleVersion
from core.models.evidence import GateThresholds
from core.models.gate_policy import AnsweredRun, GatePolicy, StoredAnswer
from core.models.trace import PipelineRun
from core.text.gate_answers import answered_run, answers_of


class MemoryGatePolicies:
    """``befores`` keeps what each save said was in force until then."""

    def __init__(self) -> None:
        self.saved: list[GatePolicy] = []
        self.befores: list[GateThresholds] = []

    def active(self, tenant_id: str) -> GatePolicy | None:
        return next(iter(self.history(tenant_id)), None)

    def history(self, tenant_id: str, limit: int = 50) -> tuple[GatePolicy, ...]:
        return tuple(p for p in reversed(self.saved) if p.tenant_id == tenant_id)[:limit]

    def save(self, policy: GatePolicy, *, before: GateThresholds) -> None:
        current = self.active(policy.tenant_id)
        if (current.policy_id if current else "") != policy.replaces:
            raise StaleVersion("Other gate thresholds were saved meanwhile.")
        self.saved.append(policy)
        self.befores.append(current.thresholds if current else before)


class MemoryGateAnswers:
    """Answers of the runs it was given, newest last."""

    def __init__(self, *runs: PipelineRun) -> None:
        self.runs = {run.trace.trace_id: run for run in runs}
        self.filled: list[int] = []

    def recent(self, tenant_id: str, limit: int = 200) -> tuple[AnsweredRun, ...]:
        mine = [r for r in self.runs.values() if r.request.tenant_id == tenant_id]
        mine.sort(key=lambda r: (r.trace.started_at, r.trace.trace_id), reverse=True)
        return tuple(answered_run(r) for r in mine[:limit])

    def heads(self, tenant_id: str, trace_ids: Sequence[str]) -> tuple[AnsweredRun, ...]:
        found = (self.runs[t] for t in trace_ids if t in self.runs)
        return tuple(answered_run(r) for r in found if r.request.tenant_id == tenant_id)

    def answers(self, trace_ids: Sequence[str]) -> dict[str, tuple[StoredAnswer, ...]]:
        found = {t: answers_of(self.runs[t]) for t in trace_ids if t in self.runs}
        return {trace_id: answers for trace_id, answers in found.items() if answers}

    def fill(self, tenant_id: str, limit: int = 200) -> int:
        self.filled.append(limit)
        return 0
