"""The claim checker's weights: one small logistic model read from a JSON file."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import Unavailable

WEIGHTS = Path(__file__).resolve().parents[2] / "data" / "models" / "checker" / "weights.json"


class CheckerModel:
    """Probability that evidence bears a claim, from the features of ``core.text.claim_features``.

    Two fitted parts, blended and calibrated: a linear one, in which every feature also counts
    multiplied by evidence length (the same overlap means less in a long document), and a network
    with one small hidden layer.
    """

    def __init__(self, raw: Mapping[str, Any], features: Sequence[str]) -> None:
        if tuple(raw["features"]) != tuple(features):
            raise ValueError("the features differ")
        self.version: str = str(raw["version"])
        self._mean, self._scale = _row(raw["mean"]), _row(raw["scale"])
        self._linear, self._bias = _row(raw["linear"]["weights"]), float(raw["linear"]["bias"])
        network = raw["network"]
        self._hidden = [_row(row) for row in network["hidden"]]
        self._hidden_bias = _row(network["hidden_bias"])
        self._out, self._out_bias = _row(network["out"]), float(network["out_bias"])
        self._blend = _row(raw["blend"])
        self._length = list(features).index("evidence_length")
        if len(self._linear) != 2 * len(features) or len(self._blend) != 3:
            raise ValueError("the number of weights differs")

    @classmethod
    def load(cls, features: Sequence[str], path: Path = WEIGHTS) -> CheckerModel:
        """The model at ``path``. Raises ``Unavailable`` where it is missing or does not fit."""
        try:
            return cls(json.loads(path.read_text(encoding="utf-8")), features)
        except FileNotFoundError as error:
            raise Unavailable(
                f"the checker's weights are missing: {path}; "
                "restore the file or run scripts/fit_checker.py"
            ) from error
        except (KeyError, TypeError, ValueError) as error:
            raise Unavailable(
                f"the checker's weights at {path} do not fit this version ({error}); "
                "run scripts/fit_checker.py"
            ) from error

    def probability(self, numbers: Sequence[float]) -> float:
        """0..1, rounded to four places so that runs compare equal."""
        z = [(x - m) / s for x, m, s in zip(numbers, self._mean, self._scale, strict=True)]
        linear = self._bias + _dot(self._linear, [*z, *(v * z[self._length] for v in z)])
        hidden = [
            math.tanh(bias + _dot(row, z))
            for row, bias in zip(self._hidden, self._hidden_bias, strict=True)
        ]
        network = self._out_bias + _dot(self._out, hidden)
        a, b, c = self._blend
        total = max(-30.0, min(30.0, a * linear + b * network + c))
        return round(1 / (1 + math.exp(-total)), 4)


def _row(values: Sequence[float]) -> list[float]:
    return [float(v) for v in values]


def _dot(weights: Sequence[float], values: Sequence[float]) -> float:
    return sum(w * v for w, v in zip(weights, values, strict=True))
