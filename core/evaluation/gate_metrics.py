"""How well scores part two classes, with intervals that respect which rows belong together.

A measure sees the weight of the positives and of the negatives at each distinct score. The
bootstrap draws whole groups (questions, claims, documents) and weighs each row by how often its
group was drawn (Efron and Tibshirani 1993).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

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


class Steps(NamedTuple):
    """Weight of positives and of negatives at each distinct score, best score first."""

    scores: Numbers
    positive: Numbers
    negative: Numbers


Measure = Callable[[Steps], float | None]
"""A figure in 0..1; ``None`` where it has no meaning (one class only, say)."""


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
    if not len(labels):
        return None
    rows = _Rows(labels, scores)
    value = measure(rows.weighed(np.ones(len(labels))))
    if value is None:
        return None
    names, place = np.unique(np.asarray(groups), return_inverse=True)
    chance = np.random.default_rng(seed)
    found = [value]
    for _ in range(resamples):
        drawn = np.bincount(chance.integers(len(names), size=len(names)), minlength=len(names))
        again = measure(rows.weighed(drawn[place].astype(np.float64)))
        if again is not None:
            found.append(again)
    low, high = (float(edge) for edge in np.percentile(found, [2.5, 97.5]))
    if low == high and value in (0.0, 1.0):
        low, high = wilson(round(value * len(names)), len(names))
    return Estimate(value=value, low=min(low, value), high=max(high, value))


def auroc(steps: Steps) -> float | None:
    """Share of (positive, negative) pairs that the scores put in order; a tie counts half."""
    total = float(steps.positive.sum() * steps.negative.sum())
    if not total:
        return None
    above = np.cumsum(steps.positive) - steps.positive / 2
    return _whole(float((steps.negative * above).sum()) / total)


def recall_at(limit: float = FALSE_ALARMS) -> Measure:
    """Recall at the best threshold that flags at most ``limit`` of the negatives."""

    def measure(steps: Steps) -> float | None:
        curve = _curve(steps)
        if curve is None:
            return None
        hits, alarms = curve
        allowed = hits[alarms <= limit + 1e-12]
        return _whole(float(allowed[-1])) if len(allowed) else 0.0

    return measure


def recall_above(threshold: float) -> Measure:
    """Share of positives with a score above ``threshold``."""
    return lambda steps: _share(steps.positive, steps.scores > threshold)


def alarms_above(threshold: float) -> Measure:
    """Share of negatives with a score above ``threshold``."""
    return lambda steps: _share(steps.negative, steps.scores > threshold)


def lost_below(threshold: float) -> Measure:
    """Share of positives with a score below ``threshold``."""
    return lambda steps: _share(steps.positive, steps.scores < threshold)


def balanced_accuracy(threshold: float) -> Measure:
    """Mean of the shares of positives above and of negatives not above ``threshold``."""

    def measure(steps: Steps) -> float | None:
        hit = _share(steps.positive, steps.scores > threshold)
        alarm = _share(steps.negative, steps.scores > threshold)
        return None if hit is None or alarm is None else (hit + 1 - alarm) / 2

    return measure


def best_balanced_accuracy(steps: Steps) -> float | None:
    """Balanced accuracy at the threshold that suits these very rows: in the scorer's favour."""
    curve = _curve(steps)
    if curve is None:
        return None
    hits, alarms = curve
    return max(0.5, _whole(float((hits + 1 - alarms).max()) / 2))


class _Rows:
    """Labels and scores, sorted once for however many weighings."""

    def __init__(self, labels: Sequence[int], scores: Sequence[float]) -> None:
        self._truth = np.asarray(labels, np.float64)
        negated, self._place = np.unique(-np.asarray(scores, np.float64), return_inverse=True)
        self._scores = -negated

    def weighed(self, weights: Numbers) -> Steps:
        """The steps under a weight for each row."""
        positive = self._at_each(weights * self._truth)
        return Steps(self._scores, positive, self._at_each(weights * (1 - self._truth)))

    def _at_each(self, weights: Numbers) -> Numbers:
        counted = np.bincount(self._place, weights=weights, minlength=len(self._scores))
        return np.asarray(counted, np.float64)


def _curve(steps: Steps) -> tuple[Numbers, Numbers] | None:
    """Recall and false alarms with the threshold just below each score."""
    positive, negative = steps.positive.sum(), steps.negative.sum()
    if not positive or not negative:
        return None
    return np.cumsum(steps.positive) / positive, np.cumsum(steps.negative) / negative


def _share(weights: Numbers, flagged: npt.NDArray[np.bool_]) -> float | None:
    total = float(weights.sum())
    return _whole(float(weights[flagged].sum()) / total) if total else None


def _whole(value: float) -> float:
    """Rounding must not lift a share above 1."""
    return min(1.0, value)
