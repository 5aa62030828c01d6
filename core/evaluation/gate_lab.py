"""What other thresholds would do to answers the gate has given already. No model is asked.

Everything here is a plain function of stored answers: a screen calls it on every move of a slider.
A stored answer is the gate's last word on a passage for a question; where a question has several
parts, another threshold might have made it look again at a part, which only a new run can tell.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, cast

from core.models.evidence import GateQuestion, GateThresholds, Route
from core.models.gate_policy import StoredAnswer
from core.stages.gate import Probabilities, rule_of

LIMITS: tuple[tuple[GateQuestion, str], ...] = (
    ("injection", "injection_max"),
    ("contradicts", "contradicts_min"),
    ("relevant", "relevant_min"),
    ("evidence", "evidence_min"),
)
"""The four questions with their thresholds, in the order in which they decide."""


class Routed(NamedTuple):
    """How many passages go where."""

    include: int = 0
    conflict: int = 0
    exclude: int = 0

    def plus(self, other: Routed) -> Routed:
        """Both together."""
        return Routed(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def passages(self) -> int:
        """All of them."""
        return sum(self)


class AskedQuestion(NamedTuple):
    """A run's question and what the gate said of each passage. ``query_id`` for a golden row."""

    trace_id: str
    question: str
    started_at: datetime
    answers: tuple[StoredAnswer, ...]
    query_id: str = ""


class Move(NamedTuple):
    """A passage that would go another way, and the probability that moves it."""

    question: str
    answer: StoredAnswer
    before: Route
    after: Route
    rule_before: str
    rule_after: str
    cause: GateQuestion
    probability: float
    threshold_before: float
    threshold_after: float


class QuestionRouted(NamedTuple):
    """One question before and after.

    ``routes`` are those after, passage by passage; ``moves`` the passages that go another way.
    """

    asked: AskedQuestion
    before: Routed
    after: Routed
    routes: tuple[Route, ...]
    moves: tuple[Move, ...]


class Rerouting(NamedTuple):
    """Many questions before and after."""

    questions: tuple[QuestionRouted, ...]
    before: Routed
    after: Routed

    @property
    def moves(self) -> tuple[Move, ...]:
        """Every passage that goes another way, question by question."""
        return tuple(move for question in self.questions for move in question.moves)


class GoldenEffect(NamedTuple):
    """What moving passages mean for one golden row. Titles of the passages concerned.

    ``bereft`` when none of the row's gold passages would reach the drafter any more.
    """

    query_id: str
    question: str
    gold_lost: tuple[str, ...] = ()
    gold_gained: tuple[str, ...] = ()
    injected_in: tuple[str, ...] = ()
    injected_out: tuple[str, ...] = ()
    conflicts_lost: tuple[str, ...] = ()
    conflicts_gained: tuple[str, ...] = ()
    bereft: bool = False

    @property
    def worse(self) -> bool:
        """Whether something is lost, or let in that should stay out."""
        return bool(self.gold_lost or self.injected_in or self.conflicts_lost)


def route_under(answer: StoredAnswer, thresholds: GateThresholds) -> tuple[Route, str]:
    """Where an answer sends its passage under ``thresholds``, and the rule that does."""
    if answer.relevant is None:
        return answer.route, answer.rule  # no threshold speaks to what was never judged
    route, rule = rule_of(
        cast(Probabilities, answer), thresholds, forced=answer.forced, looked_up=answer.looked_up
    )
    if answer.rule == "situation" and rule == "no_evidence":
        return answer.route, answer.rule  # the customer's case decided it, not a threshold
    return route, rule


def rerouted(
    asked: Iterable[AskedQuestion], before: GateThresholds, after: GateThresholds
) -> Rerouting:
    """Every question's passages under both sets of thresholds."""
    questions = tuple(_question(one, before, after) for one in asked)
    totals = [Routed(), Routed()]
    for question in questions:
        totals = [totals[0].plus(question.before), totals[1].plus(question.after)]
    return Rerouting(questions, before=totals[0], after=totals[1])


def _question(
    asked: AskedQuestion, before: GateThresholds, after: GateThresholds
) -> QuestionRouted:
    routes = [(route_under(a, before), route_under(a, after)) for a in asked.answers]
    return QuestionRouted(
        asked=asked,
        before=_counted(old[0] for old, _ in routes),
        after=_counted(new[0] for _, new in routes),
        routes=tuple(new[0] for _, new in routes),
        moves=tuple(
            _move(asked.question, answer, old, new, before, after)
            for answer, (old, new) in zip(asked.answers, routes, strict=True)
            if old[0] != new[0]
        ),
    )


def _counted(routes: Iterable[Route]) -> Routed:
    found = list(routes)
    return Routed(*(found.count(route) for route in ("include", "conflict", "exclude")))


def _move(
    question: str,
    answer: StoredAnswer,
    old: tuple[Route, str],
    new: tuple[Route, str],
    before: GateThresholds,
    after: GateThresholds,
) -> Move:
    cause, name = next(
        (q, name)
        for q, name in LIMITS
        if _fires(answer, q, getattr(before, name)) != _fires(answer, q, getattr(after, name))
    )
    return Move(
        question=question,
        answer=answer,
        before=old[0],
        after=new[0],
        rule_before=old[1],
        rule_after=new[1],
        cause=cause,
        probability=float(getattr(answer, cause)),
        threshold_before=float(getattr(before, name)),
        threshold_after=float(getattr(after, name)),
    )


def _fires(answer: StoredAnswer, question: GateQuestion, threshold: float) -> bool:
    value = float(getattr(answer, question))
    return value < threshold if question == "relevant" else value > threshold


# -- golden rows ------------------------------------------------------------------------------


def golden_effects(
    routed: Rerouting, gold: Mapping[str, Sequence[str]]
) -> tuple[GoldenEffect, ...]:
    """What the moves mean for each golden row that has any, the worse ones first.

    ``gold`` names the document ids that a row's answer should stand on, by query id.
    """
    found = [
        _effect(question, frozenset(gold.get(question.asked.query_id, ())))
        for question in routed.questions
        if question.moves
    ]
    return tuple(
        sorted((e for e in found if any(e[2:])), key=lambda e: (not e.bereft, not e.worse))
    )


def _effect(question: QuestionRouted, gold: frozenset[str]) -> GoldenEffect:
    moves = question.moves
    mine = [m for m in moves if m.answer.document_id in gold]
    lost = _titles(m for m in mine if m.before == "include")
    kept = any(
        route == "include" and answer.document_id in gold
        for answer, route in zip(question.asked.answers, question.routes, strict=True)
    )
    return GoldenEffect(
        query_id=question.asked.query_id,
        question=question.asked.question,
        gold_lost=lost,
        gold_gained=_titles(m for m in mine if m.after == "include"),
        injected_in=_titles(m for m in moves if m.rule_before == "injection"),
        injected_out=_titles(m for m in moves if m.rule_after == "injection"),
        conflicts_lost=_titles(m for m in moves if m.before == "conflict"),
        conflicts_gained=_titles(m for m in moves if m.after == "conflict"),
        bereft=bool(lost) and not kept,
    )


def _titles(moves: Iterable[Move]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(move.answer.title for move in moves))


# -- taking it away ---------------------------------------------------------------------------

_CSV_HEAD = (
    "trace_id",
    "question",
    "chunk_id",
    "title",
    "from",
    "to",
    "rule_before",
    "rule_after",
    "moved_by",
    "probability",
    "threshold_before",
    "threshold_after",
    "sentence",
)


def moves_csv(moves: Iterable[Move]) -> str:
    """One line a move; a cell that a spreadsheet would run gets a quote before it."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_CSV_HEAD)
    for m in moves:
        a = m.answer
        place = (a.trace_id, m.question, a.chunk_id, a.title)
        way = (m.before, m.after, m.rule_before, m.rule_after, m.cause)
        numbers = (m.probability, m.threshold_before, m.threshold_after)
        writer.writerow(
            [*map(_cell, (*place, *way)), *(f"{n:.4f}" for n in numbers), _cell(a.sentence)]
        )
    return out.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
