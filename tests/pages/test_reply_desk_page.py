"""The reply desk: what it shows and does, and what it says when there is nothing or trouble."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import StaleVersion, TryAgainLater
from tests.fakes.fake_desk import FakeDesk, a_desk, an_empty_desk
from tests.pages.builders import HOSTILE, a_case
from tests.pages.reading import buttons_of, open_page, words_of
from tests.pages.view_builders import a_lease, a_view


def _page(desk: object) -> None:
    from pages.components.notices import draw_notices
    from pages.reply_desk import page

    draw_notices()
    page.render(desk)  # type: ignore[arg-type]


def _opened(desk: FakeDesk, case_id: str = "1042") -> AppTest:
    return open_page(_page, desk, case=case_id)


def _called(desk: FakeDesk, name: str) -> list[dict[str, Any]]:
    return [carried for called, carried in desk.calls if called == name]


def _settled(desk: FakeDesk) -> FakeDesk:
    desk.opened["1042"] = {"conflict-1", "value:C13"}
    return desk


def test_a_case_shows_its_question_evidence_draft_and_claims() -> None:
    words = words_of(_opened(a_desk()))

    assert "How long do I have?" in words
    assert "Return policy 4.2 › Holiday returns" in words
    assert "You can return the coat within 45 days of the purchase date." in words
    assert "2 verified" in words
    assert "past its review date by 12 days" in words


def test_a_case_is_opened_once_and_then_only_read() -> None:
    desk = a_desk()
    at = _opened(desk)
    at.run()

    assert len(_called(desk, "open")) == 1


def test_a_lease_that_ran_out_is_taken_again_when_nobody_else_came() -> None:
    desk = a_desk()
    at = _opened(desk)
    desk.views["1042"] = a_view(lease=None, mine=False)
    at.run()

    assert len(_called(desk, "open")) == 2


def test_approve_waits_and_says_why_in_plain_sight() -> None:
    at = _opened(a_desk())

    assert at.button(key="approve").disabled
    assert "Approve waits for 2 things to be opened: conflict opened" in words_of(at)


def test_reading_the_conflict_and_the_money_sentence_opens_the_way_to_approval() -> None:
    desk = a_desk()
    at = _opened(desk)
    at.button(key="read-conflict-1").click().run()
    at.button(key="check-1").click().run()

    assert {c["item_id"] for c in _called(desk, "mark_opened")} == {"conflict-1", "value:C13"}
    assert not at.button(key="approve").disabled


def test_approving_carries_the_hash_and_version_that_were_on_the_screen() -> None:
    desk = _settled(a_desk())
    at = _opened(desk)
    shown = desk.view("1042")
    at.button(key="approve").click().run()

    assert [c["text_hash"] for c in _called(desk, "approve")] == [
        shown.draft and shown.draft.text_hash
    ]
    assert at.query_params["case"] == "1043"
    assert "Approved #1042" in words_of(at)


def test_an_approval_can_be_taken_back_while_the_window_is_open() -> None:
    desk = _settled(a_desk())
    at = _opened(desk)
    at.button(key="approve").click().run()
    at.button(key="undo").click().run()

    assert len(_called(desk, "undo")) == 1
    assert at.query_params["case"] == "1042"


def test_a_draft_that_moved_on_is_never_overwritten_or_sent() -> None:
    desk = _settled(a_desk())
    at = _opened(desk)
    desk.cases["1042"] = desk.cases["1042"].model_copy(update={"version": 9})
    at.button(key="approve").click().run()

    assert not _called(desk, "approve")
    assert "newer draft" in words_of(at).replace("\u2060", "")


def test_selecting_a_claim_shows_its_passage_and_dims_the_rest() -> None:
    desk = a_desk()
    at = _opened(desk)
    at.button(key="select-claim-2").click().run()

    assert any('class="c supported on"' in e.proto.body for e in at.get("html"))
    assert at.get_by_key("card-on-E2")
    assert at.get_by_key("card-dim-E1")


def test_escalating_sends_reason_and_missing_piece_along() -> None:
    desk = a_desk()
    at = _opened(desk)
    at.button(key="escalate").click().run()
    at.selectbox(key="esc-reason").set_value("policy_exception")
    at.text_input(key="esc-missing").set_value("a signed exception")
    at.button(key="confirm").click().run()

    carried = _called(desk, "escalate")[0]
    assert carried["reason"] == "policy_exception"
    assert carried["missing"] == "a signed exception"
    assert carried["case_version"] == 3


@pytest.mark.parametrize(
    ("button", "field", "call", "key"),
    [
        ("ask", "ask-text", "ask_customer", "question"),
        ("refuse", "refuse-reason", "refuse", "reason"),
        ("reject", "reject-reason", "reject", "reason"),
        ("redraft", "redraft-reason", "redraft", "reason"),
        ("use-0", "use-reason", "use_left_out", "reason"),
        ("drop-E1", "drop-reason", "not_this_one", "reason"),
        ("flag-E1", "flag-reason", "flag", "reason"),
    ],
)
def test_each_dialog_writes_what_was_typed(button: str, field: str, call: str, key: str) -> None:
    desk = a_desk()
    at = _opened(desk)
    at.button(key=button).click().run()
    typed = [*at.text_input, *at.text_area]
    next(widget for widget in typed if widget.key == field).set_value("because")
    at.button(key="confirm").click().run()

    assert _called(desk, call)[0][key] == "because"


def test_a_passage_that_instructs_the_model_cannot_be_used() -> None:
    at = _opened(a_desk())

    assert at.button(key="use-1").disabled
    assert "tries to instruct the model" in words_of(at)


def test_hostile_text_reaches_the_page_as_text_only() -> None:
    at = _opened(a_desk())
    bodies = [e.proto.body for e in at.get("html") if "Ignore your rules" in e.proto.body]

    assert bodies
    assert all("<img" not in body for body in bodies)
    assert HOSTILE in words_of(at) or "![x](http://127.0.0.1:9/track" in words_of(at)


def test_somebody_elses_case_is_read_only_until_it_is_taken_over() -> None:
    desk = a_desk()
    desk.views["1042"] = a_view(
        lease=a_lease(user_id="ben", name="Ben Okafor"),
        mine=False,
        read_only_reason="Ben Okafor is working on this case.",
        can_approve=True,
    )
    at = _opened(desk)

    assert at.button(key="approve").disabled
    assert at.button(key="edit").disabled
    at.button(key="take-over-1042").click().run()
    assert len(_called(desk, "take_over")) == 1


def test_open_claims_may_go_out_only_with_a_reason() -> None:
    desk = a_desk()
    desk.views["1042"] = a_view(
        can_approve=False, approve_blocked_by=("Not verified: a sentence.",), override_possible=True
    )
    at = _opened(desk)
    assert at.button(key="approve-override").disabled

    at.text_input(key="override-reason").set_value("the manager confirmed it").run()
    at.button(key="approve-override").click().run()
    assert _called(desk, "approve")[0]["reason"] == "the manager confirmed it"


def test_a_sent_case_offers_no_decision() -> None:
    at = _opened(a_desk(a_case(state="sent")))

    assert "approve" not in buttons_of(at)
    assert "This case is sent." in words_of(at)


def test_filters_narrow_the_queue() -> None:
    at = open_page(_page, a_desk())
    at.selectbox(key="filter-risk").set_value("high").run()

    assert {key for key in buttons_of(at) if key.startswith("open-")} == {"open-1045"}


def test_an_empty_queue_says_what_to_do() -> None:
    assert "Nothing to review" in words_of(open_page(_page, an_empty_desk()))


def test_an_unknown_case_says_so_and_leads_back() -> None:
    at = _opened(a_desk(), "9999")
    assert "There is no case 9999" in words_of(at).replace("\u2060", "").replace("\\", "")

    at.button(key="close-case").click().run()
    assert "case" not in at.query_params


def test_a_write_that_fails_says_what_happened_and_what_is_safe() -> None:
    desk = _settled(a_desk())
    at = _opened(desk)
    desk.approve = _failing  # type: ignore[method-assign, assignment]
    at.button(key="approve").click().run()

    words = words_of(at).replace("\u2060", "").replace("\\", "")
    assert "Somebody approved it a second ago." in words
    assert "Nothing was sent or overwritten." in words


def test_a_store_that_is_away_is_told_apart_from_an_empty_queue() -> None:
    desk = a_desk(broken=TryAgainLater("The database does not answer."))

    at = AppTest.from_function(_guarded, kwargs={"desk": desk}, default_timeout=20).run()

    words = words_of(at).replace("\u2060", "").replace("\\", "")
    assert "The database does not answer." in words
    assert "Nothing was lost." in words


def _guarded(desk: object) -> None:
    from pages.reply_desk import page
    from pages.shell import guard, session
    from tests.fakes.fake_office import FakeOffice

    session.provide(FakeOffice(the_desk=desk), who=lambda: "ana")  # type: ignore[arg-type]
    guard.open_page("reply_desk", session.desk, page.render)


def _failing(case_id: str, **carried: Any) -> None:
    raise StaleVersion("Somebody approved it a second ago.")


def test_what_the_gate_could_not_judge_is_said_above_the_evidence() -> None:
    words = "3 of 16 passages could not be judged: TypeSafe did not answer within 10 s"
    desk = a_desk()
    view = a_view()
    assert view.run is not None
    assert view.run.package is not None
    assert "Not all was judged" not in words_of(_opened(desk))
    package = view.run.package.model_copy(update={"unjudged": (words,)})
    desk.views["1042"] = a_view(run=view.run.model_copy(update={"package": package}))

    assert f"⚠ Not all was judged: {words}." in words_of(_opened(desk))
