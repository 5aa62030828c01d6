"""The loop's part of the bench: every set is measured by its own module, here they are joined."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.commands.bench_home import BenchHome, office_in
from core.commands.common import GUEST
from core.commands.passages import candidates_of
from core.demo import DATA_DIR, seed_demo
from core.demo_office import OfficeTarget
from core.errors import CountersignError
from core.evaluation.bench_machine import machine_facts
from core.evaluation.loop_report import LoopReport, LoopSection, SetReport
from core.models.request import Turn, UserRequest
from core.models.trace import PipelineRun

if TYPE_CHECKING:
    from core.wiring import Office

OWN = DATA_DIR / "bench"
"""Our own questions about the public sets."""
QUICK_ROWS, QUICK_OF_EACH = 40, 3
"""Rows of a set, and questions of each kind about time, in a quick run."""
_AGENT = "ana"
"""The demo company's agent, who may read what the desk may."""
Tell = Callable[[str], None]


class LoopBench:
    """What the sets are measured with. Every home is fresh, set as the office is, and its own."""

    def __init__(self, office: Office, data: Path, folder: Path, *, quick: bool) -> None:
        self.office, self.data = office, data
        self.rows = QUICK_ROWS if quick else None
        self.of_each = QUICK_OF_EACH if quick else None
        self.folder, self._open = folder, ExitStack()

    def home(self, name: str) -> Office:
        """An empty office of that name, closed with the bench."""
        return self._open.enter_context(closing(office_in(self.folder / name, self.office)))

    def home_over(self, name: str, file: Path) -> Office:
        """An office of that name over the documents of one file."""
        office = self.home(name)
        office.ingest((file,), tenant_id=office.settings.tenant, actor="bench")
        return office

    def demo(self) -> Office:
        """The demo company, closed with the bench."""
        other = self.home("demo")
        seed_demo(OfficeTarget(other), DATA_DIR, lambda _words: None)
        return other

    def search_home(self, folder: Path) -> BenchHome:
        """A home for searches alone, over the office's own encoder."""
        return BenchHome(folder, self.office, self.office.encoder)

    def close(self) -> None:
        """Close every home that was opened."""
        self._open.close()


def measure_loop(
    office: Office, data: Path, *, quick: bool, only: Sequence[str], tell: Tell
) -> LoopReport:
    """Every set of ``LOOP_SETS`` (those in ``only``, where any is named), one after the other.

    A set that is absent, or that breaks, is told as such and keeps the others.
    """
    wanted = [name for name in LOOP_SETS if not only or name in only]
    sections = []
    for name in wanted:
        tell(f"loop: {name}")
        sections.append(_section(name, office, data, quick=quick))
    return LoopReport(
        sections=tuple(sections),
        machine=machine_facts(),
        data=str(data),
        date=office.clock.now().date().isoformat(),
        quick=quick,
    )


def _section(name: str, office: Office, data: Path, *, quick: bool) -> LoopSection:
    began = time.perf_counter()
    with (
        tempfile.TemporaryDirectory(prefix="countersign-bench-") as scratch,
        closing(LoopBench(office, data, Path(scratch), quick=quick)) as bench,
    ):
        try:
            report = LOOP_SETS[name](bench)
        except CountersignError as error:
            return LoopSection(name=name, skipped=f"broke off: {error}")
    skipped = str(getattr(report, "skipped", "")).removeprefix("skipped: ")
    return LoopSection(
        name=name,
        figures=tuple(f for f in report.figures() if f.value is not None or not skipped),
        text="" if skipped else report.table(),
        seconds=round(time.perf_counter() - began, 1),
        skipped=skipped,
    )


# ---- the sets ---------------------------------------------------------------------------------


def _ramdocs(bench: LoopBench) -> SetReport:
    from core.evaluation.loop_ramdocs import run_ramdocs

    office = bench.home("ramdocs")
    return run_ramdocs(
        bench.data, ask=lambda query, rows: _asked(office, query, rows=rows), limit=bench.rows
    )


def _versions(bench: LoopBench) -> SetReport:
    from core.evaluation.loop_conflicts import run_version_conflicts

    return run_version_conflicts(bench.data)


def _followups(bench: LoopBench) -> SetReport:
    from core.evaluation.loop_followups import run_followups

    return run_followups(bench.data, open_home=bench.search_home, limit=bench.rows)


def _answerability(bench: LoopBench) -> SetReport:
    from core.evaluation.loop_answerability import Ask, run_answerability

    office = bench.home("supplied")

    def ask_in(home: Office) -> Ask:
        return lambda query, history, rows: _asked(home, query, history=history, rows=rows)

    def open_pool(name: str, file: Path) -> Ask:
        return ask_in(bench.home_over(name, file))

    return run_answerability(
        bench.data,
        ask=ask_in(office),
        open_pool=open_pool,
        folder=bench.folder,
        limit=bench.rows,
    )


def _own_answerability(bench: LoopBench) -> SetReport:
    from core.evaluation.loop_answerability_own import QUESTIONS, run_own_questions

    office = bench.demo()
    return run_own_questions(
        OWN / QUESTIONS,
        ask=lambda query: _asked(office, query),
        limit=bench.rows,
    )


def _time(bench: LoopBench) -> SetReport:
    from core.evaluation.loop_time import TimeReport, run_time, write_versions
    from core.evaluation.loop_time_set import QUESTIONS, SET

    path = bench.folder / "versions.jsonl"
    if not write_versions(bench.data, path):
        return TimeReport(skipped=f"skipped: {SET} is not in {bench.data}")
    office = bench.home_over("time", path)
    return run_time(
        bench.data,
        ask=lambda query, on: _asked(office, query, on=on),
        questions=OWN / QUESTIONS,
        today=office.clock.now().date(),
        limit=bench.of_each,
    )


def _refusals(bench: LoopBench) -> SetReport:
    from core.evaluation.loop_refusals import run_refusals
    from core.evaluation.loop_refusals_set import POLICIES, REQUESTS, SET

    corpus = bench.data / SET / "corpus.jsonl"
    public = bench.home_over(SET, corpus) if corpus.is_file() else bench.home(SET)
    ours = bench.home_over("policies", OWN / POLICIES)
    return run_refusals(
        bench.data,
        ask=lambda message: _asked(public, message),
        ask_own=lambda message: _asked(ours, message),
        own=OWN / REQUESTS,
        limit=bench.rows,
    )


def _rounds(bench: LoopBench) -> SetReport:
    from core.evaluation.golden import load_golden
    from core.evaluation.loop_rounds import QUESTIONS, run_rounds

    office = bench.demo()
    office.warm().join()
    return run_rounds(
        OWN / QUESTIONS,
        ask=lambda query: _asked(office, query, user=_AGENT),
        golden=load_golden(DATA_DIR / "golden.jsonl"),
        ask_golden=office.ask_golden,
        limit=bench.rows,
    )


LOOP_SETS: dict[str, Callable[[LoopBench], SetReport]] = {
    "ramdocs": _ramdocs,
    "conflicts": _versions,
    "followups": _followups,
    "answerability": _answerability,
    "own_questions": _own_answerability,
    "time": _time,
    "refusals": _refusals,
    "rounds": _rounds,
}


def _asked(
    office: Office,
    query: str,
    *,
    history: tuple[Turn, ...] = (),
    rows: Sequence[dict[str, Any]] | None = None,
    on: date | None = None,
    user: str = GUEST,
) -> PipelineRun:
    """One question, as a batch of the command line would ask it; ``rows`` are its passages."""
    tenant = office.settings.tenant
    request = UserRequest(
        request_id=office.ids.new("req"),
        tenant_id=tenant,
        user_id=user,
        raw_query=query,
        history=history,
        channel="batch",
        asked_on=on,
    )
    supplied = candidates_of(list(rows), tenant) if rows is not None else None
    return office.ask(request, supplied=supplied)
