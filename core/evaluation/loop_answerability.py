"""Measures whether a question is answered, answered in part, or left open, as it should be.

``mtrag_human_eval`` labels the last turns of conversations ANSWERABLE, PARTIAL or UNANSWERABLE;
turns that ask nothing (CONVERSATIONAL) are left out and counted. Each is asked twice: with the
passages that came with it (an unanswerable one has none), and over the pool of all passages of its
collection, where passages of the same subject are always found. What a run amounts to is read from
its JSON alone (``class_of``).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from core.evaluation.bench_tables import aligned
from core.evaluation.loop_report import LoopFigure
from core.models.base import Model
from core.models.request import Turn
from core.models.trace import PipelineRun

SET = "mtrag_human_eval"
LEAST = 0.65
SUPPLIED, POOL = "passages supplied", "over the pool"
Label = Literal["ANSWERABLE", "PARTIAL", "UNANSWERABLE"]
AnswerClass = Literal["ANSWERABLE", "PARTIAL", "UNANSWERABLE", "OTHER"]
LABELS: tuple[Label, ...] = get_args(Label)
Ask = Callable[[str, tuple[Turn, ...], Sequence[dict[str, Any]] | None], PipelineRun]
"""Answers a question after a conversation, from these passages or (``None``) from what is found."""
OpenPool = Callable[[str, Path], Ask]
"""Opens a home of that name over a JSON Lines file of passages."""


def class_of(run: PipelineRun) -> AnswerClass:
    """What a run says of its question, as somebody reads it who has only its JSON.

    * answered (or both sides of a conflict shown), nothing missing: ANSWERABLE
    * answered, and something named as missing: PARTIAL
    * not answered, but evidence on the subject is named that does not state it: PARTIAL
    * not answered, and nothing on the subject: UNANSWERABLE
    * a question back, a refusal, a failure: OTHER, which is never right here
    """
    status = run.answer.status
    if status == "conflicting_evidence":
        return "ANSWERABLE"
    if status == "answered":
        return "PARTIAL" if run.answer.missing_information else "ANSWERABLE"
    if status != "insufficient_evidence":
        return "OTHER"
    return "PARTIAL" if _on_the_subject(run) else "UNANSWERABLE"


def _on_the_subject(run: PipelineRun) -> bool:
    matrix = run.judgement.dimension_coverage_matrix if run.judgement else {}
    if any(coverage.evidence_ids for coverage in matrix.values()):
        return True
    accepted = run.package.selected_evidence if run.package else ()
    return bool(accepted) or any(gated.rule == "no_evidence" for gated in run.gated)


class AnswerabilityCase(Model):
    """One question asked one way: what it was labelled and what became of it."""

    id: str
    way: str
    held_out: bool
    label: Label
    found: AnswerClass


class ClassScore(NamedTuple):
    """Precision, recall and F1 (0..1) of one label over ``n`` questions that carry it."""

    label: str
    n: int
    precision: float
    recall: float
    f1: float


class AnswerabilityReport(Model):
    """All cases; ``left_out`` turns ask nothing; ``skipped`` says why there are none."""

    cases: tuple[AnswerabilityCase, ...] = ()
    left_out: int = 0
    skipped: str = ""

    def ways(self) -> tuple[str, ...]:
        """The ways the questions were asked."""
        return tuple(dict.fromkeys(case.way for case in self.cases))

    def figures(self) -> tuple[LoopFigure, ...]:
        """Macro-F1 for each way, and on the half that nothing was tuned on."""
        found = []
        for way in self.ways():
            cases = [c for c in self.cases if c.way == way]
            held = [c for c in cases if c.held_out]
            name = f"answerability macro-F1, {way}"
            found.append(LoopFigure(name=name, value=macro_f1(cases), aim=LEAST, n=len(cases)))
            found.append(
                LoopFigure(
                    name=f"{name}, held-out half",
                    value=macro_f1(held),
                    n=len(held),
                    note="even places",
                )
            )
        return tuple(found)

    def table(self) -> str:
        """For each way: scores by label, halves, and the confusion matrix."""
        if self.skipped:
            return self.skipped
        parts = [_way_table(way, [c for c in self.cases if c.way == way]) for way in self.ways()]
        left = f"left out: {self.left_out} conversational turn(s), which ask nothing"
        return "\n\n".join([*parts, left])


def run_answerability(
    data: Path,
    *,
    ask: Ask,
    open_pool: OpenPool | None = None,
    folder: Path | None = None,
    limit: int | None = None,
) -> AnswerabilityReport:
    """Ask every labelled turn with its own passages and, given ``open_pool`` and a scratch
    ``folder``, over its collection's pool. An absent set gives a report that says so."""
    file = data / SET / "tasks.jsonl"
    if not file.is_file():
        return AnswerabilityReport(skipped=f"skipped: {SET} is not in {data}")
    lines = file.read_text(encoding="utf-8").splitlines()
    every = [json.loads(line) for line in lines if line.strip()]
    tasks = [task for task in every if task["answerability"] in LABELS][:limit]
    cases = [_case(at, task, SUPPLIED, ask, task["passages"]) for at, task in enumerate(tasks, 1)]
    if open_pool is not None and folder is not None:
        cases += _over_pools(tasks, every, open_pool, folder)
    return AnswerabilityReport(cases=tuple(cases), left_out=len(every) - len(tasks))


def _over_pools(
    tasks: Sequence[dict[str, Any]],
    every: Sequence[dict[str, Any]],
    open_pool: OpenPool,
    folder: Path,
) -> Iterator[AnswerabilityCase]:
    for collection in dict.fromkeys(task["collection"] for task in tasks):
        pool = {
            p["id"]: {"id": p["id"], "title": str(p.get("title", "")), "text": p["text"]}
            for task in every
            if task["collection"] == collection
            for p in task["passages"]
        }
        file = folder / f"{collection}.jsonl"
        file.write_text("\n".join(json.dumps(row) for row in pool.values()), encoding="utf-8")
        ask = open_pool(collection, file)
        for at, task in enumerate(tasks, 1):
            if task["collection"] == collection:
                yield _case(at, task, POOL, ask, None)


def _case(
    at: int,
    task: dict[str, Any],
    way: str,
    ask: Ask,
    passages: Sequence[dict[str, Any]] | None,
) -> AnswerabilityCase:
    """``at`` is the task's place, from 1: even places are held out."""
    rows = None if passages is None else [{"id": p["id"], "text": p["text"]} for p in passages]
    run = ask(str(task["query"]), _turns(task["history"]), rows)
    return AnswerabilityCase(
        id=task["id"],
        way=way,
        held_out=at % 2 == 0,
        label=task["answerability"],
        found=class_of(run),
    )


def _turns(history: Sequence[dict[str, Any]]) -> tuple[Turn, ...]:
    return tuple(
        Turn(role="customer" if h["speaker"] == "user" else "agent", text=str(h["text"]))
        for h in history
        if str(h["text"]).strip()
    )


# ---- scores -----------------------------------------------------------------------------------


def scores(cases: Sequence[AnswerabilityCase]) -> tuple[ClassScore, ...]:
    """One row for each label that occurs among ``cases``."""
    found = []
    for label in LABELS:
        labelled = [c for c in cases if c.label == label]
        if not labelled:
            continue
        told = [c for c in cases if c.found == label]
        right = sum(c.found == label for c in labelled)
        precision = right / len(told) if told else 0.0
        recall = right / len(labelled)
        both = precision + recall
        f1 = 2 * precision * recall / both if both else 0.0
        found.append(ClassScore(label, len(labelled), precision, recall, f1))
    return tuple(found)


def macro_f1(cases: Sequence[AnswerabilityCase]) -> float | None:
    """The mean F1 over the labels that occur; ``None`` without cases."""
    rows = scores(cases)
    return sum(row.f1 for row in rows) / len(rows) if rows else None


def _way_table(way: str, cases: Sequence[AnswerabilityCase]) -> str:
    rows = [
        (r.label, str(r.n), f"{r.precision:.2f}", f"{r.recall:.2f}", f"{r.f1:.2f}")
        for r in scores(cases)
    ]
    halves = (("macro", cases), *((_half(held=h), _of_half(cases, held=h)) for h in (False, True)))
    rows += [(name, str(len(half)), "", "", _shown(macro_f1(half))) for name, half in halves]
    table = aligned((way, "n", "precision", "recall", "F1"), rows, left=(0,))
    counts = Counter((c.label, c.found) for c in cases)
    head = ("labelled, found as", *get_args(AnswerClass))
    matrix = [
        (label, *(str(counts[label, found]) for found in get_args(AnswerClass))) for label in LABELS
    ]
    return f"{table}\n{aligned(head, matrix, left=(0,))}"


def _half(*, held: bool) -> str:
    return "macro, even places (held out)" if held else "macro, odd places"


def _of_half(cases: Sequence[AnswerabilityCase], *, held: bool) -> list[AnswerabilityCase]:
    return [case for case in cases if case.held_out == held]


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
