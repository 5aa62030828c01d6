"""Calibration figures read back: shipped with a model, left by a bench, absent or broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import Unavailable
from core.evaluation.calibration import calibration
from core.evaluation.calibration_view import load_calibration


def figures(**changes: Any) -> dict[str, Any]:
    """What a fitting script writes, with more than is shown."""
    curve = calibration([0, 1] * 20, [0.1, 0.9] * 20).model_dump()
    sets = {
        "a_set": {"ece": 0.02, "rows": 30, "language": "en", "auroc": 0.9, "family": "qa"},
        "b_set": {"ece": 0.08, "rows": 10, "language": "en", "auroc": None},
        "c_zh": {"ece": 0.05, "rows": 8, "language": "zh"},
    }
    return {
        "version": "3",
        "model": "local-gate/3",
        "fitted": "2026-11-30",
        "questions": {"relevant": {**curve, "sets": sets, "threshold": 0.45}},
        **changes,
    }


def kept(folder: Path, data: Any) -> Path:
    place = folder / "calibration.json"
    place.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return place


def test_what_calibration_measures_is_what_is_read_back(tmp_path: Path) -> None:
    report = load_calibration("the model as shipped", kept(tmp_path, figures()))
    assert report is not None
    assert (report.origin, report.version) == ("the model as shipped", "3")
    found = report.questions["relevant"]
    assert found.rows == 40
    assert found.ece == pytest.approx(0.1)
    assert [b.count for b in found.bins if b.count] == [20, 20]
    (en, en_error, en_rows), chinese = found.by_language()
    assert (en, en_rows, chinese) == ("en", 40, ("zh", 0.05, 8))
    assert en_error == pytest.approx(0.035)


def test_a_bench_keeps_them_in_its_gate_section(tmp_path: Path) -> None:
    for section in (figures(), {"calibration": figures(), "sets": []}):
        report = load_calibration("the last bench", kept(tmp_path, {"gate": section}))
        assert report is not None
        assert report.questions["relevant"].rows == 40


@pytest.mark.parametrize("data", [{"retrieval": {}}, {"gate": {"sets": []}}, [], {}])
def test_a_file_without_such_figures_gives_none(tmp_path: Path, data: Any) -> None:
    assert load_calibration("x", kept(tmp_path, data)) is None
    assert load_calibration("x", tmp_path / "absent.json") is None


def test_a_broken_file_is_named_with_the_place_and_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"calibration\.json .*fit the gate"):
        load_calibration("x", kept(tmp_path, "{"))
    wrong = figures()
    wrong["questions"]["relevant"]["ece"] = 7
    with pytest.raises(Unavailable, match=r"breaks at questions\.relevant\.ece"):
        load_calibration("x", kept(tmp_path, wrong))
