"""The tests a passage passed before one decided."""

from __future__ import annotations

import pytest

from core.evaluation.gate_steps import steps
from core.models.evidence import GateScores, GateThresholds
from tests.evaluation.test_gate_lab import a_gated

NOW = GateThresholds(injection_max=0.7, contradicts_min=0.65, relevant_min=0.45, evidence_min=0.55)


def outcomes(
    scores: tuple[float, float, float, float] | None, kind: str = "hybrid", forced: str = ""
) -> list[str]:
    """``scores`` in the order of the tests."""
    given = None
    if scores is not None:
        injection, contradicts, relevant, evidence = scores
        given = GateScores(
            injection=injection, contradicts=contradicts, relevant=relevant, evidence=evidence
        )
    gated = a_gated(given, NOW, kind, forced=forced)
    return [step.outcome for step in steps(gated, NOW)]


P, D, N = "passed", "decided", "not reached"


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((0.9, 0.9, 0.9, 0.9), [D, N, N, N]),
        ((0.1, 0.9, 0.9, 0.9), [P, D, N, N]),
        ((0.1, 0.1, 0.1, 0.9), [P, P, D, N]),
        ((0.1, 0.1, 0.9, 0.1), [P, P, P, D]),
        ((0.1, 0.1, 0.9, 0.9), [P, P, P, D]),
    ],
)
def test_the_first_test_that_fires_decides_and_later_ones_are_not_reached(
    scores: tuple[float, float, float, float], expected: list[str]
) -> None:
    assert outcomes(scores) == expected


def test_a_record_and_a_reviewers_choice_pass_the_first_test_alone() -> None:
    assert outcomes((0.1, 0.9, 0.1, 0.1), "record") == [P, N, N, N]
    assert outcomes((0.1, 0.9, 0.1, 0.1), forced="in") == [P, N, N, N]
    assert outcomes((0.9, 0.0, 0.9, 0.9), forced="in") == [D, N, N, N]


def test_a_reviewers_refusal_comes_before_all_tests() -> None:
    assert outcomes((0.9, 0.9, 0.9, 0.9), forced="out") == [N, N, N, N]


def test_what_was_not_judged_has_no_outcome() -> None:
    gated = a_gated(None, NOW, "hybrid")
    assert {step.outcome for step in steps(gated, NOW)} == {"not judged"}
    assert {step.probability for step in steps(gated, NOW)} == {None}
    assert [step.limit for step in steps(gated, NOW)] == [0.7, 0.65, 0.45, 0.55]
