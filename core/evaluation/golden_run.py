"""Runs the golden set through anything that answers, and reports it as a table and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from pydantic import Field

from core.errors import BadInput
from core.evaluation.golden import DIFFICULTIES, GoldenCase
from core.evaluation.golden_metrics import (
    GoldenResult,
    GoldenSummary,
    group_by,
    measure,
    summarise,
)
from core.models.access import User
from core.models.base import Model
from core.models.request import UserRequest
from core.models.review import Case
from core.models.trace import PipelineRun

Ask = Callable[[GoldenCase], PipelineRun]
"""Answers one golden question as the role it names, on the day it names."""


class GoldenReport(Model):
    """A whole run of the set: the overall line, the breakdowns, and every row."""

    overall: GoldenSummary
    by_difficulty: tuple[GoldenSummary, ...]
    by_language: tuple[GoldenSummary, ...]
    by_kind: tuple[GoldenSummary, ...]
    results: tuple[GoldenResult, ...]
    backend: dict[str, str] = Field(default_factory=dict)
    """Stage backends of the first run, for the record."""

    def failed(self) -> tuple[GoldenResult, ...]:
        """Rows that did not pass, in order."""
        return tuple(r for r in self.results if not r.passed)


class ChangedRow(Model):
    """A row whose verdict differs between two runs of the set."""

    query_id: str
    question: str
    before: str
    after: str


def run_golden(
    rows: Sequence[GoldenCase],
    ask: Ask,
    *,
    stopwatch: Callable[[], float],
    progress: Callable[[str], None] = lambda _words: None,
) -> GoldenReport:
    """Ask every row and measure it. ``stopwatch`` returns seconds, as ``time.perf_counter`` does.

    Raises ``BadInput`` when there is no row: a mean over nothing would read as success.
    """
    if not rows:
        raise BadInput("No golden question was chosen. Name ids, kinds, difficulties or languages.")
    results: list[GoldenResult] = []
    backend: dict[str, str] = {}
    for number, row in enumerate(rows, start=1):
        begun = stopwatch()
        run = ask(row)
        results.append(measure(row, run, (stopwatch() - begun) * 1000))
        backend = backend or run.trace.backend
        progress(f"{number}/{len(rows)} {row.query_id} {verdict(results[-1])}")
    return report(results, backend=backend)


def asker(row: GoldenCase, users: Sequence[User]) -> User | None:
    """The first active user with the row's role; ``None`` asks as a guest.

    Raises ``BadInput`` when nobody has the role: asking with other rights would measure nothing.
    """
    if row.role == "guest":
        return None
    for user in users:
        if user.active and row.role in user.roles:
            return user
    raise BadInput(f"{row.query_id}: nobody has the role {row.role!r}. Run `countersign demo`.")


def request_for(
    row: GoldenCase, *, request_id: str, tenant_id: str, user: User | None, case: Case | None = None
) -> UserRequest:
    """The request that a row stands for. Give the case when the row names one."""
    return UserRequest(
        request_id=request_id,
        tenant_id=tenant_id,
        user_id=user.user_id if user else "",
        user_roles=user.roles if user else (),
        raw_query=row.question,
        locale=row.language,
        channel="batch",
        risk_level=case.risk if case else "low",
        case_id=row.case_id,
        customer_id=case.customer_id if case else None,
        customer_name=case.customer_name if case else None,
        output_form=row.output_form,
        asked_on=row.as_of_date,
    )


def report(results: Sequence[GoldenResult], *, backend: dict[str, str]) -> GoldenReport:
    """Put measured rows together."""
    return GoldenReport(
        overall=summarise("all", results),
        by_difficulty=group_by(results, lambda r: r.difficulty_level, DIFFICULTIES),
        by_language=group_by(results, lambda r: r.language),
        by_kind=group_by(results, lambda r: r.kind),
        results=tuple(results),
        backend=backend,
    )


def verdict(result: GoldenResult) -> str:
    """``passed``, or what is wrong, in words."""
    said = [
        (bool(result.failure), f"broke: {result.failure}"),
        (not result.status_ok, f"status {result.status}"),
        (bool(result.missing_facts), f"lacks {_listed(result.missing_facts)}"),
        (bool(result.forbidden_found), f"says {_listed(result.forbidden_found)}"),
        (bool(result.wrong_citations), f"{result.wrong_citations} wrong citation(s)"),
        (bool(result.missing_citations), f"{result.missing_citations} uncited sentence(s)"),
        (bool(result.stale), "leans on a version that is not in force or not flagged"),
    ]
    return "; ".join(words for applies, words in said if applies) or "passed"


def compare(before: GoldenReport, after: GoldenReport) -> tuple[ChangedRow, ...]:
    """Rows of both runs whose verdict changed, in the order of ``after``."""
    then = {r.query_id: verdict(r) for r in before.results}
    return tuple(
        ChangedRow(
            query_id=r.query_id, question=r.question, before=then[r.query_id], after=verdict(r)
        )
        for r in after.results
        if r.query_id in then and then[r.query_id] != verdict(r)
    )


_COLUMNS: tuple[tuple[str, Callable[[GoldenSummary], str]], ...] = (
    ("", lambda s: s.name),
    ("rows", lambda s: str(s.rows)),
    ("passed", lambda s: _percent(s.passed)),
    ("status", lambda s: _percent(s.status_accuracy)),
    ("R@5", lambda s: _number(s.recall_at_5)),
    ("MRR", lambda s: _number(s.mrr)),
    ("facts", lambda s: _percent(s.facts_present)),
    ("forbidden", lambda s: str(s.forbidden_rows)),
    ("coverage", lambda s: _percent(s.citation_coverage)),
    ("precision", lambda s: _percent(s.citation_precision)),
    ("wrong", lambda s: str(s.wrong_citations)),
    ("uncited", lambda s: str(s.missing_citations)),
    ("stale", lambda s: _percent(s.stale_answer_rate)),
    ("p50 ms", lambda s: f"{s.p50_ms:.0f}"),
    ("p95 ms", lambda s: f"{s.p95_ms:.0f}"),
)


def format_report(found: GoldenReport, *, failures: bool = True) -> str:
    """The report as text: one table, then the rows that did not pass."""
    lines = [
        *(found.by_difficulty),
        *(found.by_language if len(found.by_language) > 1 else ()),
        *found.by_kind,
        found.overall,
    ]
    table = [[title for title, _ in _COLUMNS]]
    table += [[show(line) for _, show in _COLUMNS] for line in lines]
    widths = [max(len(row[i]) for row in table) for i in range(len(_COLUMNS))]
    text = [_line(row, widths) for row in table]
    text.insert(1, "  ".join("-" * width for width in widths))
    if failures and found.failed():
        text += ["", "Not passed:"]
        text += [f"  {r.query_id}  {r.question}  [{verdict(r)}]" for r in found.failed()]
    return "\n".join(text)


def floor_broken(found: GoldenReport, floors: dict[str, float]) -> tuple[str, ...]:
    """Measures of the overall line below their floor, in words. Unknown names are ``BadInput``."""
    broken: list[str] = []
    for name, floor in floors.items():
        if name not in GoldenSummary.model_fields or name == "name":
            raise BadInput(f"{name!r} is no measure of the golden set.")
        value = getattr(found.overall, name)
        if value is None or value < floor:
            broken.append(f"{name} is {_number(value)}, below {floor}")
    return tuple(broken)


def _line(row: Sequence[str], widths: Collection[int]) -> str:
    cells = zip(row, widths, strict=True)
    return "  ".join(
        cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(cells)
    ).rstrip()


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _listed(facts: Sequence[str]) -> str:
    return ", ".join(repr(fact) for fact in facts)
