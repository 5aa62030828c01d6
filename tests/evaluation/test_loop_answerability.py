"""The answerability figures, on made-up turns: what a run amounts to, and how it is scored."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.evaluation.loop_answerability import (
    AnswerabilityCase,
    AnswerClass,
    Label,
    class_of,
    macro_f1,
    run_answerability,
    scores,
)
from core.evaluation.loop_answerability_own import run_own_questions
from core.models.draft import AnswerStatus
from core.models.evidence import GatedPassage
from core.models.judgement import Coverage, Judgement
from core.models.request import Turn
from core.models.trace import PipelineRun
from tests.evaluation.builders import a_candidate, a_run


def run_with(
    status: AnswerStatus,
    *,
    missing: Sequence[str] = (),
    on_subject: bool = False,
    beside: bool = False,
    accepted: bool = False,
) -> PipelineRun:
    """``on_subject``: accepted evidence bears it; ``accepted``: some was accepted, bearing or not;
    ``beside``: the gate found some near it."""
    run = a_run()
    coverage = Coverage(
        covered=False, evidence_ids=("EVID-0001",) if on_subject else (), reason="as the test says"
    )
    left_out = GatedPassage(
        candidate=a_candidate(),
        scores=None,
        route="exclude",
        rule="no_evidence" if beside else "not_relevant",
        reason="as the test says",
    )
    return run.model_copy(
        update={
            "answer": run.answer.model_copy(
                update={"status": status, "missing_information": tuple(missing)}
            ),
            "judgement": Judgement(
                decision="NEED_MORE", dimension_coverage_matrix={"D1": coverage}
            ),
            "gated": (left_out,),
            "package": run.package if accepted else None,
        }
    )


@pytest.mark.parametrize(
    ("run", "found"),
    [
        (run_with("answered"), "ANSWERABLE"),
        (run_with("conflicting_evidence", missing=("which holds?",)), "ANSWERABLE"),
        (run_with("answered", missing=("D2: the fee",)), "PARTIAL"),
        (run_with("insufficient_evidence", on_subject=True), "PARTIAL"),
        (run_with("insufficient_evidence", beside=True), "PARTIAL"),
        (run_with("insufficient_evidence", accepted=True), "PARTIAL"),
        (run_with("insufficient_evidence"), "UNANSWERABLE"),
        (run_with("needs_clarification"), "OTHER"),
        (run_with("refused"), "OTHER"),
        (run_with("escalated"), "OTHER"),
    ],
)
def test_a_run_is_read_as_somebody_reads_its_json(run: PipelineRun, found: AnswerClass) -> None:
    assert class_of(run) == found


def case(label: Label, found: AnswerClass) -> AnswerabilityCase:
    return AnswerabilityCase(id="x", way="w", held_out=False, label=label, found=found)


def test_the_macro_figure_weighs_labels_alike_and_what_is_neither_is_a_miss() -> None:
    cases = [
        case("ANSWERABLE", "ANSWERABLE"),
        case("ANSWERABLE", "ANSWERABLE"),
        case("ANSWERABLE", "PARTIAL"),
        case("ANSWERABLE", "OTHER"),
        case("PARTIAL", "PARTIAL"),
        case("UNANSWERABLE", "UNANSWERABLE"),
    ]
    by_label = {row.label: row for row in scores(cases)}
    assert by_label["ANSWERABLE"].recall == 0.5
    assert by_label["ANSWERABLE"].precision == 1.0
    assert by_label["PARTIAL"].precision == 0.5
    assert macro_f1(cases) == pytest.approx((2 / 3 + 2 / 3 + 1) / 3)
    assert macro_f1([]) is None


TASKS: tuple[dict[str, Any], ...] = (
    {"answerability": "ANSWERABLE", "passages": [{"id": "p1", "text": "It opens at 9:00."}]},
    {"answerability": "UNANSWERABLE", "passages": []},
    {"answerability": "CONVERSATIONAL", "passages": []},
    {"answerability": "PARTIAL", "passages": [{"id": "p2", "text": "It is closed on Sundays."}]},
)


def a_set(folder: Path) -> Path:
    rows = [
        {
            "id": f"t{at}",
            "collection": "town",
            "query": "When does it open?",
            "history": [{"speaker": "user", "text": "There is a museum."}],
            **task,
        }
        for at, task in enumerate(TASKS, 1)
    ]
    home = folder / "mtrag_human_eval"
    home.mkdir()
    text = "\n".join(json.dumps(row) for row in rows)
    (home / "tasks.jsonl").write_text(text, encoding="utf-8")
    return folder


def by_passages(
    _query: str, history: tuple[Turn, ...], passages: Sequence[dict[str, Any]] | None
) -> PipelineRun:
    assert history[0].role == "customer"
    return run_with("answered" if passages else "insufficient_evidence")


def test_each_turn_is_asked_with_its_passages_and_over_the_pool(tmp_path: Path) -> None:
    pools: dict[str, int] = {}

    def open_pool(name: str, file: Path) -> Any:
        pools[name] = len(file.read_text(encoding="utf-8").splitlines())
        return by_passages

    report = run_answerability(
        a_set(tmp_path), ask=by_passages, open_pool=open_pool, folder=tmp_path
    )
    assert pools == {"town": 2}
    assert [(c.way, c.label, c.found) for c in report.cases] == [
        ("passages supplied", "ANSWERABLE", "ANSWERABLE"),
        ("passages supplied", "UNANSWERABLE", "UNANSWERABLE"),
        ("passages supplied", "PARTIAL", "ANSWERABLE"),
        ("over the pool", "ANSWERABLE", "UNANSWERABLE"),
        ("over the pool", "UNANSWERABLE", "UNANSWERABLE"),
        ("over the pool", "PARTIAL", "UNANSWERABLE"),
    ]
    assert [f.aim for f in report.figures()] == [0.65, None, 0.65, None]
    assert "left out: 1 conversational" in report.table()
    assert "macro, even places (held out)" in report.table()


def test_an_absent_set_says_so(tmp_path: Path) -> None:
    report = run_answerability(tmp_path, ask=by_passages)
    assert "mtrag_human_eval is not in" in report.table()
    assert report.figures() == ()


def test_own_questions_count_false_answers_and_false_refusals(tmp_path: Path) -> None:
    rows = [
        {"id": "1a", "query": "open?", "expected": "answerable", "held_out": True},
        {"id": "1u", "query": "colour?", "expected": "unanswerable", "held_out": True},
        {"id": "2u", "query": "café?", "expected": "unanswerable", "held_out": True},
        {"id": "3p", "query": "both?", "expected": "partial", "held_out": False},
    ]
    file = tmp_path / "answerability.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    told: dict[str, PipelineRun] = {
        "open?": run_with("insufficient_evidence"),
        "colour?": run_with("answered"),
        "café?": run_with("insufficient_evidence"),
        "both?": run_with("answered", missing=("D2",)),
    }
    report = run_own_questions(file, ask=told.__getitem__)
    assert [figure.value for figure in report.figures()] == [0.5, 1.0, 0.0]
    assert "1u unanswerable, answered: colour?" in report.table()
    assert "is absent" in run_own_questions(tmp_path / "none", ask=told.__getitem__).table()


def test_our_own_questions_pair_up() -> None:
    path = Path(__file__).parents[2] / "data" / "bench" / "answerability.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    by_id = {row["id"]: row for row in rows}
    assert len(by_id) == len(rows)
    for row in rows:
        if "twin" in row:
            assert by_id[row["twin"]]["expected"] != row["expected"]
