"""Figures of a scorer and their intervals, on rows small enough to count by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.evaluation.gate_metrics import (
    Estimate,
    Measure,
    alarms_above,
    auroc,
    balanced_accuracy,
    best_balanced_accuracy,
    estimate,
    lost_below,
    recall_above,
    recall_at,
)

LABELS = (1, 1, 1, 0, 0, 0, 0)
SCORES = (0.9, 0.6, 0.4, 0.6, 0.3, 0.2, 0.1)
MEASURES: dict[str, Measure] = {
    "auroc": auroc,
    "recall at 2 %": recall_at(),
    "recall": recall_above(0.5),
    "alarms": alarms_above(0.5),
    "lost": lost_below(0.45),
    "balanced": balanced_accuracy(0.5),
    "best": best_balanced_accuracy,
}

rows = st.lists(
    st.tuples(
        st.integers(0, 1), st.sampled_from([0.0, 0.1, 0.5, 0.7, 1.0]), st.sampled_from("abcd")
    ),
    min_size=1,
    max_size=25,
)


def of(measure: Measure, labels: tuple[int, ...], scores: tuple[float, ...]) -> float | None:
    found = estimate(measure, labels, scores, [str(at) for at in range(len(labels))], resamples=50)
    return found.value if found else None


def test_auroc_counts_pairs_in_order_and_half_of_the_ties() -> None:
    pairs = [(SCORES[p], SCORES[n]) for p, n in product(range(3), range(3, 7))]
    won = sum(1.0 if p > n else 0.5 if p == n else 0.0 for p, n in pairs)
    assert of(auroc, LABELS, SCORES) == pytest.approx(won / len(pairs))


def test_a_perfect_scorer_has_one_and_one_that_says_nothing_a_half() -> None:
    assert of(auroc, LABELS, tuple(float(label) for label in LABELS)) == 1.0
    assert of(auroc, LABELS, (0.4,) * 7) == 0.5
    assert of(recall_at(), LABELS, tuple(float(label) for label in LABELS)) == 1.0
    assert of(recall_at(), LABELS, (0.4,) * 7) == 0.0
    assert of(best_balanced_accuracy, LABELS, (0.4,) * 7) == 0.5


def test_intervals_of_random_scorers_hold_a_half_about_nineteen_times_in_twenty() -> None:
    chance = np.random.default_rng(3)
    groups = [str(at) for at in range(200)]
    held = 0
    for _ in range(40):
        labels = [int(value) for value in chance.integers(2, size=200)]
        scores = [float(value) for value in chance.random(200)]
        found = estimate(auroc, labels, scores, groups, resamples=200)
        assert found is not None
        assert found.high - found.low < 0.2
        held += found.low <= 0.5 <= found.high
    assert 34 <= held <= 40


def test_recall_at_a_rate_never_flags_a_tie_in_part() -> None:
    # One positive and one negative share .6: flagging it would flag a quarter of the negatives.
    assert of(recall_at(0.02), LABELS, SCORES) == pytest.approx(1 / 3)
    assert of(recall_at(0.25), LABELS, SCORES) == 1.0


def test_rates_at_a_threshold_count_what_lies_above_it() -> None:
    assert of(recall_above(0.5), LABELS, SCORES) == pytest.approx(2 / 3)
    assert of(recall_above(0.6), LABELS, SCORES) == pytest.approx(1 / 3)
    assert of(alarms_above(0.5), LABELS, SCORES) == 0.25
    assert of(lost_below(0.45), LABELS, SCORES) == pytest.approx(1 / 3)
    assert of(lost_below(0.4), LABELS, SCORES) == 0.0
    assert of(balanced_accuracy(0.5), LABELS, SCORES) == pytest.approx((2 / 3 + 3 / 4) / 2)
    assert of(best_balanced_accuracy, LABELS, SCORES) == pytest.approx((1 + 3 / 4) / 2)


@pytest.mark.parametrize("name", ["auroc", "recall at 2 %", "balanced", "best"])
@pytest.mark.parametrize("label", [0, 1])
def test_one_class_alone_has_no_figure_where_two_are_compared(name: str, label: int) -> None:
    assert of(MEASURES[name], (label,) * 3, (0.1, 0.6, 0.9)) is None


def test_nothing_has_no_figure() -> None:
    assert all(estimate(measure, (), (), ()) is None for measure in MEASURES.values())
    assert of(alarms_above(0.5), (1, 1), (0.9, 0.1)) is None
    assert of(recall_above(0.5), (0, 0), (0.9, 0.1)) is None


@given(rows)
def test_every_interval_holds_its_figure(rows: list[tuple[int, float, str]]) -> None:
    labels, scores, groups = zip(*rows, strict=True)
    for measure in MEASURES.values():
        found = estimate(measure, labels, scores, groups, resamples=20)
        assert found is None or 0 <= found.low <= found.value <= found.high <= 1


def test_seeing_no_false_alarm_does_not_prove_there_is_none() -> None:
    few = estimate(alarms_above(0.5), [0] * 10, [0.1] * 10, [str(at) for at in range(10)])
    many = estimate(alarms_above(0.5), [0] * 500, [0.1] * 500, [str(at) for at in range(500)])
    assert few is not None
    assert many is not None
    assert few.value == many.value == few.low == 0.0
    assert few.high > 0.2 > 0.02 > many.high > 0.0


def test_rows_of_one_group_count_as_one_observation() -> None:
    labels, scores = [1, 0] * 50, [0.9, 0.1, 0.2, 0.8] * 25
    alone = estimate(auroc, labels, scores, [str(at) for at in range(100)])
    grouped = estimate(auroc, labels, scores, [str(at // 25) for at in range(100)])
    assert alone is not None
    assert grouped is not None
    assert alone.value == grouped.value
    again = estimate(auroc, labels, scores, [str(at) for at in range(100)])
    assert again == alone


def test_dependent_rows_widen_the_interval() -> None:
    labels = [1] * 40 + [0] * 40
    scores = ([0.9] * 10 + [0.2] * 10) * 2 + ([0.1] * 10 + [0.6] * 10) * 2
    alone = estimate(recall_above(0.5), labels, scores, [str(at) for at in range(80)])
    grouped = estimate(recall_above(0.5), labels, scores, [str(at // 10) for at in range(80)])
    assert alone is not None
    assert grouped is not None
    assert grouped.high - grouped.low > 2 * (alone.high - alone.low)


def test_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(BadInput, match="2 labels, 1 scores and 2 groups"):
        estimate(auroc, (0, 1), (0.5,), ("a", "b"))


def test_an_interval_that_misses_its_figure_is_refused() -> None:
    with pytest.raises(ValueError, match="holds its figure"):
        Estimate(value=0.9, low=0.1, high=0.8)
