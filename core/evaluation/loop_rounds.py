"""Measures whether further rounds pay: what each settles, which strategies fill their gap, time.

Over our own questions that one search seldom settles, and over the golden set. A run is counted as
it comes: nothing is asked twice, no gold is shown to it.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import median

from core.evaluation.bench_tables import aligned
from core.evaluation.golden import GoldenCase
from core.evaluation.loop_report import LoopFigure
from core.models.base import Model
from core.models.plan import RewriteStrategy
from core.models.trace import LoopEnd, PipelineRun

QUESTIONS = "loop_questions.jsonl"
MOST_ROUNDS, SLOWEST_MS, ALL_ROUNDS = 2.0, 3_000.0, 4


class LoopQuestion(Model):
    """One of our questions. ``sources`` are document ids or beginnings of row keys that must be in
    evidence, none where nothing answers; ``facts`` are words the reply must hold."""

    id: str
    kind: str
    query: str
    sources: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


class RoundsCase(Model):
    """What became of one question.

    ``settled`` counts the dimensions covered after each round, of ``dimensions``; ``first`` and
    ``found`` say whether all sources were in evidence after the first round and in the end.
    """

    id: str
    kind: str
    query: str
    rounds: int
    dimensions: int
    settled: tuple[int, ...]
    tried: tuple[tuple[RewriteStrategy, bool], ...]
    end: LoopEnd | None
    ms: float
    first: bool | None = None
    found: bool | None = None
    told: bool | None = None
    """Whether the reply holds every fact."""


class RoundsReport(Model):
    """All cases, ours first, then the golden set; ``skipped`` says why nothing was measured."""

    cases: tuple[RoundsCase, ...] = ()
    skipped: str = ""

    def figures(self) -> tuple[LoopFigure, ...]:
        """Rounds and time with their aims, then what the later rounds brought."""
        if not self.cases:
            return ()
        searched = [c for c in self.cases if c.rounds]
        own = [c for c in searched if c.found is not None]
        full = [c.ms for c in searched if c.rounds == ALL_ROUNDS]
        steps = [filled for c in searched for _, filled in c.tried]
        return (
            LoopFigure(
                name="rounds, median",
                value=median(c.rounds for c in searched),
                aim=MOST_ROUNDS,
                direction="≤",
                n=len(searched),
                unit="count",
            ),
            LoopFigure(
                name=f"time of runs with {ALL_ROUNDS} rounds, p95",
                value=_p95(full),
                aim=SLOWEST_MS if full else None,
                direction="<",
                n=len(full),
                unit="ms",
                note="" if full else "no run took so many",
            ),
            _share("all sources in evidence after round 1, own questions", [c.first for c in own]),
            _share("all sources in evidence at the end, own questions", [c.found for c in own]),
            _share("reply holds every fact, own questions", [c.told for c in own]),
            _share("rewrites whose gap was filled", steps),
        )

    def table(self) -> str:
        """Coverage by round, strategies, ends, and our questions one by one."""
        if self.skipped:
            return self.skipped
        return "\n\n".join(
            (self._coverage(), self._strategies(), self._ends(), self._time(), self._own())
        )

    def _coverage(self) -> str:
        """Dimensions settled after each round; a run that ended earlier keeps what it had."""
        rows: list[Sequence[str]] = []
        for name, cases in self._sets():
            total = sum(c.dimensions for c in cases)
            after = [sum(_after(c, n) for c in cases) for n in range(1, ALL_ROUNDS + 1)]
            began = [sum(c.rounds >= n for c in cases) for n in range(1, ALL_ROUNDS + 1)]
            rows.append((name, str(total), *map(str, after)))
            rows.append(("  runs that took it", str(len(cases)), *map(str, began)))
        heads = [f"round {n}" for n in range(1, ALL_ROUNDS + 1)]
        return aligned(("dimensions settled", "of", *heads), rows, left=(0,))

    def _strategies(self) -> str:
        tried: dict[str, list[bool]] = defaultdict(list)
        for case in self.cases:
            for strategy, filled in case.tried:
                tried[strategy].append(filled)
        rows = [
            (name, str(len(done)), str(sum(done)), f"{100 * sum(done) / len(done):.0f} %")
            for name, done in sorted(tried.items())
        ]
        return aligned(("strategy", "tried", "gap filled", "share"), rows, left=(0,))

    def _ends(self) -> str:
        ends = Counter(case.end or "none" for case in self.cases)
        rows = [(name, str(number)) for name, number in ends.most_common()]
        return aligned(("why it ended", "runs"), rows, left=(0,))

    def _time(self) -> str:
        rows = []
        for number in range(1, ALL_ROUNDS + 1):
            spent = [c.ms for c in self.cases if c.rounds == number]
            if spent:
                p95 = _p95(spent) or 0.0
                rows.append((str(number), str(len(spent)), f"{median(spent):.0f}", f"{p95:.0f}"))
        return aligned(("rounds", "runs", "p50 ms", "p95 ms"), rows)

    def _own(self) -> str:
        rows = [
            (
                c.id,
                c.kind,
                str(c.rounds),
                f"{c.settled[-1] if c.settled else 0}/{c.dimensions}",
                {True: "yes", False: "no", None: "–"}[c.found],
                {True: "yes", False: "no", None: "–"}[c.told],
                str(c.end),
                c.query,
            )
            for c in self.cases
            if c.kind != "golden"
        ]
        heads = ("", "kind", "rounds", "settled", "sources", "facts", "ended", "question")
        return aligned(heads, rows, left=(0, 1, 6, 7))

    def _sets(self) -> Iterable[tuple[str, list[RoundsCase]]]:
        own = [c for c in self.cases if c.kind != "golden" and c.rounds]
        golden = [c for c in self.cases if c.kind == "golden" and c.rounds]
        yield "our questions", own
        if golden:
            yield "golden set", golden


def run_rounds(
    questions: Path,
    *,
    ask: Callable[[str], PipelineRun],
    golden: Sequence[GoldenCase] = (),
    ask_golden: Callable[[GoldenCase], PipelineRun] | None = None,
    limit: int | None = None,
) -> RoundsReport:
    """Ask every question of ``questions`` and every golden row (at most ``limit`` of each).

    Where the file is absent nothing is measured and the report says so.
    """
    if not questions.is_file():
        return RoundsReport(skipped=f"skipped: {questions.name} is not in {questions.parent}")
    lines = questions.read_text(encoding="utf-8").splitlines()
    own = [LoopQuestion.model_validate(json.loads(line)) for line in lines if line.strip()]
    cases = [case_of(q, ask(q.query)) for q in own[:limit]]
    if ask_golden is not None:
        cases += [_golden_case(row, ask_golden(row)) for row in golden[:limit]]
    return RoundsReport(cases=tuple(cases))


def case_of(question: LoopQuestion, run: PipelineRun) -> RoundsCase:
    """One of our questions as its run answered it."""
    base = _measured(question.id, question.kind, question.query, run)
    if not question.sources:
        return base
    reply = run.answer.answer_markdown
    early = set(run.trace.rounds[0].new_evidence_ids) if run.trace.rounds else set()
    return base.model_copy(
        update={
            "first": _all_in(question.sources, run, early),
            "found": _all_in(question.sources, run),
            "told": all(fact.casefold() in reply.casefold() for fact in question.facts),
        }
    )


def _golden_case(row: GoldenCase, run: PipelineRun) -> RoundsCase:
    return _measured(row.query_id, "golden", row.question, run)


def _measured(name: str, kind: str, query: str, run: PipelineRun) -> RoundsCase:
    rounds = run.trace.rounds
    return RoundsCase(
        id=name,
        kind=kind,
        query=query,
        rounds=len(rounds),
        dimensions=len(run.plan.dimensions) if run.plan else 0,
        settled=tuple(len(r.covered) for r in rounds),
        tried=tuple((r.rewrite.strategy_tag, bool(r.gap_filled)) for r in rounds if r.rewrite),
        end=run.trace.loop_end,
        ms=run.trace.timings_ms.get("total", 0.0),
    )


def _all_in(sources: Sequence[str], run: PipelineRun, ids: set[str] | None = None) -> bool:
    """Whether each source is among the evidence (that with ``ids``, where they are given)."""
    evidence = run.package.all_evidence() if run.package else ()
    held = [
        (e.candidate.document_id, e.candidate.chunk_id)
        for e in evidence
        if ids is None or e.evidence_id in ids
    ]
    return all(any(doc == s or chunk.startswith(s) for doc, chunk in held) for s in sources)


def _after(case: RoundsCase, number: int) -> int:
    done = case.settled[:number]
    return done[-1] if done else 0


def _p95(values: Sequence[float]) -> float | None:
    """The 95th percentile by the nearest rank; ``None`` without values."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[max(0, -(-95 * len(ordered) // 100) - 1)]


def _share(name: str, hits: Sequence[bool | None]) -> LoopFigure:
    counted = [hit for hit in hits if hit is not None]
    share = sum(counted) / len(counted) if counted else None
    return LoopFigure(name=name, value=share, n=len(counted))
