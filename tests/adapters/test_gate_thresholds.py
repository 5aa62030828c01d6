"""The shipped thresholds are those that were fitted, for the weights that ship."""

from __future__ import annotations

import json

from core.adapters.gate_model import WEIGHTS, GateModel
from core.models.evidence import GateThresholds

FITTED = json.loads((WEIGHTS.parent / "thresholds.json").read_text(encoding="utf-8"))


def test_the_defaults_are_the_fitted_thresholds() -> None:
    assert GateThresholds().model_dump() == FITTED["thresholds"]


def test_the_thresholds_were_fitted_over_the_weights_that_ship() -> None:
    assert FITTED["model"] == f"local-gate/{GateModel.load().version}"
