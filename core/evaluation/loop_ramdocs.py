"""Measures conflicting and misleading passages: the right values given, or the conflict shown.

Each question of RAMDocs comes with passages of equal standing, some of which state a value that
was put in. A row is good when nothing put in is stated as a fact, and either all correct values
are in the answer or the conflict is shown with a correct value among those quoted. A value that
stands in a quotation under its source's name is shown, not stated. Odd ids served for tuning, even
ids were held out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from core.evaluation.bench_tables import aligned
from core.evaluation.loop_conflicts import ConflictTally, conflict_tally
from core.evaluation.loop_report import LoopFigure
from core.models.base import Model
from core.models.draft import AnswerStatus
from core.models.trace import PipelineRun
from core.text.attributed import attributed
from core.text.cited import cited_sentences
from core.text.markers import strip_markers
from core.text.same_value import same_value
from core.text.tokens import words

SET = "ramdocs"
LEAST = 0.70
PUBLISHED, PUBLISHED_BY = 0.326, "Llama3.3-70B-Instruct, its own prompt"
Outcome = Literal[
    "all correct, clean",
    "conflict shown, all correct among it",
    "conflict shown, some correct among it",
    "conflict shown, none correct",
    "some correct, clean",
    "none, clean",
    "put-in value stated",
]
_GOOD: tuple[Outcome, ...] = (
    "all correct, clean",
    "conflict shown, all correct among it",
    "conflict shown, some correct among it",
)
Ask = Callable[[str, Sequence[dict[str, Any]]], PipelineRun]
"""Answers a question from exactly these passages (id, text)."""


class RamdocsCase(Model):
    """One question: what became of it. ``exact``: every correct value and no put-in one named."""

    id: str
    held_out: bool
    status: AnswerStatus
    outcome: Outcome
    exact: bool

    @property
    def good(self) -> bool:
        """The correct values, or the conflict, and nothing put in stated as a fact."""
        return self.outcome in _GOOD


class RamdocsReport(Model):
    """All questions and the conflict finder alone; ``skipped`` says why nothing was measured."""

    cases: tuple[RamdocsCase, ...] = ()
    finder: tuple[ConflictTally, ...] = ()
    skipped: str = ""

    def figures(self) -> tuple[LoopFigure, ...]:
        """Good rows (all, held out), put-in values stated, exact match beside the published."""
        if not self.cases:
            return ()
        held = [c for c in self.cases if c.held_out]
        stated = [c.outcome == "put-in value stated" for c in self.cases]
        return (
            LoopFigure(
                name="right values given or conflict shown, nothing put in stated",
                value=_share([c.good for c in self.cases]),
                aim=LEAST,
                n=len(self.cases),
            ),
            LoopFigure(
                name="the same, held-out half",
                value=_share([c.good for c in held]),
                aim=LEAST,
                n=len(held),
                note="even ids",
            ),
            LoopFigure(
                name="a put-in value stated as a fact", value=_share(stated), n=len(self.cases)
            ),
            LoopFigure(
                name="strict exact match",
                value=_share([c.exact for c in self.cases]),
                n=len(self.cases),
                published=PUBLISHED,
                published_by=PUBLISHED_BY,
                note="all correct values named, no put-in one anywhere",
            ),
            *(figure for tally in self.finder for figure in tally.figures()),
        )

    def table(self) -> str:
        """Outcomes by half, then the statuses."""
        if self.skipped:
            return self.skipped
        groups = {
            "all": self.cases,
            "odd (tuning)": tuple(c for c in self.cases if not c.held_out),
            "even (held out)": tuple(c for c in self.cases if c.held_out),
        }
        kinds = dict.fromkeys([*_GOOD, *(c.outcome for c in self.cases)])
        counts = {name: Counter(c.outcome for c in cases) for name, cases in groups.items()}
        rows = [(kind, *(str(counts[name][kind]) for name in groups)) for kind in kinds]
        rows.append(
            ("good", *(f"{100 * _share([c.good for c in g]):.1f} %" for g in groups.values()))
        )
        rows.append(
            (
                "exact match",
                *(f"{100 * _share([c.exact for c in g]):.1f} %" for g in groups.values()),
            )
        )
        statuses = Counter(c.status for c in self.cases)
        said = ", ".join(f"{status} {count}" for status, count in statuses.most_common())
        table = aligned(("outcome", *groups), rows, left=(0,))
        finder = "\n".join(tally.words() for tally in self.finder)
        return f"{table}\nstatus: {said}\n{finder}"


def run_ramdocs(data: Path, *, ask: Ask, limit: int | None = None) -> RamdocsReport:
    """Ask every question of the set (the first ``limit``) with its own passages, then run the
    conflict finder alone over the same rows. An absent set gives a report that says so."""
    file = data / SET / f"{SET}.jsonl"
    if not file.is_file():
        return RamdocsReport(skipped=f"skipped: {SET} is not in {data}")
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines if line.strip()][:limit]
    return RamdocsReport(
        cases=tuple(ramdocs_case(row, ask) for row in rows),
        finder=(
            conflict_tally("odd ids", [r for r in rows if not _held_out(r)]),
            conflict_tally("even ids, held out", [r for r in rows if _held_out(r)]),
        ),
    )


def ramdocs_case(row: dict[str, Any], ask: Ask) -> RamdocsCase:
    """One row asked and judged by its own answers, which the answering never saw."""
    passages = [{"id": p["id"], "text": p["text"]} for p in row["passages"]]
    run = ask(row["query"], passages)
    correct = tuple(row["gold_answers"])
    put_in = tuple(w for w in row["wrong_answers"] if not any(same_value(w, c) for c in correct))
    markdown = run.answer.answer_markdown
    return RamdocsCase(
        id=row["id"],
        held_out=_held_out(row),
        status=run.answer.status,
        outcome=outcome_of(markdown, correct, put_in),
        exact=all(names(strip_markers(markdown), c) for c in correct)
        and not any(names(strip_markers(markdown), w) for w in put_in),
    )


def outcome_of(markdown: str, correct: Sequence[str], put_in: Sequence[str]) -> Outcome:
    """What an answer does with the correct and the put-in values."""
    shown: list[str] = []
    stated: list[str] = []
    for sentence in cited_sentences(markdown).sentences:
        told = attributed(sentence.text)
        (shown if told and told.kind != "thing" else stated).append(sentence.text)
    facts, whole = "\n".join(stated), "\n".join([*stated, *shown])
    if any(names(facts, value) for value in put_in):
        return "put-in value stated"
    given = [names(whole, value) for value in correct]
    if len(shown) > 1:
        if all(given):
            return "conflict shown, all correct among it"
        return (
            "conflict shown, some correct among it"
            if any(given)
            else "conflict shown, none correct"
        )
    if all(given):
        return "all correct, clean"
    return "some correct, clean" if any(given) else "none, clean"


def names(text: str, value: str) -> bool:
    """Whether ``text`` holds the value's words in a row, case, marks and articles aside."""
    wanted = tuple(w for w in words(value) if w not in ("a", "an", "the"))
    held = tuple(w for w in words(text) if w not in ("a", "an", "the"))
    size = len(wanted)
    return bool(size) and any(held[i : i + size] == wanted for i in range(len(held) - size + 1))


def _held_out(row: dict[str, Any]) -> bool:
    return int(str(row["id"]).rsplit("-", 1)[-1]) % 2 == 0


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found) if found else 0.0
