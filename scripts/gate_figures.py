"""The figures of the gate's heads, whole and for each set, and their calibration as a model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from core.evaluation.calibration import calibration
from core.evaluation.gate_bench_models import GateCalibration, QuestionCalibration, SetCalibration
from core.evaluation.gate_metrics import auroc as weighed_auroc
from core.evaluation.gate_metrics import estimate
from core.models.evidence import GateQuestion
from core.text.language import detect_language
from scripts.gate_rows import Row

Array = npt.NDArray[np.float64]
Found = tuple[Sequence[Row], Array, Array]
"""Rows, labels, probabilities."""


def report(rows: Sequence[Row], labels: Array, scores: Array) -> dict[str, Any]:
    """AUROC, calibration error and rates at the design's thresholds, whole and for each set."""
    out: dict[str, Any] = {
        "rows": len(rows),
        "auroc": auroc(labels, scores),
        "ece": round(calibration(list(labels), list(scores)).ece, 3),
        "sets": {},
    }
    for name, places in _by_set(rows).items():
        y, p = labels[places], scores[places]
        out["sets"][name] = {
            "rows": len(places),
            "auroc": auroc(y, p),
            "mean_score_1": _mean(p[y == 1]),
            "mean_score_0": _mean(p[y == 0]),
            "over_half_1": _mean((p[y == 1] > 0.5).astype(float)),
            "over_half_0": _mean((p[y == 0] > 0.5).astype(float)),
            "over_70_1": _mean((p[y == 1] > 0.7).astype(float)),
            "over_70_0": _mean((p[y == 0] > 0.7).astype(float)),
        }
    return out


def calibration_model(version: str, found: Mapping[str, Found]) -> dict[str, Any]:
    """What the evaluation screen shows of the shipped gate: reliability of the fitted questions,
    English by the pair reader and Chinese by words, as the gate goes by them."""
    questions: dict[GateQuestion, QuestionCalibration] = {}
    names: tuple[GateQuestion, ...] = ("injection", "relevant", "evidence")
    for question in names:
        lexical = found.get(f"{question}_lexical")
        parts = [found[question], *([_chinese(lexical)] if lexical else [])]
        rows = [row for part in parts for row in part[0]]
        labels, scores = (np.concatenate([part[n] for part in parts]) for n in (1, 2))
        curve = calibration(list(labels), list(scores))
        questions[question] = QuestionCalibration(
            ece=curve.ece, ece_low=curve.ece_low, ece_high=curve.ece_high,
            rows=curve.rows, bins=curve.bins,
            sets={
                name: _set([rows[at] for at in places], labels[places], scores[places])
                for name, places in _by_set(rows).items()
            },
        )  # fmt: skip
    model = GateCalibration(model=f"local-gate/{version}", questions=questions)
    return model.model_dump(mode="json")


def _chinese(found: Found) -> Found:
    rows, labels, scores = found
    places = [at for at, row in enumerate(rows) if detect_language(row.text) == "zh"]
    return [rows[at] for at in places], labels[places], scores[places]


def _set(rows: Sequence[Row], labels: Array, scores: Array) -> SetCalibration:
    groups = [row.group for row in rows]
    parted = estimate(weighed_auroc, [int(y) for y in labels], list(scores), groups)
    return SetCalibration(
        ece=calibration(list(labels), list(scores)).ece,
        rows=len(rows),
        language="zh" if detect_language(rows[0].text) == "zh" else "en",
        auroc=parted.value if parted else None,
        auroc_low=parted.low if parted else None,
        auroc_high=parted.high if parted else None,
    )


def _by_set(rows: Sequence[Row]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        places[row.source].append(at)
    return dict(sorted(places.items()))


def _mean(values: Array) -> float | None:
    return round(float(values.mean()), 3) if len(values) else None


def auroc(labels: Array, scores: Array) -> float | None:
    """Area under the curve with ties counted half; ``None`` with one class only."""
    positive, negative = scores[labels == 1], scores[labels == 0]
    if not len(positive) or not len(negative):
        return None
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    got = ranks[labels == 1].sum() - len(positive) * (len(positive) + 1) / 2
    return round(float(got / (len(positive) * len(negative))), 3)
