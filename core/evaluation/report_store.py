"""Finished runs of the golden set, and the rows a person took into it, as files in one folder.

A file is written beside its place and moved there, so a reader never meets half of one.
"""

from __future__ import annotations

import os
import re
import threading
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from core.errors import NotFound, Unavailable
from core.evaluation.golden import GoldenCase
from core.evaluation.golden_metrics import GoldenSummary
from core.evaluation.golden_run import GoldenReport
from core.models.access import Classification
from core.models.base import Model
from core.models.evidence import GateThresholds

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CHOICES = "choices.jsonl"
_JOB = "job.json"


class AskedAs(Model):
    """With whose rights a row was asked: they decide who may read its result."""

    user_id: str
    allowed_acl_policy_ids: tuple[str, ...]
    allowed_classifications: tuple[Classification, ...] = ()


class StoredReport(Model):
    """A finished run with what it ran on. ``asked_as`` is by query id."""

    run_id: str
    by: str
    started_at: datetime
    seconds: float
    note: str = ""
    asked_for: tuple[str, ...] = ()
    index_versions: dict[str, str] = Field(default_factory=dict)
    policy_version: str = ""
    thresholds: GateThresholds = GateThresholds()
    gate_policy_id: str = ""
    trial: bool = False
    """Run under thresholds that were not in force."""
    asked_as: dict[str, AskedAs] = Field(default_factory=dict)
    report: GoldenReport


class ReportHead(Model):
    """One line of the list of stored runs."""

    run_id: str
    by: str
    started_at: datetime
    seconds: float
    note: str
    asked_for: tuple[str, ...]
    thresholds: GateThresholds = GateThresholds()
    trial: bool = False
    overall: GoldenSummary


class Choice(Model):
    """What a person decided on a proposed row."""

    row: GoldenCase
    taken: bool
    by: str
    at: datetime
    allowed_acl_policy_ids: tuple[str, ...]
    """Rights of the run the row was made from."""
    allowed_classifications: tuple[Classification, ...] = ()


JobPhase = Literal["running", "done", "stopped", "failed", "cut_off"]


class JobState(Model):
    """How far a run of the set is. ``elapsed`` is in seconds, ``words`` say why it ended early."""

    run_id: str
    by: str
    phase: JobPhase
    started_at: datetime
    seen_at: datetime
    elapsed: float
    total: int
    done: int = 0
    passed: int = 0
    last: str = ""
    words: str = ""
    trial: bool = False
    """Under thresholds that are not in force."""
    process: str = ""
    """Host and number of the process that runs it."""
    elsewhere: bool = False
    """Known from its file only: another process runs it, or did until a moment ago."""

    @property
    def rate(self) -> float:
        """Questions a second so far; 0 before the first."""
        return self.done / self.elapsed if self.elapsed > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """At the rate so far; ``None`` before the first."""
        return (self.total - self.done) / self.rate if self.rate else None


class ReportStore:
    """Reports, choices and the state of the last job in ``folder``. Safe to share by threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._heads: dict[Path, tuple[tuple[int, int], ReportHead]] = {}

    def save(self, report: StoredReport) -> None:
        """Keep a finished run."""
        self._write(f"{report.run_id}.json", report.model_dump_json(indent=1))

    def heads(self, limit: int = 50) -> tuple[ReportHead, ...]:
        """Stored runs, newest first. A file that cannot be read is left out."""
        names = sorted((p.stem for p in self._folder.glob("eval_*.json")), reverse=True)[:limit]
        found = []
        for name in names:
            try:
                found.append(self._head_of(name))
            except (NotFound, Unavailable):
                continue
        return tuple(found)

    def _head_of(self, run_id: str) -> ReportHead:
        """As read before while the file is the same: a list must not read every run anew."""
        place = self._folder / f"{run_id}.json"
        try:
            stat = place.stat()
        except OSError as error:
            raise NotFound(f"There is no stored evaluation {run_id!r}.") from error
        stamp = (stat.st_mtime_ns, stat.st_size)
        known = self._heads.get(place)
        if known is None or known[0] != stamp:
            known = self._heads[place] = (stamp, _head(self.get(run_id)))
        return known[1]

    def get(self, run_id: str) -> StoredReport:
        """One run. Raises ``NotFound``, and ``Unavailable`` for a file that is no report."""
        text = self._read(f"{run_id}.json") if _ID.fullmatch(run_id) else None
        if text is None:
            raise NotFound(f"There is no stored evaluation {run_id!r}.")
        try:
            return StoredReport.model_validate_json(text)
        except ValidationError as error:
            raise Unavailable(
                f"The stored evaluation {run_id} cannot be read any more. Run the set again."
            ) from error

    def choose(self, choice: Choice) -> None:
        """Remember a decision on a proposal; a later one on the same row replaces it."""
        with self._lock:
            kept = [c for c in self.choices() if c.row.query_id != choice.row.query_id]
            lines = (c.model_dump_json() + "\n" for c in [*kept, choice])
            self._write(_CHOICES, "".join(lines))

    def choices(self) -> tuple[Choice, ...]:
        """Every decision, oldest first. Raises ``Unavailable`` for a broken file."""
        text = self._read(_CHOICES) or ""
        try:
            return tuple(Choice.model_validate_json(line) for line in text.splitlines() if line)
        except ValidationError as error:
            raise Unavailable(
                f"{self._folder / _CHOICES} cannot be read. Move it away to start anew."
            ) from error

    def save_job(self, state: JobState) -> None:
        """Keep how far the job is, so that a restart can tell what became of it."""
        self._write(_JOB, state.model_dump_json())

    def job(self) -> JobState | None:
        """The job as last kept; ``None`` when there never was one (or its file is broken)."""
        text = self._read(_JOB)
        try:
            return None if text is None else JobState.model_validate_json(text)
        except ValidationError:
            return None

    def _read(self, name: str) -> str | None:
        try:
            return (self._folder / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise Unavailable(f"{self._folder / name} cannot be read ({error}).") from error

    def _write(self, name: str, text: str) -> None:
        place = self._folder / name
        beside = place.with_name(f".{name}.{os.getpid()}.{threading.get_ident()}")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            beside.write_text(text, encoding="utf-8")
            beside.replace(place)
        except OSError as error:
            raise Unavailable(f"{place} cannot be written ({error.strerror}).") from error


def _head(stored: StoredReport) -> ReportHead:
    shared = ReportHead.model_fields.keys() & StoredReport.model_fields.keys()
    return ReportHead(
        **{name: getattr(stored, name) for name in shared}, overall=stored.report.overall
    )
