"""What the evaluation screen shows of a stored run, within the rights of who looks.

A row was asked with somebody's rights. Who does not hold those learns how it went, not what it
asked, what it found, or which words its answer lacked.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import datetime

from pydantic import Field

from core.evaluation.golden import Difficulty, GoldenCase, GoldenKind
from core.evaluation.golden_build import Proposal
from core.evaluation.golden_metrics import GoldenResult, GoldenSummary
from core.evaluation.golden_run import verdict
from core.evaluation.report_store import StoredReport
from core.models.base import Model
from core.models.draft import AnswerStatus
from core.models.evidence import GateThresholds
from core.models.request import Language

MayRead = Callable[[str], bool]
"""Whether the reader's rights cover those that the row with this query id was asked with."""
HIDDEN = "asked with rights you do not hold"


class RowView(Model):
    """One row of a run. ``trace_id`` is set where the reader may open the run in the inspector."""

    query_id: str
    question: str
    kind: GoldenKind
    difficulty_level: Difficulty
    language: Language
    status: AnswerStatus
    passed: bool
    verdict: str
    recall_at_5: float | None = None
    reciprocal_rank: float | None = None
    ms: float
    trace_id: str = ""
    hidden: bool = False


class ReportView(Model):
    """A stored run as one person may read it."""

    run_id: str
    by: str
    started_at: datetime
    seconds: float
    note: str
    asked_for: tuple[str, ...]
    backend: dict[str, str]
    index_versions: dict[str, str] = Field(default_factory=dict)
    policy_version: str
    thresholds: GateThresholds
    gate_policy_id: str = ""
    trial: bool = False
    overall: GoldenSummary
    by_kind: tuple[GoldenSummary, ...]
    by_difficulty: tuple[GoldenSummary, ...]
    by_language: tuple[GoldenSummary, ...]
    rows: tuple[RowView, ...]

    def failed(self) -> tuple[RowView, ...]:
        """Rows that did not pass, in order."""
        return tuple(row for row in self.rows if not row.passed)


class Change(Model):
    """A row whose verdict differs between two runs. ``better`` when it passes only now."""

    query_id: str
    question: str
    before: str
    after: str
    better: bool = False
    worse: bool = False
    trace_before: str = ""
    trace_after: str = ""


class Comparison(Model):
    """Two runs side by side: the rows of both whose verdict changed, and how many are in both."""

    before: ReportView
    after: ReportView
    shared: int
    changes: tuple[Change, ...]


class GoldenSet(Model):
    """What can be asked: the rows of the file and those taken in on the screen."""

    rows: int
    taken: int
    kinds: tuple[str, ...]
    difficulties: tuple[str, ...]
    languages: tuple[str, ...]


class Growth(Model):
    """Rows proposed from recent questions, and those taken so far."""

    proposals: tuple[Proposal, ...]
    taken: tuple[GoldenCase, ...]
    looked_at: int
    days: int


def report_view(stored: StoredReport, may_read: MayRead, may_open: MayRead) -> ReportView:
    """A stored run with the rows the reader may not read made unreadable."""
    found = stored.report
    return ReportView(
        run_id=stored.run_id,
        by=stored.by,
        started_at=stored.started_at,
        seconds=stored.seconds,
        note=stored.note,
        asked_for=stored.asked_for,
        backend=found.backend,
        index_versions=stored.index_versions,
        policy_version=stored.policy_version,
        thresholds=stored.thresholds,
        gate_policy_id=stored.gate_policy_id,
        trial=stored.trial,
        overall=found.overall,
        by_kind=found.by_kind,
        by_difficulty=found.by_difficulty,
        by_language=found.by_language,
        rows=tuple(
            _row(r, hidden=not may_read(r.query_id), opens=may_open(r.query_id))
            for r in found.results
        ),
    )


def compared(before: ReportView, after: ReportView) -> Comparison:
    """Rows of both whose verdict changed: worse ones first, then better, then otherwise."""
    then = {row.query_id: row for row in before.rows}
    shared = [(then[row.query_id], row) for row in after.rows if row.query_id in then]
    changes = [_change(old, new) for old, new in shared if old.verdict != new.verdict]
    return Comparison(
        before=before,
        after=after,
        shared=len(shared),
        changes=tuple(sorted(changes, key=lambda c: (not c.worse, not c.better))),
    )


def to_csv(view: ReportView) -> str:
    """One line a row, spreadsheet-safe: a cell that a spreadsheet would run gets a quote before."""
    out = io.StringIO()
    writer = csv.writer(out)
    names = [name for name in RowView.model_fields if name != "hidden"]
    writer.writerow(names)
    for row in view.rows:
        writer.writerow([_cell(getattr(row, name)) for name in names])
    return out.getvalue()


def _row(result: GoldenResult, *, hidden: bool, opens: bool) -> RowView:
    words = verdict(result)
    if hidden:
        words = "passed" if result.passed else "did not pass"
    return RowView(
        query_id=result.query_id,
        question=HIDDEN if hidden else result.question,
        kind=result.kind,
        difficulty_level=result.difficulty_level,
        language=result.language,
        status=result.status,
        passed=result.passed,
        verdict=words,
        recall_at_5=result.recall_at_5,
        reciprocal_rank=result.reciprocal_rank,
        ms=result.ms,
        trace_id="" if hidden or not opens else result.trace_id,
        hidden=hidden,
    )


def _change(old: RowView, new: RowView) -> Change:
    return Change(
        query_id=new.query_id,
        question=HIDDEN if old.hidden or new.hidden else new.question,
        before=old.verdict,
        after=new.verdict,
        better=new.passed and not old.passed,
        worse=old.passed and not new.passed,
        trace_before=old.trace_id,
        trace_after=new.trace_id,
    )


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
