"""The figures of the gate's heads, whole and for each set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from core.evaluation.calibration import calibration
from scripts.gate_rows import Row

Array = npt.NDArray[np.float64]


def report(rows: Sequence[Row], labels: Array, scores: Array) -> dict[str, Any]:
    """AUROC, calibration error and rates above 0.5 and 0.7, whole and for each set."""
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


def _by_set(rows: Sequence[Row]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        places[row.source].append(at)
    return dict(sorted(places.items()))


def _mean(values: Array) -> float | None:
    return round(float(values.mean()), 3) if len(values) else None


def auroc(labels: Array, scores: Array, places: int = 3) -> float | None:
    """Area under the curve with ties counted half; ``None`` with one class only."""
    positive, negative = scores[labels == 1], scores[labels == 0]
    if not len(positive) or not len(negative):
        return None
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    got = ranks[labels == 1].sum() - len(positive) * (len(positive) + 1) / 2
    return round(float(got / (len(positive) * len(negative))), places)
