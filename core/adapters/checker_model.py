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

    Every feature also counts multiplied by evidence length: the same overlap means less in a long
    document than in one sentence.
    """

    def __init__(self, raw: Mapping[str, Any], features: Sequence[str]) -> None:
        if tuple(raw["features"]) != tuple(features):
            raise ValueError("the features differ")
        self.version: str = str(raw["version"])
        self._mean = [float(v) for v in raw["mean"]]
        self._scale = [float(v) for v in raw["scale"]]
        self._weights = [float(v) for v in raw["weights"]]
        self._bias = float(raw["bias"])
        self._length = list(features).index("evidence_length")
        if len(self._weights) != 2 * len(features):
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
        crossed = [value * z[self._length] for value in z]
        total = self._bias + sum(w * v for w, v in zip(self._weights, (*z, *crossed), strict=True))
        return round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 4)
