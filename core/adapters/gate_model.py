"""The gate's weights: small logistic models read from one JSON file."""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.adapters.gate_features import FEATURES, Idf
from core.adapters.gate_injection import INJECTION_FEATURES
from core.adapters.gate_reading import READ_FEATURES
from core.errors import Unavailable

WEIGHTS = Path(__file__).resolve().parents[2] / "data" / "models" / "gate" / "weights.json"
_FOLDS = "folds.json"
_HEADS = {
    "relevant_vectors": FEATURES,
    "evidence_vectors": FEATURES,
    "relevant_lexical": FEATURES,
    "evidence_lexical": FEATURES,
    "relevant": READ_FEATURES,
    "evidence": READ_FEATURES,
    "injection": INJECTION_FEATURES,
}
"""Each head with the values it is given; it weighs all or some of them."""


class GateModel:
    """The fitted heads. ``relevant`` and ``evidence`` judge what the pair reader has read,
    ``*_vectors`` by words and the encoder, ``*_lexical`` what neither knows (Chinese)."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.version: str = str(raw["version"])
        self.idf = Idf(raw["idf"], float(raw["idf_unseen"]))
        self._heads = {name: _Head(raw["heads"][name], names) for name, names in _HEADS.items()}

    @classmethod
    def load(cls, path: Path = WEIGHTS, *, without: int | None = None) -> GateModel:
        """The model at ``path``. Raises ``Unavailable`` where it is missing or does not fit.

        ``without`` names a fold of held-back rows (see ``core.evaluation.gate_split``): the heads
        over the pair reader are then those fitted without it, to be measured on it.
        """
        try:
            raw = json.loads(path.read_text(encoding="utf-8"))
            if without is not None:
                folds = json.loads(path.with_name(_FOLDS).read_text(encoding="utf-8"))
                raw["heads"] |= {name: heads[without] for name, heads in folds.items()}
                raw["version"] = f"{raw['version']}-{without}"
            return cls(raw)
        except FileNotFoundError as error:
            raise Unavailable(
                f"the gate's weights are missing: {error.filename}; restore them or run "
                "scripts/fit_gate.py"
            ) from error
        except (LookupError, TypeError, ValueError) as error:
            raise Unavailable(
                f"the gate's weights at {path} do not fit this version ({error}); "
                "run scripts/fit_gate.py"
            ) from error

    @staticmethod
    def cross_fitted(path: Path = WEIGHTS) -> bool:
        """Whether heads ``without`` a fold lie beside the weights."""
        return path.with_name(_FOLDS).is_file()

    def probability(self, head: str, values: Sequence[float]) -> float:
        """The calibrated probability, 0..1, rounded to four places so that runs compare equal."""
        return self._heads[head](values)

    def odds(self, head: str, values: Sequence[float]) -> float:
        """Log odds before calibration, -30..30."""
        return self._heads[head].odds(values)


class _Head:
    """A logistic model and, where its log odds mislead, the probabilities they stand for."""

    def __init__(self, raw: Mapping[str, Any], names: Sequence[str]) -> None:
        if unknown := set(raw["features"]) - set(names):
            raise ValueError(f"the features differ: {min(unknown)}")
        self._given = len(names)
        places = [names.index(name) for name in raw["features"]]
        weights = [float(weight) for weight in raw["weights"]]
        self._weights = list(zip(places, weights, strict=True))
        self._bias = float(raw["bias"])
        self._table = [(float(odds), float(p)) for odds, p in raw.get("calibration", ())]
        if self._table != sorted(self._table):
            raise ValueError("the calibration does not rise")

    def __call__(self, values: Sequence[float]) -> float:
        odds = self.odds(values)
        return round(self._calibrated(odds) if self._table else 1 / (1 + math.exp(-odds)), 4)

    def odds(self, values: Sequence[float]) -> float:
        if len(values) != self._given:
            raise ValueError(f"{len(values)} values for {self._given} features")
        odds = self._bias + sum(weight * values[place] for place, weight in self._weights)
        return max(-30.0, min(30.0, odds))

    def _calibrated(self, odds: float) -> float:
        """On the straight line between the two nearest entries."""
        at = bisect_right(self._table, (odds, math.inf))
        if at in (0, len(self._table)):
            return self._table[min(at, len(self._table) - 1)][1]
        (left, low), (right, high) = self._table[at - 1 : at + 1]
        return low + (high - low) * (odds - left) / (right - left)
