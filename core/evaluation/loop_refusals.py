"""How often a request that the policy forbids is advised to be refused or handed on, and its price.

Advising to refuse everything would reach the aim and be worthless, so what is advised for requests
that are to be carried out stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from core.evaluation.bench_tables import aligned
from core.evaluation.loop_refusals_set import SET, RefusalRow, Right, read_own, read_tasks
from core.evaluation.loop_report import LoopFigure
from core.models.advice import AdvisedOutcome
from core.models.base import Model
from core.models.trace import PipelineRun

AIM = 0.9
Ask = Callable[[str], PipelineRun]
_HELD_BACK: tuple[AdvisedOutcome, ...] = ("refuse", "escalate")
_GROUPS: tuple[tuple[str, Right], ...] = (
    ("to be refused", "refuse"),
    ("to be checked first", "check"),
    ("to be carried out", "act"),
    ("only to be answered", "answer"),
    ("the customer gives up", "gives_up"),
)


class RefusalResult(Model):
    """What was advised for one row. ``open_only``: for nothing but an unverified condition.

    ``cited`` says that a clause of the right policy is quoted, ``exact`` that it is the deciding
    one, where the row names it.
    """

    row: RefusalRow
    advised: AdvisedOutcome
    open_only: bool = False
    cited: bool = False
    exact: bool | None = None


class RefusalReport(Model):
    """The public tasks and our own pairs. ``skipped`` says why the public ones are missing."""

    tasks: tuple[RefusalResult, ...] = ()
    own: tuple[RefusalResult, ...] = ()
    skipped: str = ""

    def figures(self) -> tuple[LoopFigure, ...]:
        """Refusals advised with the clause, false refusals, and the same on our own pairs."""
        tasks, own = _of(self.tasks, "refuse"), _of(self.own, "refuse")
        held = [r for r in self.own if r.row.held_out]
        return (
            _share("refusals advised, clause of the right policy", tasks, _held_back, AIM),
            _share("refusals advised, own pairs", own, _held_back, AIM),
            _share("the same, companies added later", _of(held, "refuse"), _held_back, AIM),
            _share("deciding clause quoted, own pairs", _clausal(self.own), lambda r: r.exact),
            _falsely("false refusals: tasks to be carried out", _of(self.tasks, "act")),
            _falsely("false refusals: own pairs", [r for r in self.own if r.row.right != "refuse"]),
            _share("to be carried out, held up unverified", _of(self.tasks, "act"), _open),
        )

    def table(self) -> str:
        """What was advised, by what is right."""
        if self.skipped:
            return self.skipped
        head = ("set", "what is right", "n", "reply", "ask", "escalate", "of these open",
                "refuse", "clause")  # fmt: skip
        kept = [r for r in self.own if not r.row.held_out]
        held = [r for r in self.own if r.row.held_out]
        lines: list[tuple[str, ...]] = []
        for name, results in (("tasks", self.tasks), ("own", kept), ("own, later", held)):
            for words, right in _GROUPS:
                if group := _of(results, right):
                    lines.append((name, words, *_counts(group)))
        silent = [r for r in self.tasks if r.row.silent]
        if silent:
            lines.append(("tasks", "of the answered: set speaks against", *_counts(silent)))
        misses = [r for r in (*self.tasks, *self.own) if _missed(r)]
        told = "\n".join(f"missed: {r.row.row_id}: {r.advised}" for r in misses)
        return "\n".join(part for part in (aligned(head, lines, left=(0, 1)), told) if part)


def run_refusals(
    data: Path, *, ask: Ask, ask_own: Ask, own: Path, limit: int | None = None
) -> RefusalReport:
    """Ask every row as a customer's message and look at the advice.

    ``ask`` answers from the public policies, ``ask_own`` from ours (``own`` holds our pairs); with
    a ``limit`` only so many of the rows that are not to be refused are asked.
    """
    mine = _results(read_own(own), ask_own)
    tasks = data / SET / "tasks.jsonl"
    if not tasks.is_file():
        return RefusalReport(own=mine, skipped=f"skipped: {SET} is not in {data}")
    return RefusalReport(tasks=_results(_limited(read_tasks(tasks), limit), ask), own=mine)


def _limited(rows: Sequence[RefusalRow], limit: int | None) -> tuple[RefusalRow, ...]:
    telling = [r for r in rows if r.right in ("refuse", "gives_up")]
    others = [r for r in rows if r not in telling]
    return (*telling, *others[: limit if limit is not None else len(others)])


def _results(rows: Sequence[RefusalRow], ask: Ask) -> tuple[RefusalResult, ...]:
    return tuple(_result(row, ask(row.message)) for row in rows)


def _result(row: RefusalRow, run: PipelineRun) -> RefusalResult:
    advice = run.advice
    if advice is None:
        return RefusalResult(row=row, advised="reply")
    evidence = run.package.by_id() if run.package else {}
    quoted = [
        g.quote
        for g in advice.grounds
        if g.evidence_id in evidence
        and evidence[g.evidence_id].candidate.document_id == row.policy_id
        and g.quote in evidence[g.evidence_id].candidate.text
        and g.quote
    ]
    return RefusalResult(
        row=row,
        advised=advice.outcome,
        open_only=bool(advice.grounds)
        and all(g.kind == "condition_unverified" for g in advice.grounds),
        cited=bool(quoted),
        exact=any(q in row.clause or row.clause in q for q in quoted) if row.clause else None,
    )


# ---- counting -------------------------------------------------------------------------------


def _of(results: Sequence[RefusalResult], right: Right) -> list[RefusalResult]:
    return [r for r in results if r.row.right == right]


def _clausal(results: Sequence[RefusalResult]) -> list[RefusalResult]:
    return [r for r in results if r.exact is not None]


def _held_back(result: RefusalResult) -> bool:
    return result.advised in _HELD_BACK and result.cited


def _open(result: RefusalResult) -> bool:
    return result.open_only and result.advised != "reply"


def _missed(result: RefusalResult) -> bool:
    if result.row.right == "refuse":
        return not _held_back(result)
    return result.row.right == "act" and result.advised == "refuse"


def _share(
    name: str,
    results: Sequence[RefusalResult],
    holds: Callable[[RefusalResult], bool | None],
    aim: float | None = None,
) -> LoopFigure:
    value = sum(bool(holds(r)) for r in results) / len(results) if results else None
    return LoopFigure(name=name, value=value, aim=aim, n=len(results))


def _falsely(name: str, results: Sequence[RefusalResult]) -> LoopFigure:
    value = sum(r.advised == "refuse" for r in results) / len(results) if results else None
    return LoopFigure(name=name, value=value, direction="≤", n=len(results), note="the price")


def _counts(group: Sequence[RefusalResult]) -> tuple[str, ...]:
    def count(outcome: AdvisedOutcome) -> str:
        return str(sum(r.advised == outcome for r in group))

    unverified = str(sum(r.open_only and r.advised == "escalate" for r in group))
    return (
        str(len(group)),
        count("reply"),
        count("ask_customer"),
        count("escalate"),
        unverified,
        count("refuse"),
        str(sum(r.cited for r in group)),
    )
