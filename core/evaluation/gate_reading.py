"""Stored gate answers as one person may read them: the latest questions, and the golden rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from core.evaluation.gate_lab import AskedQuestion
from core.evaluation.gate_store import GateAnswers
from core.evaluation.golden import GoldenCase
from core.evaluation.report_reading import ReportReader
from core.evaluation.report_store import ReportHead
from core.identity.access import covers, may_read
from core.models.access import SecurityContext
from core.models.gate_policy import AnsweredRun, StoredAnswer
from core.models.source import DocumentVersion

LATEST = 200
"""So many of the latest questions are re-routed."""
_LISTED = 5 * LATEST
"""Runs looked through for them: the same question asked again counts once."""

Live = Callable[[Iterable[str]], Mapping[str, DocumentVersion]]
"""The named documents that are not withdrawn, as they are governed now."""


class Lab(NamedTuple):
    """Stored answers this user may read. ``gold`` names each golden row's source documents.

    ``withheld`` counts golden rows asked with rights this user does not hold; ``asked`` leaves such
    questions out. ``golden_run`` is the run of the set the golden answers are of, if there is one.
    """

    asked: tuple[AskedQuestion, ...]
    golden: tuple[AskedQuestion, ...]
    gold: dict[str, tuple[str, ...]]
    withheld: int = 0
    golden_run: ReportHead | None = None


class LabReader:
    """Reads what ``reader``'s user may re-route."""

    def __init__(self, answers: GateAnswers, live: Live, *, reader: ReportReader) -> None:
        self._answers, self._live = answers, live
        self._reader, self._context = reader, reader.context

    def lab(self, golden_rows: Sequence[GoldenCase], limit: int = LATEST) -> Lab:
        """The answers of the latest questions this user may read, and of the last golden run."""
        tenant = self._context.tenant_id
        self._answers.fill(tenant, limit)
        golden_run, traces = self._golden_traces()
        asked = self._readable(_once(self._answers.recent(tenant, _LISTED), golden_rows))[:limit]
        golden = self._readable(self._answers.heads(tenant, tuple(traces)))
        found = self._answers.answers([run.trace_id for run in (*asked, *golden)])
        closed = self._closed(a.document_id for answers in found.values() for a in answers)
        return Lab(
            asked=_questions(asked, found, closed, {}),
            golden=_questions(golden, found, closed, traces),
            gold={row.query_id: row.gold_sources for row in golden_rows},
            withheld=golden_run.overall.rows - len(golden) if golden_run else 0,
            golden_run=golden_run,
        )

    def _golden_traces(self) -> tuple[ReportHead | None, dict[str, str]]:
        """The last run of the set that was no trial, and its rows' ids by trace."""
        last = next((head for head in self._reader.heads() if not head.trial), None)
        if last is None:
            return None, {}
        rows = self._reader.report(last.run_id).rows
        return last, {row.trace_id: row.query_id for row in rows if row.trace_id}

    def _readable(self, runs: Iterable[AnsweredRun]) -> list[AnsweredRun]:
        """As the inspector has it: who asked, or a supervisor whose rights cover the run's."""
        return [
            run
            for run in runs
            if self._reader.opens(run.user_id)
            and covers(self._context, _rights(run, self._context))
        ]

    def _closed(self, document_ids: Iterable[str]) -> frozenset[str]:
        """Documents that this user may not read as they are governed now."""
        held = self._live(set(document_ids))
        return frozenset(
            name
            for name, version in held.items()
            if not may_read(self._context, version.tenant_id, version.governance)
        )


def _once(runs: Iterable[AnsweredRun], golden: Iterable[GoldenCase]) -> list[AnsweredRun]:
    """The newest run of each question; golden questions have a place of their own."""
    seen = {row.question for row in golden}
    kept = []
    for run in runs:
        if run.question not in seen:
            seen.add(run.question)
            kept.append(run)
    return kept


def _rights(run: AnsweredRun, like: SecurityContext) -> SecurityContext:
    """The run's rights; it was found within the reader's tenant."""
    return like.model_copy(
        update={
            "allowed_acl_policy_ids": run.allowed_acl_policy_ids,
            "allowed_classifications": run.allowed_classifications,
            "allowed_source_types": run.allowed_source_types,
        }
    )


def _questions(
    runs: Iterable[AnsweredRun],
    found: Mapping[str, tuple[StoredAnswer, ...]],
    closed: frozenset[str],
    query_ids: Mapping[str, str],
) -> tuple[AskedQuestion, ...]:
    return tuple(
        AskedQuestion(
            trace_id=run.trace_id,
            question=run.question,
            started_at=run.started_at,
            answers=answers,
            query_id=query_ids.get(run.trace_id, ""),
        )
        for run in runs
        for answers in (found.get(run.trace_id, ()),)
        if answers and not any(a.document_id in closed for a in answers)
    )
