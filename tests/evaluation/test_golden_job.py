"""The set runs beside the screens: one run at a time, told as it goes, kept or explained."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest

from core.errors import BadInput, Conflicted, NotFound, Unavailable
from core.evaluation.golden import GoldenCase
from core.evaluation.golden_job import SILENT_FOR, GoldenJobs
from core.evaluation.report_store import JobState, ReportStore
from core.models.trace import PipelineRun
from tests.evaluation.builders import a_row, a_run
from tests.fakes.fixed_clock import DEMO_DAY, FixedClock

ROWS = (a_row(query_id="G-1"), a_row(query_id="G-2", language="zh"))


def _ticks() -> Callable[[], float]:
    counter = count()
    return lambda: float(next(counter))


@pytest.fixture
def store(tmp_path: Path) -> ReportStore:
    return ReportStore(tmp_path / "evaluations")


@pytest.fixture
def jobs(store: ReportStore) -> GoldenJobs:
    return GoldenJobs(store, FixedClock(), stopwatch=_ticks())


class Held:
    """Answers only after ``let_go``; ``asked`` is set when the first question arrives."""

    def __init__(self) -> None:
        self.asked, self.let_go = threading.Event(), threading.Event()

    def __call__(self, row: GoldenCase) -> PipelineRun:
        self.asked.set()
        assert self.let_go.wait(10)
        return a_run()


def _right(row: GoldenCase) -> PipelineRun:
    return a_run()


def _start(jobs: GoldenJobs, ask: Callable[[GoldenCase], PipelineRun]) -> JobState:
    return jobs.start(ROWS, ask, run_id="eval_1", by="sam", note="first", asked_for=("zh",))


def test_a_finished_run_is_stored_with_who_asked_and_what_it_ran_on(
    jobs: GoldenJobs, store: ReportStore
) -> None:
    _start(jobs, _right)
    assert jobs.wait(10)

    stored = store.get("eval_1")
    assert (stored.by, stored.note, stored.asked_for) == ("sam", "first", ("zh",))
    assert [r.query_id for r in stored.report.results] == ["G-1", "G-2"]
    assert stored.asked_as["G-1"].user_id == "ana"
    assert stored.asked_as["G-1"].allowed_acl_policy_ids == ("public",)
    state = jobs.state()
    assert state is not None
    assert (state.phase, state.done, state.passed) == ("done", 2, 2)
    assert state.last == "G-2 passed"


def test_only_one_runs_at_a_time(jobs: GoldenJobs) -> None:
    held = Held()
    _start(jobs, held)
    assert held.asked.wait(10)
    with pytest.raises(Conflicted, match="under way"):
        _start(jobs, _right)
    held.let_go.set()
    assert jobs.wait(10)
    _start(jobs, _right)
    assert jobs.wait(10)


def test_a_stopped_run_keeps_nothing_and_says_so(jobs: GoldenJobs, store: ReportStore) -> None:
    held = Held()
    _start(jobs, held)
    assert held.asked.wait(10)
    jobs.stop()
    held.let_go.set()
    assert jobs.wait(10)

    state = jobs.state()
    assert state is not None
    assert (state.phase, state.done) == ("stopped", 1)
    assert "Nothing of it was kept" in state.words
    assert store.heads() == ()


def test_a_run_stopped_within_its_last_row_keeps_nothing_either(
    jobs: GoldenJobs, store: ReportStore
) -> None:
    asked: list[bool] = []

    def cut_short(row: GoldenCase) -> PipelineRun:
        if row == ROWS[-1]:
            jobs.stop()
        asked.append(jobs.is_stopping())
        return a_run()

    _start(jobs, cut_short)
    assert jobs.wait(10)

    state = jobs.state()
    assert state is not None
    assert state.phase == "stopped"
    assert asked == [False] * (len(ROWS) - 1) + [True]
    assert store.heads() == ()
    _start(jobs, lambda _row: a_run())
    assert jobs.wait(10)
    assert not jobs.is_stopping()
    assert len(store.heads()) == 1


@pytest.mark.parametrize(
    ("error", "words"),
    [(Unavailable("No index."), "No index."), (ZeroDivisionError(), "ZeroDivisionError")],
)
def test_a_run_that_breaks_says_why_and_the_next_one_may_start(
    jobs: GoldenJobs, store: ReportStore, error: Exception, words: str
) -> None:
    def broken(row: GoldenCase) -> PipelineRun:
        raise error

    _start(jobs, broken)
    assert jobs.wait(10)

    state = jobs.state()
    assert state is not None
    assert state.phase == "failed"
    assert words in state.words
    assert store.heads() == ()
    _start(jobs, _right)
    assert jobs.wait(10)
    assert [head.run_id for head in store.heads()] == ["eval_1"]


def test_no_question_is_refused(jobs: GoldenJobs) -> None:
    with pytest.raises(BadInput, match="No golden question"):
        jobs.start((), _right, run_id="eval_1", by="sam")


HERE = socket.gethostname()


@pytest.mark.parametrize(
    ("silence", "process", "phase", "elsewhere"),
    [
        (timedelta(seconds=5), "other-host/1", "running", True),
        (timedelta(seconds=5), f"{HERE}/{os.getppid()}", "running", True),
        (timedelta(seconds=5), f"{HERE}/{os.getpid()}", "cut_off", False),
        (timedelta(seconds=5), f"{HERE}/{10**9}", "cut_off", False),
        (timedelta(seconds=5), f"{HERE}/{10**30}", "cut_off", False),
        (SILENT_FOR * 2, "other-host/1", "cut_off", False),
    ],
    ids=["other host", "living process", "this process", "dead process", "no process", "silent"],
)
def test_after_a_restart_the_run_is_elsewhere_or_was_cut_off(
    store: ReportStore, silence: timedelta, process: str, phase: str, *, elsewhere: bool
) -> None:
    store.save_job(
        JobState(
            run_id="eval_1",
            by="sam",
            phase="running",
            started_at=DEMO_DAY,
            seen_at=FixedClock().now() - silence,
            elapsed=4,
            total=8,
            done=2,
            process=process,
        )
    )
    state = GoldenJobs(store, FixedClock(), stopwatch=_ticks()).state()
    assert state is not None
    assert (state.phase, state.elsewhere) == (phase, elsewhere)
    assert (state.rate, state.seconds_left) == (0.5, 12)


def test_the_end_of_a_run_is_known_after_a_restart(jobs: GoldenJobs, store: ReportStore) -> None:
    assert jobs.state() is None
    _start(jobs, _right)
    assert jobs.wait(10)
    state = GoldenJobs(store, FixedClock(), stopwatch=_ticks()).state()
    assert state is not None
    assert (state.phase, state.elsewhere) == ("done", False)


@pytest.mark.parametrize("run_id", ["eval_9", "../countersign", "a/b", "", "choices.jsonl"])
def test_only_the_id_of_a_stored_run_finds_one(store: ReportStore, run_id: str) -> None:
    with pytest.raises(NotFound):
        store.get(run_id)


def test_a_broken_file_does_not_hide_the_other_runs(
    jobs: GoldenJobs, store: ReportStore, tmp_path: Path
) -> None:
    _start(jobs, _right)
    assert jobs.wait(10)
    (tmp_path / "evaluations" / "eval_2.json").write_text("{", encoding="utf-8")
    assert [head.run_id for head in store.heads()] == ["eval_1"]
    with pytest.raises(Unavailable, match="eval_2 cannot be read"):
        store.get("eval_2")
