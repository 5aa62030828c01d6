"""Runs the golden set beside the screens: one run at a time, on a thread of its own.

The state belongs to the process, not to a browser tab, and is kept on disk after every row, so a
restart can say what became of a run that it cut off.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable, Sequence
from datetime import timedelta

from core.errors import BadInput, Conflicted, CountersignError
from core.evaluation.golden import GoldenCase
from core.evaluation.golden_metrics import GoldenResult, measure
from core.evaluation.golden_run import Ask, report
from core.evaluation.report_store import AskedAs, JobPhase, JobState, ReportStore, StoredReport
from core.models.trace import PipelineRun
from core.ports import Clock

log = logging.getLogger("countersign.evaluation")
SILENT_FOR = timedelta(minutes=3)
"""A run of another process that said nothing for so long has ended without saying so."""


class GoldenJobs:
    """The process's one place for runs of the set. Thread-safe."""

    def __init__(self, store: ReportStore, clock: Clock, *, stopwatch: Callable[[], float]) -> None:
        self._store, self._clock, self._stopwatch = store, clock, stopwatch
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._state: JobState | None = None

    def start(
        self,
        rows: Sequence[GoldenCase],
        ask: Ask,
        *,
        run_id: str,
        by: str,
        note: str = "",
        asked_for: Sequence[str] = (),
        trial: bool = False,
    ) -> JobState:
        """Begin asking ``rows``; on ``trial``, under thresholds that are not in force.

        Raises ``BadInput`` for none, ``Conflicted`` while one runs.
        """
        if not rows:
            raise BadInput("No golden question matches. Choose fewer filters.")
        with self._lock:
            if self._state is not None and self._state.phase == "running":
                raise Conflicted("A run of the golden set is under way already.")
            self._stop.clear()
            now = self._clock.now()
            self._state = JobState(
                run_id=run_id,
                by=by,
                phase="running",
                started_at=now,
                seen_at=now,
                elapsed=0.0,
                total=len(rows),
                process=_this_process(),
                trial=trial,
            )
            self._store.save_job(self._state)
            work = _Work(tuple(rows), ask, note, tuple(asked_for))
            self._thread = threading.Thread(
                target=self._run, args=(work, self._state), name="golden-run", daemon=True
            )
            self._thread.start()
            return self._state

    def stop(self) -> None:
        """Ask the run in hand to end within its present row; nothing of it is kept."""
        self._stop.set()

    def is_stopping(self) -> bool:
        """Whether the run in hand was asked to end; the row in hand need not be finished."""
        return self._stop.is_set()

    def wait(self, timeout: float) -> bool:
        """Until the run in hand has ended; ``False`` when it has not within ``timeout`` seconds."""
        thread = self._thread
        if thread is not None:
            thread.join(timeout)
        return thread is None or not thread.is_alive()

    def state(self) -> JobState | None:
        """The run in hand or the last one; after a restart, what became of it."""
        with self._lock:
            if self._state is not None:
                return self._state
        kept = self._store.job()
        if kept is None or kept.phase != "running":
            return kept
        if self._clock.now() - kept.seen_at > SILENT_FOR or _is_gone(kept.process):
            words = "The console stopped while it ran. Nothing of it was kept."
            return kept.model_copy(update={"phase": "cut_off", "words": words})
        return kept.model_copy(update={"elsewhere": True})

    def _run(self, work: _Work, state: JobState) -> None:
        begun = self._stopwatch()
        try:
            for row in work.rows:
                if self._stop.is_set():
                    self._end("stopped", "Stopped on request. Nothing of it was kept.")
                    return
                work.take(row, self._stopwatch)
                self._tell(work, self._stopwatch() - begun)
            if self._stop.is_set():  # the last row was cut short
                self._end("stopped", "Stopped on request. Nothing of it was kept.")
                return
            self._store.save(work.stored(state, self._stopwatch() - begun))
            self._end("done", "")
        except CountersignError as error:
            self._end("failed", str(error))
        except Exception as error:
            log.exception("the run of the golden set broke")
            self._end("failed", f"It broke: {type(error).__name__}. The server log says where.")

    def _tell(self, work: _Work, elapsed: float) -> None:
        last = work.results[-1]
        self._change(
            elapsed=elapsed,
            done=len(work.results),
            passed=sum(r.passed for r in work.results),
            last=f"{last.query_id} {'passed' if last.passed else 'did not pass'}",
        )

    def _end(self, phase: JobPhase, words: str) -> None:
        try:
            self._change(phase=phase, words=words)
        except CountersignError as error:
            log.warning("the end of the run could not be kept: %s", error)

    def _change(self, **changes: object) -> None:
        with self._lock:
            if self._state is None:
                return
            self._state = self._state.model_copy(update={**changes, "seen_at": self._clock.now()})
            state = self._state
        self._store.save_job(state)


def _this_process() -> str:
    return f"{socket.gethostname()}/{os.getpid()}"


def _is_gone(process: str) -> bool:
    """Whether a process of this host surely ended. One with our own number was before us."""
    host, _, number = process.rpartition("/")
    if host != socket.gethostname() or not number.isdigit():
        return False
    if int(number) == os.getpid():
        return True
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        return False
    return False


class _Work:
    """One run's rows, and what came of them so far."""

    def __init__(
        self, rows: tuple[GoldenCase, ...], ask: Ask, note: str, asked_for: tuple[str, ...]
    ) -> None:
        self.rows, self.ask, self.note, self.asked_for = rows, ask, note, asked_for
        self.results: list[GoldenResult] = []
        self.asked_as: dict[str, AskedAs] = {}
        self.first: PipelineRun | None = None

    def take(self, row: GoldenCase, stopwatch: Callable[[], float]) -> None:
        """Ask one row and measure it."""
        begun = stopwatch()
        run = self.ask(row)
        self.results.append(measure(row, run, (stopwatch() - begun) * 1000))
        self.asked_as[row.query_id] = AskedAs(
            user_id=run.context.user_id,
            allowed_acl_policy_ids=run.context.allowed_acl_policy_ids,
            allowed_classifications=run.context.allowed_classifications,
        )
        self.first = self.first or run

    def stored(self, state: JobState, seconds: float) -> StoredReport:
        """The finished run, with what it ran on (as the first row's trace has it)."""
        trace = self.first.trace if self.first else None
        fields = (
            {
                "index_versions": trace.index_versions,
                "policy_version": trace.policy_version,
                "thresholds": trace.thresholds,
                "gate_policy_id": trace.gate_policy_id,
            }
            if trace
            else {}
        )
        return StoredReport(
            run_id=state.run_id,
            by=state.by,
            started_at=state.started_at,
            seconds=round(seconds, 1),
            note=self.note,
            asked_for=self.asked_for,
            trial=state.trial,
            asked_as=self.asked_as,
            report=report(self.results, backend=trace.backend if trace else {}),
            **fields,
        )
