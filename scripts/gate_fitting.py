"""Word frequencies, logistic heads with sensible signs, calibration tables."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.text.tokens import content_words
from scripts.gate_rows import Row, held_back

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Table = list[tuple[float, float]]

IDF_WORDS = 6000
FALLING = ("rarest_missing", "relation_missing", "names_missing")
FREE = ("type_open", "short_text", "wide_query", "reader_denies")
_BLOCK = 150
"""Rows a step of a calibration table stands on, at least."""


def document_frequencies(rows: Sequence[Row]) -> tuple[dict[str, float], float]:
    """Inverse document frequency of the commonest words, over the passages of fitting rows."""
    texts = {row.text for row in rows if row.injection is None and not held_back(row)}
    seen: Counter[str] = Counter()
    for text in texts:
        seen.update(set(content_words(text)))
    total = len(texts)

    def weigh(count: int) -> float:
        return round(math.log(1 + (total - count + 0.5) / (count + 0.5)), 3)

    common = seen.most_common(IDF_WORDS)
    return {word: weigh(count) for word, count in sorted(common)}, weigh(1)


def balanced(labels: Array, weights: Array, share: float) -> Array:
    """Weights under which positives make up ``share``."""
    positive = weights[labels == 1].sum()
    negative = weights[labels == 0].sum()
    scaled = np.where(labels == 1, weights * share / positive, weights * (1 - share) / negative)
    return np.asarray(scaled * len(labels), dtype=np.float64)


def sensible(
    features: Sequence[str], values: Array, labels: Array, weights: Array, ridge: float = 2.0
) -> tuple[Array, float]:
    """A fit in which every feature pulls the way its meaning says.

    A feature with the wrong sign has learnt a habit of the sets (encyclopaedia titles, say) and is
    left out; the rest is fitted again until all agree.
    """
    kept = list(range(len(features)))
    vector, bias = logistic(values, labels, weights, ridge)
    for _ in features:
        wrong = [
            at
            for at, weight in zip(kept, vector, strict=True)
            if features[at] not in FREE and (weight > 0) == (features[at] in FALLING)
        ]
        if not wrong:
            break
        kept = [at for at in kept if at not in wrong]
        vector, bias = logistic(values[:, kept], labels, weights, ridge)
    whole = np.zeros(len(features))
    whole[kept] = vector
    return whole, bias


def logistic(values: Array, labels: Array, weights: Array, ridge: float) -> tuple[Array, float]:
    """Ridge logistic regression by Newton's method on standardised features."""
    mean, spread = values.mean(axis=0), values.std(axis=0)
    spread = np.where(spread < 1e-9, 1.0, spread)
    x = np.hstack([(values - mean) / spread, np.ones((len(values), 1))])
    beta = np.zeros(x.shape[1])
    penalty = np.full(x.shape[1], ridge)
    penalty[-1] = 0.0
    for _ in range(60):
        p = 1 / (1 + np.exp(-x @ beta))
        gradient = x.T @ (weights * (p - labels)) + penalty * beta
        curvature = (x * (weights * p * (1 - p))[:, None]).T @ x + np.diag(penalty + 1e-9)
        step = np.linalg.solve(curvature, gradient)
        beta -= step
        if np.abs(step).max() < 1e-8:
            break
    vector = beta[:-1] / spread
    return vector, float(beta[-1] - (vector * mean).sum())


class Fit(NamedTuple):
    """A logistic head and the probabilities its log odds stand for."""

    vector: Array
    bias: float
    table: Table

    def probabilities(self, values: Array) -> Array:
        """Of rows by features."""
        odds = values @ self.vector + self.bias
        return np.interp(odds, [x for x, _ in self.table], [p for _, p in self.table])


def fitted(
    features: Sequence[str],
    values: Array,
    labels: Array,
    weights: Array,
    folds: npt.NDArray[np.int64],
    alike: Mask,
    prior: float | None = None,
) -> Fit:
    """A head on all rows, calibrated on the rows ``alike``, as if ``prior`` of them were positive.

    The table is made from log odds that each row gets from a head fitted without its fold.
    """
    odds = np.zeros(len(labels))
    for number in np.unique(folds):
        apart = folds == number
        vector, bias = sensible(features, values[~apart], labels[~apart], weights[~apart])
        odds[apart] = values[apart] @ vector + bias
    vector, bias = sensible(features, values, labels, weights)
    return Fit(vector, bias, calibration_table(odds[alike], labels[alike], prior))


def calibration_table(odds: Array, labels: Array, prior: float | None = None) -> Table:
    """From log odds to probabilities, rising: isotonic steps (pool adjacent violators), straight
    lines between their middles. ``prior`` is the share of positives they are to mean; the rows' own
    where it is left out.

    A step of a few rows proves little: steps are pooled to 150 rows, and each counts one row more
    that is half true.
    """
    order = np.argsort(odds, kind="stable")
    blocks: list[list[float]] = []  # rows, sum of odds, sum of labels
    for value, label in zip(odds[order], labels[order], strict=True):
        blocks.append([1.0, float(value), float(label)])
        while len(blocks) > 1 and _falls(blocks[-2], blocks[-1]):
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    if len(blocks) > 1 and blocks[-1][0] < _BLOCK:
        last = blocks.pop()
        blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    table = [(total / n, (true + 0.5) / (n + 1)) for n, total, true in blocks]
    low, high = table[0][1], table[-1][1]
    ends = [(-30.0, low / 2), *table, (30.0, 1 - (1 - high) / 2)]
    shift = 1.0 if prior is None else _odds(prior) / _odds(float(labels.mean()))
    moved = [(x, shift * _odds(p) / (1 + shift * _odds(p))) for x, p in ends]
    return _rising([(round(x, 3), round(p, 4)) for x, p in moved])


def _odds(share: float) -> float:
    return share / (1 - share)


def _falls(before: Sequence[float], after: Sequence[float]) -> bool:
    """Whether two steps must be pooled."""
    return before[0] < _BLOCK or before[2] / before[0] >= after[2] / after[0]


def _rising(table: Table) -> Table:
    """Without entries that do not lie above the one before (rounding and the half row do that)."""
    out = table[:1]
    for entry in table[1:]:
        if entry[0] > out[-1][0] and entry[1] > out[-1][1]:
            out.append(entry)
    return out
