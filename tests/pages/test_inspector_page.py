"""The inspector: one question, every stage, and thresholds that re-route at once."""

from __future__ import annotations

from core.errors import BadQuestion
from tests.fakes.fake_boards import FakeInspector
from tests.pages.reading import open_page, words_of


def _page(desk: object) -> None:
    from pages.components.notices import draw_notices
    from pages.inspector import page

    draw_notices()
    page.render(desk)  # type: ignore[arg-type]


def test_a_run_shows_each_stage_with_its_decision_and_time() -> None:
    at = open_page(_page, FakeInspector(), trace="trace_1")
    heads = " ".join(e.label for e in at.expander).replace("\\", "").replace("\u2060", "")

    assert "4. Candidates · 61 ms · 8 candidates" in heads
    assert "6. Gate · 190 ms" in heads
    words = words_of(at)
    assert "array_has_any(acl, ['public', 'internal-service'])" in words
    assert "tries to instruct the model" in words
    assert "expand fields for D1: the number of days" in words
    assert "An official policy outranks an unsigned FAQ." in words


def test_asking_runs_the_question_and_opens_its_trace() -> None:
    inspector = FakeInspector()
    at = open_page(_page, inspector)
    at.text_input(key="question").set_value("How long do I have?")
    at.form_submit_button(key="run").click().run()

    assert inspector.asked == ["How long do I have?"]
    assert at.query_params["trace"] == "trace_1"


def test_moving_a_threshold_reroutes_without_another_run() -> None:
    inspector = FakeInspector()
    at = open_page(_page, inspector, trace="trace_1")
    at.slider(key="relevant_min-trace_1").set_value(0.9).run()

    assert "1 of 4 would go another way" in words_of(at)
    assert inspector.asked == []


def test_another_run_can_be_set_beside_it() -> None:
    at = open_page(_page, FakeInspector(), trace="trace_1")
    at.selectbox(key="compare-with").set_value("trace_2").run()

    words = words_of(at)
    assert "This run The other" in words
    assert "Both used the same passages." in words


def test_without_a_run_it_says_what_to_do() -> None:
    assert "Ask a question to see every stage" in words_of(open_page(_page, FakeInspector()))


def test_an_empty_question_is_not_run() -> None:
    inspector = FakeInspector()
    at = open_page(_page, inspector)
    at.form_submit_button(key="run").click().run()

    assert "Write a question first" in words_of(at)
    assert inspector.asked == []


def test_a_question_that_is_refused_says_so() -> None:
    at = open_page(_page, FakeInspector(broken=BadQuestion("The question is too long.")))
    at.text_input(key="question").set_value("x" * 50)
    at.form_submit_button(key="run").click().run()

    assert "The question is too long" in words_of(at)


def test_a_run_that_is_not_yours_is_not_shown() -> None:
    at = open_page(_page, FakeInspector(), trace="trace_of_somebody")

    assert "not stored, or not yours to see" in words_of(at)
