"""How far a measured mean can be trusted: bootstrap intervals over the questions of a set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

RESAMPLES = 2_000
SEED = 20_261_130
Verdict = Literal["ahead", "tie", "behind"]


class Interval(NamedTuple):
    """Where 95 % of the resampled means lie."""

    low: float
    high: float


def interval(values: Sequence[float]) -> Interval:
    """95 % bootstrap interval of the mean; (0, 0) without values. Seeded: the same every time."""
    if not values:
        return Interval(0.0, 0.0)
    numbers = np.asarray(values, dtype=np.float64)
    draws = np.random.default_rng(SEED).integers(len(numbers), size=(RESAMPLES, len(numbers)))
    low, high = np.percentile(numbers[draws].mean(axis=1), [2.5, 97.5])
    return Interval(float(low), float(high))


def paired(ours: Sequence[float], theirs: Sequence[float]) -> Interval:
    """Interval of the mean difference, question by question: above 0 where ours is better."""
    return interval([a - b for a, b in zip(ours, theirs, strict=True)])


def verdict(difference: Interval) -> Verdict:
    """Whether a difference can be told from none."""
    if difference.low > 0:
        return "ahead"
    return "behind" if difference.high < 0 else "tie"
