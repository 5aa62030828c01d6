"""``countersign bench --only loop``: sets joined into one table, absent and broken ones named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main
from core.commands import bench_loop
from core.commands.bench_loop import LOOP_SETS, LoopBench, measure_loop
from core.errors import Unavailable
from core.evaluation.loop_report import LoopFigure, SetReport
from core.models.base import Model
from core.wiring import Office


class OneFigure(Model):
    """A set that is measured in no time."""

    value: float = 1.0
    skipped: str = ""

    def figures(self) -> tuple[LoopFigure, ...]:
        return (LoopFigure(name="share", value=self.value, aim=0.5, n=1),)

    def table(self) -> str:
        return "one row"


def a_set(_bench: LoopBench) -> SetReport:
    return OneFigure()


def a_broken_set(_bench: LoopBench) -> SetReport:
    raise Unavailable("the index is locked; stop the console")


@pytest.fixture
def two_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_loop, "LOOP_SETS", {"broken": a_broken_set, "sound": a_set})


def silent(_words: str) -> None:
    """Tells nobody."""


@pytest.mark.usefixtures("two_sets")
def test_a_set_that_breaks_off_is_named_and_the_others_are_measured(
    office: Office, tmp_path: Path
) -> None:
    report = measure_loop(office, tmp_path, quick=False, only=(), tell=silent)
    broken, sound = report.sections
    assert "the index is locked" in broken.skipped
    assert (sound.text, sound.skipped) == ("one row", "")
    assert "aims: 1 of 1 met" in report.table()


@pytest.mark.usefixtures("two_sets")
def test_only_the_sets_that_are_named_are_measured(office: Office, tmp_path: Path) -> None:
    report = measure_loop(office, tmp_path, quick=False, only=("sound",), tell=silent)
    assert [section.name for section in report.sections] == ["sound"]
    none = measure_loop(office, tmp_path, quick=False, only=("clapnq",), tell=silent)
    assert none.sections == ()


def test_a_public_set_that_is_absent_says_so(office: Office, tmp_path: Path) -> None:
    public = ("ramdocs", "conflicts", "followups", "answerability", "time")
    report = measure_loop(office, tmp_path, quick=True, only=public, tell=silent)
    assert [section.name for section in report.sections] == list(public)
    assert all(f"is not in {tmp_path}" in section.skipped for section in report.sections)
    assert report.aims() == ()


def test_the_demo_of_the_bench_is_a_home_of_its_own(office: Office, tmp_path: Path) -> None:
    bench = LoopBench(office, tmp_path, tmp_path / "scratch", quick=True)
    home = bench.home("one")
    assert home.settings.home != office.settings.home
    assert home.index.count() == 0
    bench.close()


@pytest.mark.usefixtures("two_sets")
def test_the_section_is_printed_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--home", str(tmp_path / "home"), "bench", "--only", "loop", "--quick"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 0
    told = capsys.readouterr()
    assert "loop: sound" in told.err
    assert "== loop" in told.out
    kept = json.loads((tmp_path / "out" / "bench.json").read_text(encoding="utf-8"))["loop"]
    assert kept["quick"] is True
    assert kept["machine"]["cpus"]
    assert [section["name"] for section in kept["sections"]] == ["broken", "sound"]


def test_a_set_of_the_loop_can_be_named_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--home", str(tmp_path), "bench", "--sets", "nonsense"])
    assert set(LOOP_SETS) <= set(capsys.readouterr().err.replace(",", " ").split())
