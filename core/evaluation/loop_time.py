"""Is a question about a day answered from the version valid on that day, and only from it?"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from core.evaluation.bench_tables import aligned
from core.evaluation.loop_report import LoopFigure
from core.evaluation.loop_time_set import (
    SET,
    DatedQuestion,
    DatedText,
    QuestionKind,
    load_questions,
    load_versions,
)
from core.models.base import Model
from core.models.evidence import EvidenceCandidate
from core.models.trace import PipelineRun
from core.text.plain import plain

AskOn = Callable[[str, date | None], PipelineRun]
"""Answers a question, asked on a day or (``None``) today."""
_KINDS: dict[QuestionKind, str] = {
    "at": "asked on a past day",
    "dated": "a day named in the question",
    "now": "about today",
    "compare": "two days compared",
    "before": "before the last change",
    "before_any": "before any version",
}


class TimeResult(Model):
    """One question as it was answered.

    ``foreign`` are versions among the evidence that were valid on none of the asked days;
    ``cited_foreign`` those of them the answer leans on; ``cited`` says whether it leans on the
    version of the right document for every asked day.
    """

    id: str
    kind: QuestionKind
    question: str
    status: str
    foreign: tuple[str, ...] = ()
    cited_foreign: tuple[str, ...] = ()
    cited: bool = False
    values_given: bool = False
    wrong_values: tuple[str, ...] = ()
    owned_up: bool = False
    """Nothing was cited and the reply says that nothing on file was valid then."""
    ms: float = 0.0


class TimeReport(Model):
    """All questions over so many versions; ``skipped`` says why nothing was measured."""

    versions: int = 0
    documents: int = 0
    results: tuple[TimeResult, ...] = ()
    skipped: str = ""

    def figures(self) -> tuple[LoopFigure, ...]:
        """Purity of the evidence and of the answers first, then whether they say what was asked."""
        if not self.results:
            return ()
        dated = self._of("at", "dated", "compare", "before")
        now, single = self._of("now"), self._of("at", "dated")
        both, early = self._of("compare", "before"), self._of("before_any")
        told = [r for r in dated if r.status == "answered"]
        return (
            _share("evidence only of versions valid on the asked day", dated, _pure, aim=1.0),
            _share("answers lean on versions valid on the asked day alone", told, _own, aim=1.0),
            LoopFigure(
                name="superseded versions among the evidence for today",
                value=float(sum(len(r.foreign) for r in now)),
                aim=0.0,
                direction="≤",
                n=len(now),
                unit="count",
            ),
            _share("no version of that day: said so, nothing cited", early, _owned, aim=1.0),
            _share("both days answered, each from its own version", both, _right, aim=None),
            _share("the right document answers for the day", single, _right, aim=None),
            _share("the day's own value given, no other version's", single, _valued, aim=None),
            _share("today's value given, no older one", now, _valued, aim=None),
            _share("both values given where two days are compared", both, _valued, aim=None),
        )

    def table(self) -> str:
        """Counts by kind, then every question that went wrong."""
        if self.skipped:
            return self.skipped
        rows = [self._row(kind) for kind in _KINDS if self._of(kind)]
        head = ("questions", "n", "answered", "valid then only", "right version", "value")
        bad = [_complaint(r) for r in self.results if _complaint(r)]
        told = f"{self.documents} documents in {self.versions} versions"
        return "\n".join([told, aligned(head, rows), *bad])

    def _of(self, *kinds: QuestionKind) -> list[TimeResult]:
        return [r for r in self.results if r.kind in kinds]

    def _row(self, kind: QuestionKind) -> tuple[str, ...]:
        mine = self._of(kind)
        counts = (
            sum(r.status == "answered" for r in mine),
            sum(map(_pure, mine)),
            sum(map(_right, mine)),
            sum(map(_valued, mine)),
        )
        return (_KINDS[kind], str(len(mine)), *map(str, counts))


def _pure(result: TimeResult) -> bool:
    return not result.foreign


def _own(result: TimeResult) -> bool:
    return not result.cited_foreign


def _right(result: TimeResult) -> bool:
    return result.cited and not result.cited_foreign


def _valued(result: TimeResult) -> bool:
    return result.values_given and not result.wrong_values


def _owned(result: TimeResult) -> bool:
    return result.owned_up


def _share(
    name: str,
    results: Sequence[TimeResult],
    holds: Callable[[TimeResult], bool],
    *,
    aim: float | None,
) -> LoopFigure:
    share = sum(map(holds, results)) / len(results) if results else None
    return LoopFigure(name=name, value=share, aim=aim, n=len(results))


def _complaint(r: TimeResult) -> str:
    wrong = [f"evidence not valid then: {', '.join(r.foreign)}"] if r.foreign else []
    if r.kind == "before_any":
        wrong += [] if r.owned_up else ["does not say that nothing is on file"]
    else:
        wrong += [] if r.cited else ["right version not cited"]
        wrong += [] if r.values_given else ["value not given"]
    wrong += [f"says {', '.join(r.wrong_values)}"] if r.wrong_values else []
    return f"  {r.id} {r.status}: {'; '.join(wrong)}: {r.question}" if wrong else ""


def run_time(
    data: Path,
    *,
    ask: AskOn,
    questions: Path,
    today: date,
    limit: int | None = None,
) -> TimeReport:
    """Ask every question (the first ``limit`` of each kind).

    The versions must have been taken in before (``write_versions``). An absent set gives a report
    that says so.
    """
    versions = load_versions(data)
    if not versions:
        return TimeReport(skipped=f"skipped: {SET} is not in {data}")
    rows = sampled(load_questions(questions), limit)
    return TimeReport(
        versions=len(versions),
        documents=len({v.doc for v in versions}),
        results=tuple(_result(q, ask(q.question, q.at), versions, today) for q in rows),
    )


def write_versions(data: Path, path: Path) -> bool:
    """All versions as one file to take in; ``False`` where the set is absent."""
    versions = load_versions(data)
    lines = [json.dumps(version.row(), ensure_ascii=False) + "\n" for version in versions]
    path.write_text("".join(lines), encoding="utf-8")
    return bool(versions)


def sampled(rows: Sequence[DatedQuestion], limit: int | None) -> tuple[DatedQuestion, ...]:
    """At most ``limit`` of each kind, in order."""
    taken: dict[str, int] = {}
    kept = []
    for row in rows:
        taken[row.kind] = taken.get(row.kind, 0) + 1
        if limit is None or taken[row.kind] <= limit:
            kept.append(row)
    return tuple(kept)


def _result(
    asked: DatedQuestion, run: PipelineRun, versions: Sequence[DatedText], today: date
) -> TimeResult:
    spans = {v.document_id: v for v in versions}
    days = tuple(day or today for day in asked.days)
    package = run.package
    evidence = package.all_evidence() if package else ()
    used = set(run.answer.evidence_ids_used)
    foreign = _foreign([e.candidate for e in evidence], spans, days)
    cited = [e.candidate for e in evidence if e.evidence_id in used]
    text = plain(run.answer.answer_markdown)
    return TimeResult(
        id=asked.id,
        kind=asked.kind,
        question=asked.question,
        status=run.answer.status,
        foreign=foreign,
        cited_foreign=_foreign(cited, spans, days),
        cited=all(any(_holds(spans, c, asked.doc, day) for c in cited) for day in days),
        values_given=bool(asked.values) and all(value in text for value in asked.values),
        wrong_values=tuple(value for value in asked.not_values if value in text),
        owned_up=not run.answer.citations and "on file" in text,
        ms=run.trace.timings_ms.get("total", 0.0),
    )


def _foreign(
    candidates: Sequence[EvidenceCandidate], spans: dict[str, DatedText], days: Sequence[date]
) -> tuple[str, ...]:
    names = dict.fromkeys(c.document_id for c in candidates)
    return tuple(n for n in names if not any(_in_force(spans.get(n), day) for day in days))


def _holds(spans: dict[str, DatedText], found: EvidenceCandidate, doc: str, day: date) -> bool:
    return found.source_id == doc and _in_force(spans.get(found.document_id), day)


def _in_force(version: DatedText | None, day: date) -> bool:
    if version is None:
        return False
    return version.first <= day and (version.end is None or day < version.end)
