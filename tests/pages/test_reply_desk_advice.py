"""The advice above the draft: shown, its clause opened, and the dialogs prefilled from it."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from core.models.advice import AdviceGround, HandlingAdvice
from tests.fakes.fake_desk import FakeDesk, a_desk
from tests.pages.builders import HOSTILE
from tests.pages.reading import open_page, words_of
from tests.pages.view_builders import a_view

_CLAUSE = "Items marked Final Sale cannot be returned."


def _page(desk: object) -> None:
    from pages.components.notices import draw_notices
    from pages.reply_desk import page

    draw_notices()
    page.render(desk)  # type: ignore[arg-type]


def _advising(desk: FakeDesk, advice: HandlingAdvice | None) -> AppTest:
    view = a_view()
    assert view.run is not None
    desk.views["1042"] = view.model_copy(
        update={"run": view.run.model_copy(update={"advice": advice})}
    )
    return open_page(_page, desk, case="1042")


def an_advice(
    outcome: str = "refuse", words: str = "The policy does not allow it."
) -> HandlingAdvice:
    evidence_id = a_view().evidence[0].evidence_id
    ground = AdviceGround(
        kind="policy_forbids", words=words, evidence_id=evidence_id, quote=_CLAUSE
    )
    return HandlingAdvice(
        outcome=outcome,
        grounds=(ground,),
        reason="policy_exception",
        to="club manager" if outcome == "escalate" else "",
        missing=("the approval",) if outcome == "escalate" else (),
    )


def test_a_plain_reply_shows_no_advice() -> None:
    for advice in (None, HandlingAdvice(outcome="reply")):
        assert "Advised" not in words_of(_advising(a_desk(), advice))


def test_the_advice_says_what_why_and_by_which_clause() -> None:
    words = words_of(_advising(a_desk(), an_advice()))

    assert "Advised: refuse" in words
    assert "The policy does not allow it." in words
    assert _CLAUSE in words


def test_the_clause_opens_its_passage() -> None:
    desk = a_desk()
    at = _advising(desk, an_advice())
    at.button(key="clause-0").click().run()

    opened = [carried["item_id"] for name, carried in desk.calls if name == "mark_opened"]
    assert opened == [a_view().evidence[0].evidence_id]


def test_a_refusal_begins_with_the_ground_and_its_clause() -> None:
    at = _advising(a_desk(), an_advice())
    at.button(key="refuse").click().run()

    assert at.text_input(key="refuse-reason").value == f"The policy does not allow it. {_CLAUSE}"


def test_an_escalation_is_prefilled_from_the_advice() -> None:
    at = _advising(a_desk(), an_advice("escalate", "No approval is on record."))
    at.button(key="escalate").click().run()

    assert at.selectbox(key="esc-reason").value == "policy_exception"
    assert at.text_input(key="esc-to").value == "club manager"
    assert str(at.text_input(key="esc-missing").value).startswith("the approval")
    assert at.text_area(key="esc-note").value == "No approval is on record."


def test_hostile_words_in_an_advice_stay_text() -> None:
    at = _advising(a_desk(), an_advice(words=HOSTILE))

    assert not at.exception
    assert "<img" not in "".join(str(block.value) for block in at.markdown)


def test_the_advice_stands_before_the_draft() -> None:
    words = words_of(_advising(a_desk(), an_advice()))

    assert words.index("Advised: refuse") < words.index("Before you send")


def test_the_advised_decision_is_the_button_to_press_first() -> None:
    for advice, first in (
        (None, "approve"),
        (an_advice("escalate"), "escalate"),
        (an_advice("refuse"), "refuse"),
        (an_advice("ask_customer"), "ask"),
    ):
        at = _advising(a_desk(), advice)
        kinds = {k: at.button(key=k).proto.type for k in ("approve", "escalate", "ask", "refuse")}
        assert [k for k, kind in kinds.items() if kind == "primary"] == [first]
