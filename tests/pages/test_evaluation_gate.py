"""The Gate and Calibration views: sliders that re-route at once, a trial, a saved policy."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from core.errors import StaleVersion, Unavailable
from core.evaluation.gate_desk import Trial
from core.models.evidence import GateThresholds
from tests.fakes.fake_evaluation import FakeEvaluation, a_job
from tests.fakes.fake_gate import COAT, DEFAULT, FakeGate, a_lab, a_policy, some_figures
from tests.pages.builders import HOSTILE
from tests.pages.reading import open_page, words_of

STRICT = DEFAULT.model_copy(update={"evidence_min": 0.6})


def _page(desk: object) -> None:
    from pages.components.notices import draw_notices
    from pages.evaluation import page

    draw_notices()
    page.render(desk)  # type: ignore[arg-type]


def opened(gate: FakeGate, view: str = "Gate", **fields: Any) -> AppTest:
    return open_page(_page, FakeEvaluation(gate=gate, **fields), view=view)


def moved(at: AppTest, **values: float) -> AppTest:
    for name, value in values.items():
        at.slider(key=f"gate-{name}").set_value(value)
    return at.run()


def test_at_first_the_sliders_stand_at_what_is_in_force_and_nothing_moves() -> None:
    at = opened(FakeGate())
    words = words_of(at)

    assert "The thresholds of the settings are in force" in words
    assert [at.slider(key=f"gate-{n}").value for n in GateThresholds.model_fields] == [
        0.7,
        0.7,
        0.45,
        0.55,
    ]
    assert "nothing moves" in words
    assert "None yet: the first one you save" in words
    assert at.button(key="gate-save").disabled
    assert at.button(key="gate-trial").disabled
    assert "None. Move a slider" in words


def test_moving_a_slider_reroutes_the_stored_answers_at_once() -> None:
    at = moved(opened(FakeGate()), evidence_min=0.6)
    words = words_of(at)

    assert "1 of 4 passages would go another way in 1 of 2 questions" in words
    assert "✔ included 3 → 2 · −1" in words
    assert "“A sentence of returns.” ✔ included ✖ left out" in words
    assert "states usable evidence 0.58, limit 0.55 → 0.60" in words
    drawn = " ".join(e.proto.body for e in at.get("html"))
    assert 'href="/inspector?trace=trace-1"' in drawn


def test_a_hostile_passage_is_shown_as_text() -> None:
    at = moved(opened(FakeGate()), injection_max=0.5)

    assert "instructs the model 0.60" in words_of(at)
    drawn = " ".join(e.proto.body for e in at.get("html"))
    assert "<img" not in drawn
    assert HOSTILE.split()[0] in words_of(at)


def test_a_golden_row_that_loses_its_only_passage_is_named() -> None:
    head = FakeEvaluation().reports()[0]
    words = words_of(moved(opened(FakeGate(held=a_lab(head))), evidence_min=0.6))

    assert "✖ 1 row would lose something ✖ 1 left without any gold passage" in words
    assert "2 rows asked with rights you do not hold" in words
    assert f"G-1 {COAT} ✖ worse no gold passage left gold passage “returns”" in words


def test_without_a_golden_run_it_says_how_to_get_one() -> None:
    assert "The golden set was never run here" in words_of(opened(FakeGate()))


def test_without_any_answer_it_says_what_to_do() -> None:
    empty = a_lab()._replace(asked=(), golden=())
    words = words_of(opened(FakeGate(held=empty)))

    assert "There is no stored answer that you may read yet Draft a reply" in words


def test_reset_goes_back_to_what_is_in_force() -> None:
    at = moved(opened(FakeGate(policies=[a_policy(thresholds=STRICT)])), evidence_min=0.9)
    at.button(key="gate-reset").click().run()

    assert at.slider(key="gate-evidence_min").value == 0.6
    assert "nothing moves" in words_of(at)


def test_an_exact_value_between_two_steps_is_kept_until_it_is_moved() -> None:
    fitted = GateThresholds(evidence_min=0.5837, relevant_min=0.4412)
    gate = FakeGate(policies=[a_policy(thresholds=fitted)])
    at = opened(gate)
    assert "nothing moves" in words_of(at)
    at = moved(at, injection_max=0.5)
    at.button(key="gate-trial").click().run()

    (_, (thresholds, with_taken)) = gate.calls[0]
    assert thresholds == fitted.model_copy(update={"injection_max": 0.5})
    assert with_taken


def test_a_trial_is_begun_with_the_sliders_and_compared_when_it_is_done() -> None:
    desk = FakeEvaluation()
    gate = FakeGate()
    at = moved(opened(gate), evidence_min=0.6)
    assert "Not run yet." in words_of(at)
    gate.tried = Trial(desk.report("eval_2"), desk.compare("eval_1", "eval_2"))
    words = words_of(at.run())

    assert "33% of 3 rows passed" in words
    assert "✖ 1 worse" in words
    assert "lacks '45 days'" in words
    gate.tried = Trial(desk.report("eval_2"), None)
    assert "no run under the thresholds in force to compare it with" in words_of(at.run())


def test_no_trial_can_be_begun_while_a_run_is_under_way() -> None:
    at = moved(opened(FakeGate(), state=a_job(trial=True)), evidence_min=0.6)
    assert at.button(key="gate-trial").disabled
    assert "On trial: 30 of 80 questions" in words_of(at)


def test_saving_shows_before_and_after_and_needs_a_reason_and_a_look() -> None:
    gate = FakeGate()
    at = moved(opened(gate), evidence_min=0.6)
    at.button(key="gate-save").click().run()
    words = words_of(at)
    assert "Used: states usable evidence above 0.55 0.60 raised" in words
    assert "1 passage of recent questions would go another way" in words
    assert "⚠ golden set not run under these" in words
    assert at.button(key="gate-confirm").disabled
    at.text_area(key="gate-reason").set_value("Too many asides").run()
    assert at.button(key="gate-confirm").disabled
    at.checkbox(key="gate-sure").check().run()
    at.button(key="gate-confirm").click().run()

    assert gate.calls == [("save", (STRICT, "Too many asides", ""))]
    words = words_of(at)
    assert "Saved\\. It holds from the next run on" in words.replace("\u2060", "")
    assert "✔ In force saved" in words
    assert "✔ in force Too many asides" in words
    assert "evidence 0.55 → 0.60" in words
    assert "nothing moves" in words


def test_a_threshold_at_its_end_is_refused_in_the_dialog_with_the_reason() -> None:
    at = moved(opened(FakeGate()), injection_max=1.0)
    at.button(key="gate-save").click().run()
    at.text_area(key="gate-reason").set_value("off").run()
    at.checkbox(key="gate-sure").check().run()

    assert "no passage would ever be left out for instructing the model" in words_of(at)
    assert at.button(key="gate-confirm").disabled


def test_somebody_elses_save_meanwhile_becomes_a_message_and_nothing_is_overwritten() -> None:
    gate = FakeGate(refuses=StaleVersion("Other gate thresholds were saved meanwhile."))
    at = moved(opened(gate), evidence_min=0.6)
    at.button(key="gate-save").click().run()
    at.text_area(key="gate-reason").set_value("Too many asides").run()
    at.checkbox(key="gate-sure").check().run()
    at.button(key="gate-confirm").click().run()

    said = words_of(at).replace("\u2060", "").replace("\\", "")
    assert "Other gate thresholds were saved meanwhile." in said
    assert gate.policies == []


def test_a_cancelled_dialog_saves_nothing() -> None:
    gate = FakeGate()
    at = moved(opened(gate), evidence_min=0.6)
    at.button(key="gate-save").click().run()
    at.button(key="gate-cancel").click().run()

    assert gate.calls == []
    assert not [b for b in at.button if b.key == "gate-confirm"]
    assert at.slider(key="gate-evidence_min").value == 0.6


def test_the_last_change_can_be_undone_as_a_new_policy() -> None:
    gate = FakeGate(policies=[a_policy(thresholds=STRICT, reason="Too many asides")])
    at = opened(gate)
    at.button(key="gate-undo").click().run()
    at.checkbox(key="gate-sure").check().run()
    at.button(key="gate-confirm").click().run()

    assert gate.calls == [("save", (DEFAULT, "Undo of “Too many asides”", "gatepol_1"))]


def test_an_older_policy_can_be_taken_up_again() -> None:
    gate = FakeGate(
        policies=[
            a_policy("gatepol_2", thresholds=STRICT, replaces="gatepol_1"),
            a_policy("gatepol_1", thresholds=DEFAULT.model_copy(update={"injection_max": 0.6})),
        ]
    )
    at = opened(gate)
    assert at.button(key="gate-again-gatepol_2").disabled
    at.button(key="gate-again-gatepol_1").click().run()

    assert "Left out: instructs the model above 0.70 0.60 lowered" in words_of(at)
    assert at.text_area(key="gate-reason").value.startswith("Back to the policy of")


def test_who_may_not_save_is_told_so_and_can_still_look() -> None:
    at = moved(opened(FakeGate(may_save=False)), evidence_min=0.6)

    assert at.button(key="gate-save").disabled
    assert "Only a supervisor saves." in words_of(at)
    assert "would go another way" in words_of(at)


def test_a_store_that_cannot_be_read_is_named() -> None:
    said = words_of(opened(FakeGate(broken=Unavailable("The database is busy."))))
    assert "database is busy" in said


# -- calibration ------------------------------------------------------------------------------


def test_each_question_shows_its_error_its_sets_and_its_languages() -> None:
    at = opened(FakeGate(figures=(some_figures(),)), "Calibration")
    words = words_of(at)

    assert "Is about the question ✔ within 0.05 expected calibration error 0.020" in words
    assert "States usable evidence ⚠ above 0.05 expected calibration error 0.350" in words
    assert "clapnq English 80 0.020 0.930 (0.900 to 0.950)" in words
    assert "cmrc_zh Chinese 20 0.040 –" in words
    assert "English 80 0.020" in words
    assert words.count("Not measured.") == 2
    assert "0.9 to 1.0 50 0.98 1.00" in words


def test_the_last_bench_can_be_looked_at_beside_the_shipped_figures() -> None:
    bench = some_figures().model_copy(update={"origin": "the last bench", "version": "8"})
    at = opened(FakeGate(figures=(some_figures(), bench)), "Calibration")
    assert "version 7" in words_of(at)
    at.segmented_control(key="calibration-of").set_value("the last bench").run()
    assert "version 8" in words_of(at)


def test_without_figures_it_says_soberly_what_is_not_known() -> None:
    words = words_of(opened(FakeGate(), "Calibration"))
    assert "No calibration is kept with this gate" in words
    assert "how often 0.8 means eight in ten" in words
