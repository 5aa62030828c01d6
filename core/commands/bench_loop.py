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
from core.models.request import UserRequest
from core.models.trace import PipelineRun

if TYPE_CHECKING:
    from core.wiring import Office

OWN = DATA_DIR / "bench"
"""Our own questions about the public sets."""
QUICK_ROWS, QUICK_OF_EACH = 40, 3
"""Rows of a set, and questions of each kind about time, in a quick run."""
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
        figures=report.figures(),
        text="" if skipped else report.table(),
        seconds=round(time.perf_counter() - began, 1),
        skipped=skipped,
    )


# ---- the sets ---------------------------------------------------------------------------------


def _ramdocs(bench: LoopBench) -> SetReport:
    from core.evaluation.loop_ramdocs import run_ramdocs

    office = bench.home("ramdocs")

    def ask(query: str, passages: Sequence[dict[str, Any]]) -> PipelineRun:
        supplied = candidates_of(list(passages), office.settings.tenant)
        return office.ask(_request(office, query), supplied=supplied)

    return run_ramdocs(bench.data, ask=ask, limit=bench.rows)


def _versions(bench: LoopBench) -> SetReport:
    from core.evaluation.loop_conflicts import run_version_conflicts

    return run_version_conflicts(bench.data)


def _followups(bench: LoopBench) -> SetReport:
    from core.evaluation.loop_followups import run_followups

    return run_followups(bench.data, open_home=bench.search_home, limit=bench.rows)


def _time(bench: LoopBench) -> SetReport:
    from core.evaluation.loop_time import TimeReport, run_time, write_versions

    office, path = bench.home("time"), bench.folder / "versions.jsonl"
    if not write_versions(bench.data, path):
        return TimeReport(skipped=f"basecamp_policies is not in {bench.data}")
    office.ingest((path,), tenant_id=office.settings.tenant, actor="bench")

    def ask(query: str, on: date | None) -> PipelineRun:
        return office.ask(_request(office, query, on=on))

    return run_time(
        bench.data,
        ask=ask,
        questions=OWN / "dated_questions.jsonl",
        today=office.clock.now().date(),
        limit=bench.of_each,
    )


LOOP_SETS: dict[str, Callable[[LoopBench], SetReport]] = {
    "ramdocs": _ramdocs,
    "conflicts": _versions,
    "followups": _followups,
    "time": _time,
}


def _request(office: Office, query: str, *, on: date | None = None) -> UserRequest:
    """A question of somebody who may read what is public, no more."""
    return UserRequest(
        request_id=office.ids.new("req"),
        tenant_id=office.settings.tenant,
        user_id=GUEST,
        raw_query=query,
        channel="batch",
        asked_on=on,
    )
