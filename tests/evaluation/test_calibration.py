"""Reliability by bins: figures worked out by hand, and what may not be asked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.errors import BadInput
from core.evaluation.calibration import CalibrationBin, calibration, wilson


def test_the_error_is_the_mean_gap_weighed_by_rows() -> None:
    labels = [1, 0, 1, 1]
    scores = [0.2, 0.2, 0.9, 0.9]  # gaps: |.5 - .2| over two rows, |1 - .9| over two rows

    curve = calibration(labels, scores, bins=5)

    assert curve.ece == pytest.approx(0.2)
    assert [b.count for b in curve.bins] == [0, 2, 0, 0, 2]
    assert curve.bins[1].mean == pytest.approx(0.2)
    assert curve.bins[1].rate == 0.5
    assert curve.bins[0].rate is None


def test_gaps_of_both_signs_within_one_bin_cancel() -> None:
    assert calibration([1, 0], [0.55, 0.45], bins=1).ece == pytest.approx(0.0)


def test_a_score_on_an_edge_belongs_to_the_bin_above_and_one_to_the_last() -> None:
    curve = calibration([1, 1, 0, 1], [0.3, 0.7, 0.6, 1.0], bins=10)

    assert [n for n, b in enumerate(curve.bins) if b.count] == [3, 6, 7, 9]


def test_the_interval_holds_the_error_and_is_the_same_every_time() -> None:
    chance = np.random.default_rng(1)
    scores = chance.uniform(size=400)
    labels = (chance.uniform(size=400) < scores).astype(int).tolist()

    curve = calibration(labels, scores.tolist())

    assert curve.ece_low <= curve.ece <= curve.ece_high
    assert curve.ece < 0.08
    assert curve == calibration(labels, scores.tolist())
    assert curve != calibration(labels, scores.tolist(), seed=8)


def test_probabilities_that_say_too_much_are_found_out() -> None:
    chance = np.random.default_rng(1)
    true_rate = chance.uniform(0.3, 0.7, size=2000)
    labels = (chance.uniform(size=2000) < true_rate).astype(int).tolist()
    bold = np.where(true_rate > 0.5, 0.95, 0.05).tolist()

    assert calibration(labels, bold).ece_low > 0.25


@pytest.mark.parametrize(
    ("labels", "scores", "bins", "words"),
    [
        ([], [], 10, "no rows"),
        ([1], [0.5, 0.5], 10, "do not match"),
        ([2], [0.5], 10, "0 or 1"),
        ([1], [1.2], 10, "between 0 and 1"),
        ([1], [float("nan")], 10, "between 0 and 1"),
        ([1], [0.5], 0, "at least one bin"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    labels: list[int], scores: list[float], bins: int, words: str
) -> None:
    with pytest.raises(BadInput, match=words):
        calibration(labels, scores, bins=bins)


def test_an_empty_bin_claims_no_rate() -> None:
    with pytest.raises(ValidationError, match="exactly when"):
        CalibrationBin(low=0, high=0.1, mean=0.05, rate=0.1, rate_low=0.0, rate_high=0.2, count=0)


def test_wilson_agrees_with_the_published_example() -> None:
    low, high = wilson(81, 263)  # Newcombe (1998), table I, method 3
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=30))
def test_every_row_falls_into_one_bin_that_holds_its_mean(
    rows: list[tuple[bool, float]],
) -> None:
    curve = calibration([t for t, _ in rows], [s for _, s in rows])

    assert sum(b.count for b in curve.bins) == curve.rows == len(rows)
    for b in curve.bins:
        if b.mean is not None and b.rate is not None:
            assert b.low - 1e-9 <= b.mean <= b.high + 1e-9
            assert b.rate_low is not None
            assert b.rate_high is not None
            assert 0 <= b.rate_low <= b.rate <= b.rate_high <= 1
