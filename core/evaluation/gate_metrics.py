"""How well scores part two classes, with intervals that respect which rows belong together.

Every measure takes a weight for each row; the bootstrap draws whole groups (questions, claims,
documents) and weighs each row by how often its group was drawn (Efron and Tibshirani 1993).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from core.errors import BadInput
from core.evaluation.calibration import wilson
from core.models.base import Model

RESAMPLES = 1_000
SEED = 7
FALSE_ALARMS = 0.02
"""Share of negatives that may be flagged where recall is reported at a fixed rate."""

Numbers = npt.NDArray[np.float64]
Measure = Callable[[Numbers, Numbers, Numbers], float | None]
"""Labels (0 or 1), scores and row weights to a figure; ``None`` where it has no meaning."""


class Estimate(Model):
    """A figure in 0..1 with its 95 % interval."""

    value: float = Field(ge=0, le=1, allow_inf_nan=False)
    low: float = Field(ge=0, le=1, allow_inf_nan=False)
    high: float = Field(ge=0, le=1, allow_inf_nan=False)

    @model_validator(mode="after")
    def _holds_its_figure(self) -> Estimate:
        if not self.low <= self.value <= self.high:
            raise ValueError("an interval holds its figure")
        return self


def estimate(
    measure: Measure,
    labels: Sequence[int],
    scores: Sequence[float],
    groups: Sequence[str],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Estimate | None:
    """``measure`` over the rows and its bootstrap interval; ``None`` where it has no meaning.

    Where every resample gives the same rate of nothing or of all (no row flagged, say), the
    interval is Wilson's over the groups instead: seeing none does not prove there are none.
    Raises ``BadInput`` where the columns differ in length.
    """
    if not len(labels) == len(scores) == len(groups):
        raise BadInput(f"{len(labels)} labels, {len(scores)} scores and {len(groups)} groups")
    truth, claimed = np.asarray(labels, np.float64), np.asarray(scores, np.float64)
    value = measure(truth, claimed, np.ones(len(truth))) if len(truth) else None
    if value is None:
        return None
    names, place = np.unique(np.asarray(groups), return_inverse=True)
    chance = np.random.default_rng(seed)
    found = [value]
    for _ in range(resamples):
        drawn = np.bincount(chance.integers(len(names), size=len(names)), minlength=len(names))
        again = measure(truth, claimed, drawn[place].astype(np.float64))
        if again is not None:
            found.append(again)
    low, high = (float(edge) for edge in np.percentile(found, [2.5, 97.5]))
    if low == high and value in (0.0, 1.0):
        low, high = wilson(round(value * len(names)), len(names))
    return Estimate(value=value, low=min(low, value), high=max(high, value))


def auroc(labels: Numbers, scores: Numbers, weights: Numbers) -> float | None:
    """Share of (positive, negative) pairs that the scores put in order; a tie counts half."""
    positive, negative = _steps(labels, scores, weights)
    total = float(positive.sum() * negative.sum())
    if not total:
        return None
    above = np.cumsum(positive) - positive / 2  # best score first
    return min(1.0, float((negative * above).sum()) / total)


def recall_at(limit: float = FALSE_ALARMS) -> Measure:
    """Recall at the best threshold that flags at most ``limit`` of the negatives."""
    return partial(_recall_within, limit)


def recall_above(threshold: float) -> Measure:
    """Share of positives with a score above ``threshold``."""
    return lambda labels, scores, weights: _share(scores > threshold, weights * labels)


def alarms_above(threshold: float) -> Measure:
    """Share of negatives with a score above ``threshold``."""
    return lambda labels, scores, weights: _share(scores > threshold, weights * (1 - labels))


def lost_below(threshold: float) -> Measure:
    """Share of positives with a score below ``threshold``."""
    return lambda labels, scores, weights: _share(scores < threshold, weights * labels)


def balanced_accuracy(threshold: float) -> Measure:
    """Mean of the shares of positives above and of negatives not above ``threshold``."""

    def measure(labels: Numbers, scores: Numbers, weights: Numbers) -> float | None:
        hit = recall_above(threshold)(labels, scores, weights)
        alarm = alarms_above(threshold)(labels, scores, weights)
        return None if hit is None or alarm is None else (hit + 1 - alarm) / 2

    return measure


def best_balanced_accuracy(labels: Numbers, scores: Numbers, weights: Numbers) -> float | None:
    """Balanced accuracy at the threshold that suits these very rows: in the scorer's favour."""
    positive, negative = _steps(labels, scores, weights)
    if not positive.sum() or not negative.sum():
        return None
    hits = np.cumsum(positive) / positive.sum()
    quiet = 1 - np.cumsum(negative) / negative.sum()
    return max(0.5, min(1.0, float((hits + quiet).max()) / 2))


def _recall_within(
    limit: float, labels: Numbers, scores: Numbers, weights: Numbers
) -> float | None:
    positive, negative = _steps(labels, scores, weights)
    if not positive.sum() or not negative.sum():
        return None
    hits = np.cumsum(positive) / positive.sum()
    alarms = np.cumsum(negative) / negative.sum()
    allowed = hits[alarms <= limit + 1e-12]
    return min(1.0, float(allowed[-1])) if len(allowed) else 0.0


def _steps(labels: Numbers, scores: Numbers, weights: Numbers) -> tuple[Numbers, Numbers]:
    """Weight of the positives and of the negatives at each distinct score, best score first."""
    distinct, place = np.unique(-scores, return_inverse=True)

    def at_each(share: Numbers) -> Numbers:
        counted = np.bincount(place, weights=weights * share, minlength=len(distinct))
        return np.asarray(counted, np.float64)

    return at_each(labels), at_each(1 - labels)


def _share(flagged: npt.NDArray[np.bool_], weights: Numbers) -> float | None:
    total = float(weights.sum())
    return min(1.0, float(weights[flagged].sum()) / total) if total else None
