"""The measure of refusals: what counts as one, and that refusing everything shows as worthless."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.evaluation.loop_refusals import RefusalReport, run_refusals
from core.evaluation.loop_refusals_set import (
    POLICIES,
    REQUESTS,
    first_person,
    read_own,
    task_row,
)
from core.models.advice import AdviceGround, AdvisedOutcome, HandlingAdvice
from core.models.draft import GroundedAnswer
from core.models.evidence import EvidencePackage
from core.models.trace import PipelineRun
from tests.contracts.builders import a_run
from tests.stages.drafting_builders import an_evidence

BENCH = Path(__file__).resolve().parents[2] / "data" / "bench"
RULE = "A seat cannot be changed."


def a_task(task_id: str = "t-1", **fields: Any) -> dict[str, Any]:
    return {
        "id": task_id,
        "policy_id": "air",
        "purpose": None,
        "reason_for_call": "You want to change your seat.",
        "known_info": "You are Ana.",
        "expected_actions": [],
        "nl_assertions": [],
        **fields,
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A task to refuse, one to carry out, one whose customer gives up; and one pair of our own."""
    tasks = [
        a_task("no"),
        a_task("yes", expected_actions=[{"name": "update_seat"}]),
        a_task("gone", purpose="At the end the customer finds it too expensive."),
    ]
    folder = tmp_path / "tau_policies"
    folder.mkdir()
    _write(folder / "tasks.jsonl", tasks)
    pair = {"id": "r", "policy": "air", "expect": "refuse", "message": "Move me.", "clause": RULE}
    _write(tmp_path / REQUESTS, [pair])
    return tmp_path


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def advising(
    outcome: AdvisedOutcome, quote: str = RULE, policy: str = "air"
) -> Callable[[str], PipelineRun]:
    """Answers everything with the same advice, leaning on one clause."""
    evidence = an_evidence(f"{RULE} Meals are free.", document_id=policy)
    ground = AdviceGround(kind="policy_forbids", words="no", evidence_id="EVID-0001", quote=quote)
    run = a_run().model_copy(
        update={
            "advice": HandlingAdvice(outcome=outcome, grounds=(ground,)),
            "answer": GroundedAnswer(status="answered", answer_markdown="…"),
            "package": EvidencePackage(request_id="r", query="q", selected_evidence=(evidence,)),
        }
    )
    return lambda _message: run


def measured(data: Path, ask: Callable[[str], PipelineRun]) -> dict[str, float | None]:
    report = run_refusals(data, ask=ask, ask_own=ask, own=data / REQUESTS)
    return {figure.name: figure.value for figure in report.figures()}


def test_a_refusal_counts_with_a_clause_of_the_right_policy_alone(data: Path) -> None:
    name = "refusals advised, clause of the right policy"

    assert measured(data, advising("refuse"))[name] == 1.0
    assert measured(data, advising("refuse", policy="rail"))[name] == 0.0
    assert measured(data, advising("refuse", quote="Seats cannot move."))[name] == 0.0
    assert measured(data, advising("reply"))[name] == 0.0


def test_refusing_everything_shows_its_price(data: Path) -> None:
    figures = measured(data, advising("refuse"))

    assert figures["false refusals: tasks to be carried out"] == 1.0


def test_a_customer_who_gives_up_is_neither_refused_nor_served(data: Path) -> None:
    report = run_refusals(
        data, ask=advising("refuse"), ask_own=advising("refuse"), own=data / REQUESTS
    )

    assert "the customer gives up" in report.table()
    assert [r.row.right for r in report.tasks] == ["refuse", "gives_up", "act"]


def test_without_the_public_set_it_says_so(tmp_path: Path) -> None:
    _write(tmp_path / REQUESTS, [])
    report = run_refusals(
        tmp_path, ask=advising("reply"), ask_own=advising("reply"), own=tmp_path / REQUESTS
    )

    assert isinstance(report, RefusalReport)
    assert "tau_policies is not in" in report.table()


def test_the_message_is_what_the_customer_would_say() -> None:
    told = "You want to cancel your flight. They told you that you're entitled to it."

    assert first_person(told) == (
        "I want to cancel my flight. They told me that I am entitled to it."
    )
    assert task_row(a_task()).message == "I want to change my seat.\nI am Ana."


def test_every_pair_of_our_own_names_a_policy_and_a_clause_in_it() -> None:
    policies = {
        row["id"]: row["text"]
        for row in map(json.loads, (BENCH / POLICIES).read_text(encoding="utf-8").splitlines())
    }
    rows = read_own(BENCH / REQUESTS)

    assert len(rows) >= 40
    assert all(row.clause in policies[row.policy_id] for row in rows)
    assert all(bool(row.clause) == (row.right != "act") for row in rows)
