"""``countersign bench --only gate`` prints and keeps the figures, whatever sets there are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main
from core.commands import bench_gate
from core.commands.bench_gate import cross_fitted
from core.models.evidence import EvidenceCandidate, GateScores
from tests.evaluation.gate_data import lay
from tests.fakes.scripted_gate import ScriptedGate


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, model_cache: Path, tmp_path: Path) -> Path:
    """A home, with sets and numbers of runs that take a moment only."""
    monkeypatch.setenv("COUNTERSIGN_MODEL_CACHE", str(model_cache))
    monkeypatch.setenv("COUNTERSIGN_EVAL_DATA", str(lay(tmp_path / "data")))
    monkeypatch.setattr(bench_gate, "QUICK_GROUPS", 1)
    monkeypatch.setattr(bench_gate, "QUICK_RESAMPLES", 5)
    monkeypatch.setattr(bench_gate, "QUICK_RUNS", {2: 1})
    return tmp_path


def test_the_section_is_printed_and_kept(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--home", str(small / "home"), "bench", "--only", "gate", "--quick"]
    assert main([*words, "--out", str(small / "out")]) == 0
    told = capsys.readouterr()
    assert "gate: speed" in told.err
    for part in (
        "== gate",
        "aims: ",
        "contradicts, kgfpq: balanced accuracy",
        "rel_wice",
        "absent",
        "memory: ",
    ):
        assert part in told.out
    kept = json.loads((small / "out" / "bench.json").read_text(encoding="utf-8"))["gate"]
    assert kept["model"].startswith("local-gate/")
    assert set(kept["calibration"]) == {"version", "model", "questions"}
    assert kept["calibration"]["model"] == kept["model"]
    assert [(row["pairs"], row["state"]) for row in kept["speed"]["rows"]] == [
        (2, "cold"),
        (2, "new"),
        (2, "again"),
    ]
    assert all(row["cpu_ms_p50"] > 0 for row in kept["speed"]["rows"])
    assert {one["name"] for one in kept["sets"] if one["status"] == "absent"} == {"rel_wice"}


def test_a_gate_without_heads_of_its_own_is_measured_as_it_is() -> None:
    def judge(query: str, candidate: EvidenceCandidate) -> GateScores:
        return GateScores(relevant=0.5, evidence=0.5, contradicts=0.5, injection=0.5)

    assert cross_fitted(ScriptedGate(judge)) is None
