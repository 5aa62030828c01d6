"""The evaluation in memory: two stored runs, one proposal, and a job that tests move by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from core.errors import CountersignError, NotFound
from core.evaluation.golden import GoldenCase
from core.evaluation.golden_build import Proposal
from core.evaluation.golden_metrics import GoldenResult
from core.evaluation.golden_run import report
from core.evaluation.golden_views import Comparison, GoldenSet, Growth, ReportView, compared
from core.evaluation.golden_views import report_view as view_of
from core.evaluation.report_store import JobPhase, JobState, ReportHead, StoredReport
from tests.fakes.fake_gate import FakeGate
from tests.pages.builders import HOSTILE, NOW

COAT = "How long may a coat be returned?"
LOST = "What happens when a parcel gets lost?"


def a_result(query_id: str, **changes: Any) -> GoldenResult:
    """A row that passed."""
    fields: dict[str, Any] = {
        "query_id": query_id,
        "question": COAT,
        "kind": "answer",
        "difficulty_level": "EASY",
        "language": "en",
        "status": "answered",
        "status_ok": True,
        "recall_at_5": 1.0,
        "reciprocal_rank": 0.5,
        "facts_present": 1.0,
        "citation_coverage": 1.0,
        "citation_precision": 1.0,
        "leans_on": ("returns-4.2",),
        "ms": 120.0,
        "trace_id": f"trace-{query_id}",
    }
    return GoldenResult.model_validate({**fields, **changes})


def a_report(run_id: str, *results: GoldenResult, note: str = "") -> StoredReport:
    """A stored run an hour old."""
    return StoredReport(
        run_id=run_id,
        by="sam",
        started_at=NOW - timedelta(hours=1),
        seconds=41.0,
        note=note,
        report=report(results, backend={"gate": "local-gate/1"}),
    )


def a_job(phase: JobPhase = "running", **changes: Any) -> JobState:
    """Thirty of eighty questions in fifteen seconds."""
    fields: dict[str, Any] = {
        "run_id": "eval_3",
        "by": "sam",
        "phase": phase,
        "started_at": NOW,
        "seen_at": NOW,
        "elapsed": 15.0,
        "total": 80,
        "done": 30,
        "passed": 28,
        "last": "G-030 passed",
    }
    return JobState.model_validate({**fields, **changes})


def two_reports() -> dict[str, StoredReport]:
    """The newer one lost a row that passed before, and holds a hostile question."""
    lost = {"missing_facts": ("45 days",), "facts_present": 0.0}
    return {
        "eval_2": a_report(
            "eval_2",
            a_result("G-1", **lost),
            a_result("G-2", question=HOSTILE, language="zh", wrong_citations=1),
            a_result("G-3"),
            note="other thresholds",
        ),
        "eval_1": a_report(
            "eval_1",
            a_result("G-1"),
            a_result("G-2", question=HOSTILE, language="zh", wrong_citations=1),
            a_result("G-3"),
        ),
    }


def a_proposal() -> Proposal:
    """A question asked twice."""
    return Proposal(
        row=GoldenCase(
            query_id="N-1",
            question=LOST,
            difficulty_level="MEDIUM",
            kind="candidate",
            expected_status="answered",
            required_facts=("10 business days",),
            gold_sources=("delivery-1.3",),
        ),
        asked=2,
        disputed=1,
        reason="asked 2 times, disputed in 1 of them",
        trace_id="trace_1",
    )


@dataclass
class FakeEvaluation:
    """``hidden`` are query ids that the reader may not read."""

    stored: dict[str, StoredReport] = field(default_factory=two_reports)
    proposals: tuple[Proposal, ...] = field(default_factory=lambda: (a_proposal(),))
    accepted: list[GoldenCase] = field(default_factory=list)
    state: JobState | None = None
    hidden: tuple[str, ...] = ()
    calls: list[tuple[str, Any]] = field(default_factory=list)
    broken: CountersignError | None = None
    gate: FakeGate = field(default_factory=FakeGate)

    def golden(self) -> GoldenSet:
        if self.broken:
            raise self.broken
        return GoldenSet(
            rows=80,
            taken=len(self.accepted),
            kinds=("answer", "premise"),
            difficulties=("EASY", "HARD"),
            languages=("en", "zh"),
        )

    def start(
        self, only: Sequence[str] = (), *, note: str = "", with_taken: bool = False
    ) -> JobState:
        self.calls.append(("start", (tuple(only), note, with_taken)))
        self.state = a_job(done=0, passed=0, elapsed=0.0, last="")
        return self.state

    def stop(self) -> None:
        self.calls.append(("stop", None))

    def job(self) -> JobState | None:
        return self.state

    def reports(self) -> tuple[ReportHead, ...]:
        if self.broken:
            raise self.broken
        return tuple(
            ReportHead(
                run_id=s.run_id,
                by=s.by,
                started_at=s.started_at,
                seconds=s.seconds,
                note=s.note,
                asked_for=s.asked_for,
                thresholds=s.thresholds,
                trial=s.trial,
                overall=s.report.overall,
            )
            for s in self.stored.values()
        )

    def report(self, run_id: str) -> ReportView:
        if run_id not in self.stored:
            raise NotFound(f"There is no stored evaluation {run_id!r}.")
        return view_of(self.stored[run_id], lambda q: q not in self.hidden, lambda _: True)

    def compare(self, before_id: str, after_id: str) -> Comparison:
        return compared(self.report(before_id), self.report(after_id))

    def export(self, run_id: str, form: Any) -> bytes:
        self.calls.append(("export", (run_id, form)))
        return b"query_id\n"

    def growth(self) -> Growth:
        return Growth(proposals=self.proposals, taken=tuple(self.accepted), looked_at=7, days=30)

    def accept(self, query_id: str, **edited: Any) -> GoldenCase:
        self.calls.append(("accept", {"query_id": query_id, **edited}))
        row = next(p.row for p in self.proposals if p.row.query_id == query_id)
        self.proposals = tuple(p for p in self.proposals if p.row.query_id != query_id)
        self.accepted.append(row)
        return row

    def dismiss(self, query_id: str) -> None:
        self.calls.append(("dismiss", query_id))
        self.proposals = tuple(p for p in self.proposals if p.row.query_id != query_id)

    def taken_jsonl(self) -> bytes:
        self.calls.append(("taken_jsonl", None))
        return b"{}\n"
