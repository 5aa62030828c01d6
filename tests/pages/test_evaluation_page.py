"""Evaluation: a run begun and watched, its figures, what changed, and rows taken into the set."""

from __future__ import annotations

from core.errors import BadSource
from tests.fakes.fake_evaluation import COAT, LOST, FakeEvaluation, a_job
from tests.pages.reading import buttons_of, open_page, words_of


def _page(desk: object) -> None:
    from pages.components.notices import draw_notices
    from pages.evaluation import page

    draw_notices()
    page.render(desk)  # type: ignore[arg-type]


def _guarded(desk: object) -> None:
    from pages.evaluation import page
    from pages.shell import guard, session
    from tests.fakes.fake_office import FakeOffice

    session.provide(FakeOffice(the_evaluation=desk), who=lambda: "sam")  # type: ignore[arg-type]
    guard.open_page("evaluation", session.evaluation_desk, page.render)


def test_the_newest_run_shows_its_figures_and_why_rows_did_not_pass() -> None:
    at = open_page(_page, FakeEvaluation())
    words = words_of(at)

    assert "other thresholds" in words
    assert "2 did not pass" in words
    assert "Passed 33%" in words
    assert "Recall at 5 1.00" in words
    assert "Wrong citations 33%" in words
    assert "95th percentile 120 ms" in words
    assert "lacks '45 days'" in words
    assert "1 wrong citation" in words
    drawn = " ".join(e.proto.body for e in at.get("html"))
    assert 'href="/inspector?trace=trace-G-1"' in drawn
    assert "<img" not in drawn


def test_results_are_broken_down_by_kind_difficulty_and_language() -> None:
    words = words_of(open_page(_page, FakeEvaluation()))

    for group in ("Kind answer 3", "Difficulty easy 3", "Language English 2", "Chinese 1"):
        assert group in words


def test_an_older_run_opens_by_its_address() -> None:
    words = words_of(open_page(_page, FakeEvaluation(), run="eval_1"))

    assert "1 did not pass" in words
    assert "lacks '45 days'" not in words


def test_a_row_beyond_the_readers_rights_says_so_and_nothing_more() -> None:
    at = open_page(_page, FakeEvaluation(hidden=("G-1", "G-3")))
    words = words_of(at)

    assert "asked with rights you do not hold" in words
    assert "45 days" not in words
    assert COAT not in words
    assert "trace-G-1" not in " ".join(e.proto.body for e in at.get("html"))


def test_a_run_is_begun_with_what_was_chosen() -> None:
    desk = FakeEvaluation(stored={})
    at = open_page(_page, desk)
    at.multiselect(key="only").set_value(["HARD", "zh"])
    at.text_input(key="note").set_value("after the fix")
    at.button(key="run").click().run()

    assert desk.calls == [("start", (("HARD", "zh"), "after the fix", False))]
    assert "0 of 80 questions" in words_of(at)
    assert "the first one loads the models" in words_of(at)


def test_a_run_under_way_tells_pace_and_time_left_and_can_be_stopped() -> None:
    desk = FakeEvaluation(state=a_job())
    at = open_page(_page, desk)
    words = words_of(at)

    assert "30 of 80 questions · 28 passed, 2 not · 2.0 a second · about 25 s left" in words
    assert at.button(key="run").disabled
    at.button(key="stop").click().run()
    assert desk.calls == [("stop", None)]


def test_a_run_that_ended_while_watched_opens_its_results() -> None:
    desk = FakeEvaluation(state=a_job())
    at = open_page(_page, desk, run="eval_1")
    desk.state = a_job("done", run_id="eval_2", done=80)
    at.run()

    assert "of 80 questions" not in words_of(at)
    assert not at.button(key="run").disabled


def test_a_run_cut_off_or_failed_says_what_is_safe() -> None:
    failed = FakeEvaluation(state=a_job("failed", words="No index."))
    words = words_of(open_page(_page, failed))
    assert "The last run failed after 30 of 80. No index. Earlier runs are as they were." in words

    gone = FakeEvaluation(state=a_job(elsewhere=True))
    at = open_page(_page, gone)
    assert "another console process" in words_of(at)
    assert not at.button(key="run").disabled


def test_two_runs_are_compared_by_figures_and_rows() -> None:
    at = open_page(_page, FakeEvaluation())
    at.segmented_control(key="view").set_value("Compare").run()
    words = words_of(at)

    assert "✖ 1 worse" in words
    assert "none better" in words
    assert "Passed 67% 33% −33 points worse" in words
    assert "G-1 How long may a coat be returned? ✖ worse passed lacks '45 days'" in words


def test_one_run_alone_says_how_to_get_a_second() -> None:
    desk = FakeEvaluation()
    del desk.stored["eval_1"]
    at = open_page(_page, desk)
    at.segmented_control(key="view").set_value("Compare").run()

    assert "A comparison needs two runs" in words_of(at)


def test_a_proposed_row_is_corrected_and_taken_in() -> None:
    desk = FakeEvaluation()
    at = open_page(_page, desk)
    at.segmented_control(key="view").set_value("Grow the set").run()
    assert LOST in words_of(at)
    at.text_area(key="must-N-1").set_value("10 business days\nfree of charge")
    at.selectbox(key="difficulty-N-1").set_value("HARD")
    at.button(key="take-N-1").click().run()

    name, edited = desk.calls[0]
    assert (name, edited["difficulty"], edited["kind"]) == ("accept", "HARD", "answer")
    assert edited["required_facts"] == ["10 business days", "free of charge"]
    assert "Nothing new to propose" in words_of(at)
    assert "Taken in" in words_of(at)


def test_a_proposed_row_can_be_put_away() -> None:
    desk = FakeEvaluation()
    at = open_page(_page, desk)
    at.segmented_control(key="view").set_value("Grow the set").run()
    at.button(key="never-N-1").click().run()

    assert desk.calls == [("dismiss", "N-1")]


def test_nothing_is_exported_until_somebody_asks() -> None:
    desk = FakeEvaluation()
    open_page(_page, desk).run()

    assert desk.calls == []


def test_without_a_run_it_says_what_to_do() -> None:
    at = open_page(_page, FakeEvaluation(stored={}))

    assert "No run is stored yet Press “Run the set”" in words_of(at)
    assert "run" in buttons_of(at)


def test_an_unknown_run_says_so() -> None:
    assert "There is no stored evaluation" in words_of(
        open_page(_page, FakeEvaluation(), run="eval_9")
    )


def test_a_faulty_golden_file_is_named() -> None:
    at = open_page(_guarded, FakeEvaluation(broken=BadSource("golden.jsonl:7", "is not JSON.")))

    assert "golden\\.jsonl" in words_of(at).replace("\u2060", "")
