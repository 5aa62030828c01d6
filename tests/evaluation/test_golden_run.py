"""Running the set: every row asked once, measured, told in a table, compared with another run."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from itertools import count
from pathlib import Path

import pytest

from core.errors import BadInput, BadSource
from core.evaluation.golden import GoldenCase, golden_lines, load_golden, pick
from core.evaluation.golden_run import (
    asker,
    compare,
    floor_broken,
    format_report,
    request_for,
    run_golden,
    verdict,
)
from core.models.access import User
from core.models.trace import PipelineRun
from tests.evaluation.builders import a_row, a_run


def _ticks(step: float = 0.1) -> Callable[[], float]:
    counter = count()
    return lambda: next(counter) * step


def _rows() -> tuple[GoldenCase, ...]:
    return (
        a_row(query_id="G-1"),
        a_row(query_id="G-2", difficulty_level="HARD", kind="chinese", language="zh"),
    )


def _right(_row: GoldenCase) -> PipelineRun:
    return a_run()


def _wrong_on_the_second(row: GoldenCase) -> PipelineRun:
    return a_run(text="It is 60 days.") if row.query_id == "G-2" else a_run()


def test_every_row_is_asked_in_order_and_timed() -> None:
    asked: list[str] = []

    def ask(row: GoldenCase) -> PipelineRun:
        asked.append(row.query_id)
        return a_run()

    told: list[str] = []
    found = run_golden(_rows(), ask, stopwatch=_ticks(), progress=told.append)
    assert asked == ["G-1", "G-2"]
    assert told == ["1/2 G-1 passed", "2/2 G-2 passed"]
    assert found.overall.p50_ms == 100
    assert [g.name for g in found.by_difficulty] == ["EASY", "HARD"]
    assert [g.name for g in found.by_language] == ["en", "zh"]


def test_the_table_shows_every_group_and_names_what_failed() -> None:
    found = run_golden(_rows(), _wrong_on_the_second, stopwatch=_ticks())
    text = format_report(found)
    lines = text.splitlines()
    assert lines[0].split()[:4] == ["rows", "passed", "status", "R@5"]
    assert any(line.startswith("HARD") and " 0%" in line for line in lines)
    assert any(line.startswith("all") and " 50%" in line for line in lines)
    assert "lacks '30 days'; says '60 days'" in text


def test_the_report_is_json() -> None:
    found = run_golden(_rows(), _right, stopwatch=_ticks())
    loaded = json.loads(found.model_dump_json())
    assert loaded["overall"]["passed"] == 1
    assert len(loaded["results"]) == 2


def test_two_runs_are_compared_by_the_rows_that_changed() -> None:
    before = run_golden(_rows(), _right, stopwatch=_ticks())
    after = run_golden(_rows(), _wrong_on_the_second, stopwatch=_ticks())
    (changed,) = compare(before, after)
    assert changed.query_id == "G-2"
    assert changed.before == "passed"
    assert changed.after == verdict(after.results[1])


def test_a_measure_below_its_floor_is_named() -> None:
    found = run_golden(_rows(), _wrong_on_the_second, stopwatch=_ticks())
    assert floor_broken(found, {"passed": 0.5, "status_accuracy": 1.0}) == ()
    assert floor_broken(found, {"passed": 0.9}) == ("passed is 0.50, below 0.9",)
    with pytest.raises(BadInput, match="'beauty' is no measure"):
        floor_broken(found, {"beauty": 1.0})


def test_running_nothing_is_refused_instead_of_reported_as_success() -> None:
    with pytest.raises(BadInput, match="No golden question"):
        run_golden((), _right, stopwatch=_ticks())


def test_a_row_is_asked_by_an_active_user_with_its_role() -> None:
    away = _user("rex", active=False)
    assert asker(a_row(), [away, _user("ana")]) == _user("ana")
    assert asker(a_row(role="guest"), [_user("ana")]) is None
    with pytest.raises(BadInput, match="nobody has the role 'hr'"):
        asker(a_row(role="hr"), [_user("ana")])


def test_a_request_carries_the_day_form_case_and_asker_of_its_row() -> None:
    row = a_row(as_of_date="2024-12-10", output_form="email", case_id="1042")
    request = request_for(row, request_id="r1", tenant_id="athena", user=_user("ana"))
    assert (request.user_id, request.user_roles) == ("ana", ("agent",))
    assert (request.asked_on, request.output_form) == (date(2024, 12, 10), "email")
    assert (request.case_id, request.raw_query) == ("1042", row.question)


def _user(user_id: str, *, active: bool = True) -> User:
    return User(
        user_id=user_id,
        tenant_id="athena",
        name=user_id.title(),
        email=f"{user_id}@athena.example",
        roles=("agent",),
        department="Customer service",
        permission_level="L2",
        active=active,
    )


def test_rows_are_picked_by_id_kind_difficulty_or_language() -> None:
    rows = _rows()
    assert [r.query_id for r in pick(rows, ["g-1"])] == ["G-1"]
    assert [r.query_id for r in pick(rows, ["hard"])] == ["G-2"]
    assert [r.query_id for r in pick(rows, ["zh"])] == ["G-2"]
    assert pick(rows, []) == rows


def test_rows_read_back_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / "golden.jsonl"
    path.write_text(golden_lines(_rows()), encoding="utf-8")
    assert load_golden(path) == _rows()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "Invalid JSON"),
        ('{"query_id": "G-1"}', "question"),
        (golden_lines([a_row()]).replace('"answered"', '"perfect"'), "expected_status"),
        (golden_lines([a_row()]).replace("60 days", "30 days"), "required and forbidden"),
        (golden_lines([a_row(), a_row()]), "appears twice"),
    ],
)
def test_a_faulty_row_is_named_by_its_line(tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "golden.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(BadSource, match=complaint):
        load_golden(path)
