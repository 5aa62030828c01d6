"""What the evaluation stands on: stored runs of the golden set, and the lab for thresholds."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from core.adapters.sql_gate_answers import SqlGateAnswers
from core.errors import NotFound
from core.evaluation.desk import EvaluationDesk
from core.evaluation.gate_desk import GateDesk
from core.evaluation.golden import GoldenCase
from core.evaluation.golden_job import GoldenJobs
from core.evaluation.inspector import Inspector
from core.evaluation.report_reading import ReportReader
from core.evaluation.report_store import ReportStore
from core.models.evidence import GateThresholds
from core.models.trace import PipelineRun
from core.pipeline_tools import never
from core.stoppable import Works
from core.wiring_uploads import UploadParts

_ROOT = Path(__file__).resolve().parent.parent
_GOLDEN = _ROOT / "data" / "golden.jsonl"
_CALIBRATION = {
    "the model as shipped": _ROOT / "data" / "models" / "gate" / "calibration.json",
    "the last bench": _ROOT / "bench-results" / "bench.json",
}


class EvaluationParts(UploadParts):
    """The parts of the evaluation, each opened on first use."""

    @abstractmethod
    def ask_golden(
        self,
        row: GoldenCase,
        thresholds: GateThresholds | None = None,
        cancelled: Callable[[], bool] = never,
    ) -> PipelineRun:
        """Answer a golden question with the rights of its role; ``thresholds`` are on trial."""

    def _ask_in_job(self, row: GoldenCase, thresholds: GateThresholds | None = None) -> PipelineRun:
        """``ask_golden`` that a stopped job cuts short."""
        return self.ask_golden(row, thresholds, self.golden_jobs.is_stopping)

    @cached_property
    def _asked(self) -> Works[PipelineRun]:
        return Works()

    def inspector(self, user_id: str) -> Inspector:
        """One question through every stage."""
        return Inspector(**self._person(user_id), tools=self.tools, works=self._asked)

    @cached_property
    def gate_answers(self) -> SqlGateAnswers:
        """What the gate answered in past runs."""
        return SqlGateAnswers(self.engine)

    @cached_property
    def reports(self) -> ReportStore:
        """Finished runs of the golden set, in the home."""
        return ReportStore(self.settings.home / "evaluations")

    @cached_property
    def golden_jobs(self) -> GoldenJobs:
        """The one run of the golden set that may be under way in this process."""
        return GoldenJobs(self.reports, self.clock, stopwatch=time.perf_counter)

    def evaluation_desk(self, user_id: str) -> EvaluationDesk:
        """The golden set and its runs."""
        return EvaluationDesk(
            **self._person(user_id),
            golden=_GOLDEN,
            store=self.reports,
            jobs=self.golden_jobs,
            ask=self._ask_in_job,
            runs=self.runs,
            disputed=self.disputed_traces,
            clock=self.clock,
            ids=self.ids,
            gate=self.gate_desk,
        )

    def gate_desk(self, reader: ReportReader) -> GateDesk:
        """The gate's thresholds, within the rights of ``reader``."""
        return GateDesk(
            reader,
            policies=self.gate_policies,
            answers=self.gate_answers,
            live=self.registry.live,
            default=self.settings.thresholds,
            golden=_GOLDEN,
            jobs=self.golden_jobs,
            try_out=self._ask_in_job,
            calibration=_CALIBRATION,
            clock=self.clock,
            ids=self.ids,
        )

    def disputed_traces(self) -> frozenset[str]:
        """Trace ids behind drafts that a person edited, escalated or rejected."""
        with self.store.read() as transaction:
            decisions = transaction.dispositions(tenant_id=self.settings.tenant)
            drafts = [
                transaction.draft(d.draft_id)
                for d in decisions
                if d.draft_id and d.kind in ("edit", "escalate", "reject")
            ]
        return frozenset(d.trace_id for d in drafts if d)

    def _person(self, user_id: str) -> dict[str, Any]:
        user = self.policies.user(user_id)
        if user is None or not user.active:
            raise NotFound(f"no active user {user_id!r}. Name one with --as.")
        return {"user": user, "context": self.identity.context_of(user_id)}
