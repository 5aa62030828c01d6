"""The measure of time: what counts as the version valid then, and what is a miss."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from core.evaluation.loop_report import LoopFigure
from core.evaluation.loop_time import TimeReport, run_time, write_versions
from core.evaluation.loop_time_set import load_questions, load_versions
from core.models.draft import Citation, GroundedAnswer
from core.models.evidence import EvidencePackage
from core.models.request import UserRequest
from core.models.trace import PipelineRun
from tests.contracts.builders import a_run
from tests.stages.drafting_builders import an_evidence

TODAY = date(2026, 11, 30)
OWN = Path(__file__).resolve().parents[2] / "data" / "bench" / "dated_questions.jsonl"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two versions of one policy, and a change of which the older text is only a paragraph."""
    folder = tmp_path / "basecamp_policies"
    folder.mkdir()
    rows = [
        {"doc": "refund", "date": "2020-01-01", "title": "Refunds", "text": "Within 90 days."},
        {"doc": "refund", "date": "2022-01-01", "title": "Refunds", "text": "Within 30 days."},
    ]
    _write(folder / "versions.jsonl", rows)
    old = {"date": "2021-06-01", "text": "Within 60 days."}
    new = {"date": "2022-01-01", "text": "Within 30 days."}
    changed = {"doc": "refund", "title": "Refunds", "old": old, "new": new}
    _write(folder / "changed_values.jsonl", [changed])
    return tmp_path


def _write(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def a_question(tmp_path: Path, **fields: Any) -> Path:
    path = tmp_path / "questions.jsonl"
    row = {"id": "T1", "doc": "refund", "question": "How long?", "values": [], "not_values": []}
    _write(path, [row | fields])
    return path


def answering(text: str, *versions: str, cited: bool = True) -> Callable[..., PipelineRun]:
    """Answers everything from these versions of the refund policy."""

    def ask(question: str, on: date | None) -> PipelineRun:
        evidence = tuple(
            an_evidence(text, n, document_id=f"refund@{v}", source_id="refund")
            for n, v in enumerate(versions, start=1)
        )
        ids = tuple(e.evidence_id for e in evidence) if cited else ()
        citations = tuple(
            Citation(claim=text, evidence_id=i, source_id="refund", chunk_id="c", quote=text)
            for i in ids
        )
        return a_run().model_copy(
            update={
                "request": UserRequest(
                    request_id="r", tenant_id="t", user_id="", raw_query=question, asked_on=on
                ),
                "package": EvidencePackage(
                    request_id="r", query=question, selected_evidence=evidence
                ),
                "answer": GroundedAnswer(
                    status="answered" if ids else "insufficient_evidence",
                    answer_markdown=text,
                    citations=citations,
                    evidence_ids_used=ids,
                ),
            }
        )

    return ask


def measured(data: Path, ask: Callable[..., PipelineRun], **question: Any) -> TimeReport:
    return run_time(data, ask=ask, questions=a_question(data, **question), today=TODAY)


def figure(report: TimeReport, words: str) -> LoopFigure:
    (found,) = [f for f in report.figures() if words in f.name]
    return found


def test_each_version_holds_until_the_next_and_a_changed_paragraph_is_one_of_them(
    data: Path,
) -> None:
    spans = [(v.first.year, v.end.year if v.end else None) for v in load_versions(data)]
    assert spans == [(2020, 2021), (2021, 2022), (2022, None)]


def test_the_versions_are_written_with_the_governance_an_ingest_reads(
    data: Path, tmp_path: Path
) -> None:
    path = tmp_path / "rows.jsonl"
    assert write_versions(data, path)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [row["status"] for row in rows] == ["superseded", "superseded", "active"]
    assert rows[0]["valid_to"] == rows[1]["valid_from"] == "2021-06-01"
    assert {row["source_id"] for row in rows} == {"refund"}
    assert "valid_to" not in rows[-1]


def test_an_answer_from_the_version_of_its_day_meets_every_aim(data: Path) -> None:
    ask = answering("Within 60 days.", "2021-06-01")
    report = measured(data, ask, kind="dated", day="2021-08-01", values=["60 days"])
    assert all(f.met is not False for f in report.figures() if f.n)
    assert figure(report, "the day's own value").value == 1.0


@pytest.mark.parametrize("day", ["2021-05-31", "2022-01-01"])
def test_a_version_of_another_day_among_the_evidence_is_a_miss(data: Path, day: str) -> None:
    ask = answering("Within 60 days.", "2021-06-01")
    report = measured(data, ask, kind="at", at=day)
    assert figure(report, "evidence only of versions").met is False
    assert figure(report, "answers lean on").met is False
    assert "refund@2021-06-01" in report.table()


def test_a_superseded_version_among_the_evidence_for_today_is_counted(data: Path) -> None:
    report = measured(data, answering("Within 60 days.", "2021-06-01"), kind="now")
    assert figure(report, "superseded versions").value == 1.0
    assert figure(report, "superseded versions").met is False


def test_two_days_need_the_version_of_each(data: Path) -> None:
    asked = {"kind": "compare", "days": ["2021-08-01", "now"], "values": ["60 days", "30 days"]}
    text = "Within 60 days, then within 30 days."
    both = measured(data, answering(text, "2021-06-01", "2022-01-01"), **asked)
    one = measured(data, answering(text, "2022-01-01"), **asked)
    assert figure(both, "both days answered").value == 1.0
    assert figure(one, "both days answered").value == 0.0


def test_a_day_before_every_version_must_be_said_to_have_none(data: Path) -> None:
    honest = answering("No version on file was valid on that day.", cited=False)
    silent = answering("We have no confirmed answer.", cited=False)
    for ask, met in ((honest, True), (silent, False)):
        report = measured(data, ask, kind="before_any", day="2019-01-01")
        assert figure(report, "no version of that day").met is met


def test_an_absent_set_is_skipped_and_says_so(tmp_path: Path) -> None:
    report = run_time(tmp_path, ask=answering(""), questions=OWN, today=TODAY)
    assert report.figures() == ()
    assert "basecamp_policies" in report.table()


def test_our_questions_are_many_of_every_kind_and_each_has_its_days() -> None:
    questions = load_questions(OWN)
    assert len({q.id for q in questions}) == len(questions) >= 30
    assert {q.kind for q in questions} == {"at", "dated", "now", "compare", "before", "before_any"}
    for q in questions:
        assert len(q.days) == (2 if q.kind in ("compare", "before") else 1)
        assert len(q.values) == 2 or q.kind not in ("compare", "before")
