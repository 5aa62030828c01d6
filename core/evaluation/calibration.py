"""How far a probability can be taken at its word: reliability by bins, and one figure for the gap.

The bins and the expected calibration error follow Naeini, Cooper and Hauskrecht, "Obtaining Well
Calibrated Probabilities Using Bayesian Binning" (AAAI 2015), and Guo, Pleiss, Sun and Weinberger,
"On Calibration of Modern Neural Networks" (ICML 2017): equal-width bins, and the mean gap between
what was claimed and what happened, weighed by how many pairs fall into each bin.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
from pydantic import Field, model_validator

from core.errors import BadInput
from core.models.base import Model

RESAMPLES = 1_000
_Z = 1.959964
"""The normal quantile of a two-sided 95 % interval."""


class CalibrationBin(Model):
    """Pairs whose probability lies in ``[low, high)`` (the last bin holds 1.0 too).

    ``mean`` is the mean probability claimed, ``rate`` the share that turned out true, with its
    95 % Wilson interval; all ``None`` in an empty bin.
    """

    low: float = Field(ge=0, le=1)
    high: float = Field(ge=0, le=1)
    mean: float | None = Field(default=None, ge=0, le=1)
    rate: float | None = Field(default=None, ge=0, le=1)
    rate_low: float | None = Field(default=None, ge=0, le=1)
    rate_high: float | None = Field(default=None, ge=0, le=1)
    count: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _empty_has_no_rate(self) -> CalibrationBin:
        told = (self.mean, self.rate, self.rate_low, self.rate_high)
        if any((value is None) != (self.count == 0) for value in told):
            raise ValueError("a bin has a mean and a rate exactly when it holds something")
        return self


class CalibrationCurve(Model):
    """One question's reliability: its bins and the expected calibration error.

    ``ece`` is in 0..1, with the 2.5th and 97.5th percentile over resampled rows as its interval.
    """

    ece: float = Field(ge=0, le=1)
    ece_low: float = Field(ge=0, le=1)
    ece_high: float = Field(ge=0, le=1)
    rows: int = Field(gt=0)
    bins: tuple[CalibrationBin, ...]


def calibration(
    labels: Sequence[bool | int],
    scores: Sequence[float],
    bins: int = 10,
    seed: int = 7,
    *,
    resamples: int = RESAMPLES,
) -> CalibrationCurve:
    """The reliability of ``scores`` (probabilities, 0..1) against ``labels`` (0 or 1), row by row.

    Equal-width bins, as Naeini et al. (2015) and Guo et al. (2017) have them; a bootstrap over rows
    (seeded, ``resamples`` times) gives the interval of the error, Wilson's formula that of each
    bin's rate. A binned error is never below what chance alone makes of few rows, so the interval
    of a small set lies above 0 even for perfect probabilities. Without resamples there is none:
    both its ends are the error.

    Raises ``BadInput`` for no rows, unequal lengths, fewer than one bin, a label that is neither 0
    nor 1, or a score outside 0..1 or not a number.
    """
    truth, claimed = _checked(labels, scores, bins)
    edges = np.arange(1, bins) / bins
    place = np.searchsorted(edges, claimed, side="right")
    error = _gap(truth - claimed, place, bins)
    low, high = (
        _resampled(truth - claimed, place, bins, seed, resamples) if resamples else (error, error)
    )
    return CalibrationCurve(
        ece=error,
        ece_low=min(low, error),
        ece_high=max(high, error),
        rows=len(truth),
        bins=tuple(
            _bin(n / bins, (n + 1) / bins, claimed[place == n], truth[place == n])
            for n in range(bins)
        ),
    )


def wilson(hits: int, of: int) -> tuple[float, float]:
    """95 % Wilson interval of a share, in 0..1. Raises ``BadInput`` when ``of`` is not positive."""
    if of <= 0 or not 0 <= hits <= of:
        raise BadInput(f"a share needs 0 ≤ hits ≤ of and something to be of, not {hits} of {of}")
    share, z2 = hits / of, _Z * _Z
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = _Z / (1 + z2 / of) * sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    # Rounding must not put the share itself outside its own interval.
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))


_Numbers = np.ndarray[tuple[int], np.dtype[np.float64]]
_Places = np.ndarray[tuple[int], np.dtype[np.intp]]


def _checked(
    labels: Sequence[bool | int], scores: Sequence[float], bins: int
) -> tuple[_Numbers, _Numbers]:
    if bins < 1:
        raise BadInput(f"calibration needs at least one bin, not {bins}")
    truth, claimed = np.asarray(labels, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    if len(truth) != len(claimed):
        raise BadInput(f"{len(truth)} labels do not match {len(claimed)} scores")
    if not len(truth):
        raise BadInput("calibration of no rows says nothing; give labelled pairs")
    if not np.isin(truth, (0.0, 1.0)).all():
        raise BadInput("a label must be 0 or 1")
    if not ((claimed >= 0) & (claimed <= 1)).all():
        raise BadInput("a score must be a probability between 0 and 1")
    return truth, claimed


def _gap(differences: _Numbers, place: _Places, bins: int) -> float:
    """The sum over bins of |what happened less what was claimed|, per row."""
    sums = np.bincount(place, weights=differences, minlength=bins)
    return float(min(1.0, np.abs(sums).sum() / len(differences)))


def _resampled(
    differences: _Numbers, place: _Places, bins: int, seed: int, resamples: int
) -> tuple[float, float]:
    chance = np.random.default_rng(seed)
    found = []
    for _ in range(resamples):  # one draw at a time: 20,000 rows at once would fill the memory
        drawn = chance.integers(len(differences), size=len(differences))
        found.append(_gap(differences[drawn], place[drawn], bins))
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)


def _bin(low: float, high: float, claimed: _Numbers, truth: _Numbers) -> CalibrationBin:
    if not len(claimed):
        return CalibrationBin(low=low, high=high)
    rate_low, rate_high = wilson(int(truth.sum()), len(truth))
    return CalibrationBin(
        low=low,
        high=high,
        mean=float(claimed.mean()),
        rate=float(truth.mean()),
        rate_low=rate_low,
        rate_high=rate_high,
        count=len(truth),
    )
