"""Whether further rounds pay, counted over runs as they came."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.evaluation.loop_rounds import QUESTIONS, LoopQuestion, case_of, run_rounds
from core.models.plan import RewrittenQuery
from core.models.trace import PipelineRun, Round
from core.wiring import Office
from tests.company import ask
from tests.pages.run_builders import a_run

OURS = Path(__file__).resolve().parents[2] / "data" / "bench" / QUESTIONS


def a_rewrite(gap: str = "D1") -> RewrittenQuery:
    return RewrittenQuery(
        rewritten_query="q", strategy_tag="EXPAND_FIELDS", expected_new_evidence="", gap=gap
    )


def a_case(*covered: tuple[str, ...], ms: float = 100.0, evidence: int = 1) -> PipelineRun:
    """A run with one round for each tuple of settled dimensions; round ``evidence`` brought all."""
    run = a_run()
    ids = tuple(e.evidence_id for e in run.package.all_evidence()) if run.package else ()
    rounds = tuple(
        Round(
            number=n,
            query="q",
            rewrite=a_rewrite() if n > 1 else None,
            covered=settled,
            gap_filled="D1" in settled if n > 1 else None,
            new_evidence_ids=ids if n == evidence else (),
        )
        for n, settled in enumerate(covered, 1)
    )
    trace = run.trace.model_copy(
        update={"rounds": rounds, "loop_end": "enough", "timings_ms": {"total": ms}}
    )
    return run.model_copy(update={"trace": trace})


QUESTION = LoopQuestion(id="L-1", kind="words", query="q", sources=("returns@4.2",), facts=("45",))


def test_evidence_of_the_first_round_is_told_from_that_of_the_later_ones() -> None:
    early, late = case_of(QUESTION, a_case(("D1",))), case_of(QUESTION, a_case((), (), evidence=2))
    assert (early.first, early.found) == (True, True)
    assert (late.first, late.found) == (False, True)


@pytest.mark.parametrize(("facts", "told"), [(("45 DAYS",), True), (("45 days", "60"), False)])
def test_a_reply_must_hold_every_fact(facts: tuple[str, ...], told: bool) -> None:
    asked = QUESTION.model_copy(update={"facts": facts})
    assert case_of(asked, a_case(("D1",))).told is told


def test_what_nothing_answers_is_held_against_no_source() -> None:
    case = case_of(QUESTION.model_copy(update={"sources": ()}), a_case(()))
    assert (case.first, case.found, case.told) == (None, None, None)


def test_the_figures_and_the_table_count_what_the_runs_were(tmp_path: Path) -> None:
    file = tmp_path / QUESTIONS
    runs = {
        "a": a_case(("D1",)),
        "b": a_case((), ("D1",), evidence=2),
        "c": a_case((), (), (), (), ms=4_000.0),
    }
    rows = [QUESTION.model_copy(update={"id": q, "query": q}) for q in runs]
    file.write_text("".join(f"{row.model_dump_json()}\n" for row in rows), encoding="utf-8")
    report = run_rounds(file, ask=runs.__getitem__)
    figures = {f.name: f for f in report.figures()}
    assert figures["rounds, median"].value == 2
    assert figures["rounds, median"].met
    slow = figures["time of runs with 4 rounds, p95"]
    assert (slow.value, slow.n, slow.met) == (4_000.0, 1, False)
    assert figures["rewrites whose gap was filled"].value == 0.25
    assert figures["all sources in evidence after round 1, own questions"].value == 2 / 3
    lines = [line.split() for line in report.table().splitlines()]
    assert ["our", "questions", "3", "1", "2", "2", "2"] in lines
    assert ["EXPAND_FIELDS", "4", "1", "25", "%"] in lines


def test_without_the_questions_nothing_is_measured(tmp_path: Path) -> None:
    report = run_rounds(tmp_path / QUESTIONS, ask=lambda _: a_run())
    assert report.skipped.startswith("skipped")
    assert (report.figures(), report.table()) == ((), report.skipped)


def test_our_questions_name_documents_that_are_there(office: Office) -> None:
    rows = [
        LoopQuestion.model_validate(json.loads(line))
        for line in OURS.read_text(encoding="utf-8").splitlines()
    ]
    named = {s for row in rows for s in row.sources if not s.startswith("records:")}
    assert len(rows) >= 20
    assert len({row.id for row in rows}) == len(rows)
    assert set(office.registry.live(named)) == named


def test_one_of_our_questions_needs_a_second_round_and_gets_it(office: Office) -> None:
    question = next(
        q
        for line in OURS.read_text(encoding="utf-8").splitlines()
        if (q := LoopQuestion.model_validate(json.loads(line))).id == "L-01"
    )
    case = case_of(question, ask(office, question.query, as_user="ana"))
    assert (case.first, case.found, case.told) == (False, True, True)
    assert case.tried == (("SWITCH_KEYWORD_SYNONYM", True),)
