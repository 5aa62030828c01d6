"""The gate's weights: small logistic models read from one JSON file."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.adapters.gate_features import FEATURES, Idf
from core.adapters.gate_injection import INJECTION_FEATURES
from core.errors import Unavailable

WEIGHTS = Path(__file__).resolve().parents[2] / "data" / "models" / "gate" / "weights.json"
_HEADS = {
    "relevant": FEATURES,
    "evidence": FEATURES,
    "relevant_lexical": FEATURES,
    "evidence_lexical": FEATURES,
    "injection": INJECTION_FEATURES,
}


class GateModel:
    """The fitted heads. ``*_lexical`` serve texts the encoder does not know (Chinese)."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.version: str = str(raw["version"])
        self.idf = Idf(raw["idf"], float(raw["idf_unseen"]))
        self._heads = {name: _Head(raw["heads"][name], names) for name, names in _HEADS.items()}

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> GateModel:
        """The model at ``path``. Raises ``Unavailable`` where it is missing or does not fit."""
        try:
            return cls(json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError as error:
            raise Unavailable(
                f"the gate's weights are missing: {path}; restore it or run scripts/fit_gate.py"
            ) from error
        except (KeyError, TypeError, ValueError) as error:
            raise Unavailable(
                f"the gate's weights at {path} do not fit this version ({error}); "
                "run scripts/fit_gate.py"
            ) from error

    def probability(self, head: str, values: Sequence[float]) -> float:
        """The calibrated probability, 0..1, rounded to four places so that runs compare equal."""
        return self._heads[head](values)


class _Head:
    def __init__(self, raw: Mapping[str, Any], names: Sequence[str]) -> None:
        if tuple(raw["features"]) != tuple(names):
            raise ValueError("the features differ")
        self._weights = [float(w) for w in raw["weights"]]
        self._bias = float(raw["bias"])
        if len(self._weights) != len(names):
            raise ValueError("the number of weights differs")

    def __call__(self, values: Sequence[float]) -> float:
        score = self._bias + sum(w * v for w, v in zip(self._weights, values, strict=True))
        score = max(-30.0, min(30.0, score))
        return round(1.0 / (1.0 + math.exp(-score)), 4)
