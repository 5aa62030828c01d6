"""Which of the gate's tests a passage passed before one sent it somewhere."""

from __future__ import annotations

from typing import Literal, NamedTuple

from core.evaluation.gate_lab import LIMITS
from core.models.evidence import GatedPassage, GateQuestion, GateThresholds

Outcome = Literal["passed", "decided", "not reached", "not judged"]


class Step(NamedTuple):
    """One test: its question, the probability (``None`` unjudged), the limit, how it came out."""

    question: GateQuestion
    probability: float | None
    limit: float
    outcome: Outcome


_DECIDES: dict[str, GateQuestion] = {
    "injection": "injection",
    "contradicts": "contradicts",
    "not_relevant": "relevant",
    "no_evidence": "evidence",
    "evidence": "evidence",
}


def steps(gated: GatedPassage, thresholds: GateThresholds) -> tuple[Step, ...]:
    """The four tests in their fixed order, as they came out for a passage routed by ``thresholds``.

    A reviewer's decision to leave it out comes before all tests; one to use it, and a record looked
    up by its key, pass the test for injection and reach no other.
    """
    names = [question for question, _ in LIMITS]
    reached = _reached(gated)
    return tuple(
        Step(
            question=question,
            probability=None if gated.scores is None else gated.probability(question),
            limit=float(getattr(thresholds, name)),
            outcome=_outcome(gated, question, reached=names.index(question) < reached),
        )
        for question, name in LIMITS
    )


def _reached(gated: GatedPassage) -> int:
    """How many of the tests were made."""
    if gated.rule == "forced" and gated.route == "exclude":
        return 0
    if gated.rule == "forced" or (gated.candidate.looked_up and gated.rule == "evidence"):
        return 1
    if gated.rule == "situation":
        return len(LIMITS)
    decided = _DECIDES.get(gated.rule, "evidence")
    return [question for question, _ in LIMITS].index(decided) + 1


def _outcome(gated: GatedPassage, question: GateQuestion, *, reached: bool) -> Outcome:
    if gated.scores is None:
        return "not judged"
    if not reached:
        return "not reached"
    looked_up = gated.candidate.looked_up and gated.rule == "evidence"
    decides = _DECIDES.get(gated.rule) == question and not looked_up
    return "decided" if decides else "passed"
