"""Measures questions beside the point: our own, about the demo company, with answerable twins.

Each pair asks two things of one subject: what the sources state, and what they do not. Some
questions ask both in one. False answers are the harm, false refusals their price.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from core.evaluation.bench_tables import aligned
from core.evaluation.loop_answerability import AnswerClass, class_of
from core.evaluation.loop_report import LoopFigure
from core.models.base import Model
from core.models.draft import AnswerStatus
from core.models.trace import PipelineRun

QUESTIONS = "answerability.jsonl"
MOST_FALSE = 0.15
Expected = Literal["answerable", "unanswerable", "partial"]
_ANSWERS: tuple[AnswerStatus, ...] = ("answered", "conflicting_evidence")


class OwnCase(Model):
    """One question and what became of it. The held-out ones were written after the rules."""

    id: str
    query: str
    expected: Expected
    held_out: bool
    status: AnswerStatus
    found: AnswerClass

    @property
    def good(self) -> bool:
        """Answered where the sources answer, not where they do not, in part where in part."""
        if self.expected == "partial":
            return self.found == "PARTIAL" and self.status in _ANSWERS
        return (self.status in _ANSWERS) == (self.expected == "answerable")


class OwnAnswerabilityReport(Model):
    """All cases; ``skipped`` says why nothing was measured."""

    cases: tuple[OwnCase, ...] = ()
    skipped: str = ""

    def figures(self) -> tuple[LoopFigure, ...]:
        """False answers (with an aim), false refusals and parts told apart, held-out half."""
        if not self.cases:
            return ()
        held = [c for c in self.cases if c.held_out]
        return (
            _figure("false answers, held out", held, "unanswerable", MOST_FALSE),
            _figure("false refusals, held out", held, "answerable"),
            _figure("answerable in part, not told so", self.cases, "partial"),
        )

    def table(self) -> str:
        """Wrong outcomes by kind and half, then each of them."""
        if self.skipped:
            return self.skipped
        halves = {
            "all": self.cases,
            "seen while writing the rules": tuple(c for c in self.cases if not c.held_out),
            "held out": tuple(c for c in self.cases if c.held_out),
        }
        kinds: dict[str, Expected] = {
            "unanswerable, answered": "unanswerable",
            "answerable, refused": "answerable",
            "answerable in part, not told so": "partial",
        }
        rows = [
            (name, *(_wrong_of(cases, expected) for cases in halves.values()))
            for name, expected in kinds.items()
        ]
        wrong = [f"  {c.id} {c.expected}, {c.status}: {c.query}" for c in self.cases if not c.good]
        return "\n".join([aligned(("our own questions", *halves), rows, left=(0,)), *wrong])


def run_own_questions(
    questions: Path, *, ask: Callable[[str], PipelineRun], limit: int | None = None
) -> OwnAnswerabilityReport:
    """Ask every question of ``questions`` (a JSON Lines file), as somebody who may read what is
    public; with ``limit`` about so many, from all over. An absent file says so."""
    if not questions.is_file():
        return OwnAnswerabilityReport(skipped=f"skipped: {questions} is absent")
    lines = questions.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()]
    step = (len(rows) // limit) | 1 if limit else 1  # odd: twins stand side by side
    rows = rows[::step]
    return OwnAnswerabilityReport(cases=tuple(_case(row, ask) for row in rows))


def _case(row: dict[str, Any], ask: Callable[[str], PipelineRun]) -> OwnCase:
    run = ask(row["query"])
    return OwnCase.model_validate(
        {
            "id": row["id"],
            "query": row["query"],
            "expected": row["expected"],
            "held_out": row["held_out"],
            "status": run.answer.status,
            "found": class_of(run),
        }
    )


def _figure(
    name: str, cases: Sequence[OwnCase], expected: Expected, aim: float | None = None
) -> LoopFigure:
    wrong, asked = _counted(cases, expected)
    value = wrong / asked if asked else None
    return LoopFigure(name=name, value=value, aim=aim, direction="≤", n=asked)


def _wrong_of(cases: Sequence[OwnCase], expected: Expected) -> str:
    wrong, asked = _counted(cases, expected)
    return f"{wrong} of {asked}"


def _counted(cases: Sequence[OwnCase], expected: Expected) -> tuple[int, int]:
    asked = [c for c in cases if c.expected == expected]
    return sum(not c.good for c in asked), len(asked)
