"""The inspector: one question, every stage, and thresholds that re-route at once."""

from __future__ import annotations

from datetime import date

from core.errors import BadQuestion
from core.models.evidence import GateNote
from core.text.timeless import for_each_day
from tests.fakes.fake_boards import FakeInspector
from tests.pages.builders import HOSTILE
from tests.pages.reading import open_page, words_of
from tests.pages.run_builders import a_candidate, a_gated, a_run


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
    assert "Hoped for: the number of days" in words
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


def test_each_passage_shows_the_tests_it_passed_and_the_one_that_decided() -> None:
    words = words_of(open_page(_page, FakeInspector(), trace="trace_1"))

    assert "1 Instructs ≤ 0.70 2 Denies ≤ 0.60 3 About it ≥ 0.45 4 Evidence > 0.55" in words
    # the policy: three tests passed, the last decided for it
    assert "0.01 ✔ passed 0.02 ✔ passed 0.96 ✔ passed 0.94 ✔ decided ✔ included" in words
    # the unsigned FAQ: the second test decided
    assert "0.02 ✔ passed 0.83 ⚖ decided 0.92 not reached 0.70 not reached ⚖ conflict" in words
    # the hostile post: the first
    assert "0.97 ✖ decided 0.20 not reached 0.55 not reached 0.11 not reached" in words


def test_who_judged_by_which_policy_and_what_could_not_be_judged_is_told() -> None:
    words = words_of(open_page(_page, inspecting(unjudged=True), trace="trace_1"))

    assert "policy gatepol_7" in words
    assert "judged by claude/haiku, local-gate/1" in words
    assert "⚠ 1 passage could not be judged and stayed out" in words
    assert "– not judged" in words
    assert "could not be judged: no answer in time" in words


def test_both_sides_of_a_premise_and_the_words_of_an_instruction_are_quoted() -> None:
    at = open_page(_page, inspecting(), trace="trace_1")
    words = words_of(at)

    assert "The question assumes “returns take 60 days”" in words
    assert "Return policy 4.2 says “within 45 days”" in words
    assert "addresses the model “" in words
    assert "Found by: asks the reader to ignore rules" in words
    assert "<img" not in " ".join(e.proto.body for e in at.get("html"))


def inspecting(*, unjudged: bool = False) -> FakeInspector:
    """A run by a saved policy and two backends, whose gate says what it read."""
    run = a_run()
    policy, refunds, faq, hostile = run.gated
    denies = GateNote(premise="returns take 60 days", counter_quote="within 45 days")
    instructs = GateNote(injection_quote=HOSTILE, reasons=("asks the reader to ignore rules",))
    left = {
        "scores": None,
        "rule": "unjudged",
        "route": "exclude",
        "reason": "could not be judged: no answer in time",
    }
    gated = (
        policy.model_copy(update={"backend": "local-gate/1", "note": denies}),
        refunds.model_copy(update={"backend": "claude/haiku", **(left if unjudged else {})}),
        faq,
        hostile.model_copy(update={"note": instructs}),
    )
    trace = run.trace.model_copy(update={"gate_policy_id": "gatepol_7"})
    changed = run.model_copy(update={"gated": gated, "trace": trace})
    return FakeInspector(held=changed)


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


def test_a_comparison_shows_its_days_and_which_passage_speaks_for_which() -> None:
    run = a_run()
    assert run.plan is not None
    then, today = date(2025, 5, 31), run.plan.temporal.asked_date
    when = run.plan.temporal.model_copy(update={"compared": (then, today), "event_date": then})
    dimensions = for_each_day(run.plan.dimensions[:1], (then, today), today=today)
    plan = run.plan.model_copy(update={"temporal": when, "dimensions": dimensions})
    old = a_candidate("match#1", "We match Best Buy.", "Price match", "", status="superseded",
                      valid_from=date(2024, 11, 1), valid_to=date(2025, 6, 1))  # fmt: skip
    gated = a_gated(old, "evidence", "states it", (0.9, 0.9, 0.02, 0.01))
    held = run.model_copy(update={"plan": plan, "gated": (*run.gated, gated)})
    words = words_of(open_page(_page, FakeInspector(held=held), trace="trace_1"))

    assert f"then: {then}" in words
    assert f"now: {today}" in words
    assert "About an event on" in words
    assert "By the version valid on" in words
    assert "valid then (31 May 2025)" in words


def test_a_long_question_says_so_and_can_be_stopped() -> None:
    inspector = FakeInspector(slow=True)
    at = open_page(_page, inspector)
    at.text_input(key="question").set_value("How long do I have?")
    at.form_submit_button(key="run").click().run()

    assert "Running every stage … How long do I have?" in words_of(at)
    at.button(key="stop-run").click().run()
    assert inspector.under_way() is None
    assert at.query_params["trace"] in ("trace_1", ["trace_1"])


def test_the_rounds_say_what_was_missing_what_was_tried_and_what_came_back() -> None:
    words = words_of(open_page(_page, FakeInspector(), trace="trace_1"))
    assert "Round 1 asked as it came" in words
    assert "Round 2 asked for the fields a rule would state" in words
    assert "Hoped for: the number of days" in words
    assert "2 new passages" in words
    assert "✔ covered changed" in words
