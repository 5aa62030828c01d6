"""The panel of proposed actions: its words, its second step, and what never runs by itself."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import CountersignError, NotAllowed, StaleVersion
from core.models.action import ActionParameter, ActionProposal, ActionRecord, CalculationStep
from core.review.views import ActionView, CaseView
from tests.fakes.fake_boards import an_audit
from tests.fakes.fake_desk import FakeDesk, a_desk
from tests.pages.builders import HOSTILE, NOW
from tests.pages.reading import buttons_of, open_page, words_of
from tests.pages.view_builders import a_view

PROPOSAL = ActionProposal(
    proposal_id="act_1",
    tool="start_refund",
    title="Refund of order A-1",
    arguments={"order_id": "A-1", "amount": "112.00", "currency": "USD", "reason": "returned"},
    preview="112.00 USD is paid back to Visa.",
    reason="The return came in on 19 November 2026.",
    steps=(CalculationStep(label="Items returned", expression="1 x 112.00", result="112.00"),),
    parameters=(
        ActionParameter(name="order_id", label="Order", editable=False),
        ActionParameter(name="amount", label="Amount", kind="money", maximum="112.00", unit="USD"),
        ActionParameter(name="currency", label="Currency", editable=False),
        ActionParameter(name="reason", label="Reason"),
    ),
    moves_money=True,
)
FIELD = ActionProposal(
    proposal_id="act_2",
    tool="update_case",
    title="Note the order on the case",
    arguments={"case_id": "1042", "field": "order", "value": "A-1"},
    preview="The field becomes A-1.",
    reason="It is on record.",
    parameters=(ActionParameter(name="value", label="Value", kind="choice", choices=("A-1",)),),
)


def _page(desk: object) -> None:
    from pages.components.notices import draw_notices
    from pages.reply_desk import page

    draw_notices()
    page.render(desk)  # type: ignore[arg-type]


def _audit(desk: object) -> None:
    from pages.audit import page

    page.render(desk)  # type: ignore[arg-type]


def _record(state: str, **changes: Any) -> ActionRecord:
    held: dict[str, Any] = {
        "proposal": PROPOSAL,
        "tenant_id": "athena",
        "case_id": "1042",
        "draft_id": "draft_1",
        "trace_id": "trace_1",
        "arguments": PROPOSAL.arguments,
        "state": state,
        "by": "ana",
        "by_name": "Ana Ruiz",
        "at": NOW,
        "not_before": NOW,
        "idempotency_key": "k",
    }
    return ActionRecord.model_validate(held | changes)


def _proposed(proposal: ActionProposal = PROPOSAL, **changes: Any) -> ActionView:
    held = {"proposal": proposal, "words": "Proposed.", "open": True, "settled": True}
    return ActionView.model_validate(held | changes)


def _shown(*actions: ActionView) -> tuple[FakeDesk, AppTest]:
    desk = a_desk()
    desk.views["1042"] = a_view(actions=actions)
    return desk, open_page(_page, desk, case="1042")


def _called(desk: FakeDesk, name: str) -> list[dict[str, Any]]:
    return [carried for called, carried in desk.calls if called == name]


def test_without_a_proposal_there_is_no_panel() -> None:
    _, at = _shown()
    assert "Proposed actions" not in words_of(at)


def test_a_proposal_says_what_would_change_on_what_grounds_and_how_it_was_worked_out() -> None:
    desk, at = _shown(_proposed())
    words = words_of(at)
    assert "Refund of order A-1 needs your decision" in words
    assert "112.00 USD is paid back to Visa." in words
    assert "The return came in on 19 November 2026." in words
    assert "Items returned 1 x 112.00 112.00" in words
    assert "Sending the reply runs none of them." in words
    assert _called(desk, "confirm_action") == []


def test_money_runs_only_after_its_amount_was_typed_twice() -> None:
    desk, at = _shown(_proposed())
    at.button(key="confirm-action-0").click().run()
    at.button(key="confirm").click().run()
    assert "The two amounts are not the same" in words_of(at)
    at.text_input(key="action-again").set_value("11").run()
    at.button(key="confirm").click().run()
    assert _called(desk, "confirm_action") == []
    at.text_input(key="action-arg-amount").set_value("100.00").run()
    at.text_input(key="action-again").set_value("100.00").run()
    at.button(key="confirm").click().run()
    (carried,) = _called(desk, "confirm_action")
    assert carried["arguments"] == {"amount": "100.00", "reason": "returned"}
    assert (carried["proposal_id"], carried["override_reason"]) == ("act_1", "")
    assert carried["trace_id"] == a_view().run.trace.trace_id  # type: ignore[union-attr]


def test_a_field_is_confirmed_in_a_second_step_without_typing() -> None:
    desk, at = _shown(_proposed(FIELD))
    at.button(key="confirm-action-0").click().run()
    assert _called(desk, "confirm_action") == []
    at.button(key="confirm").click().run()
    (carried,) = _called(desk, "confirm_action")
    assert carried["arguments"] == {"value": "A-1"}


def test_cancelling_the_second_step_does_nothing() -> None:
    desk, at = _shown(_proposed(FIELD))
    at.button(key="confirm-action-0").click().run()
    at.button(key="cancel").click().run()
    at.run()
    assert "confirm" not in buttons_of(at)
    assert _called(desk, "confirm_action") == []


@pytest.mark.parametrize(
    "error", [StaleVersion("A newer draft was made."), NotAllowed("Needs a supervisor.")]
)
def test_what_stands_against_it_is_said_where_it_was_typed(error: CountersignError) -> None:
    desk, at = _shown(_proposed(FIELD))

    def refuse(_case_id: str, **_: Any) -> CaseView:
        raise error

    desk.confirm_action = refuse  # type: ignore[method-assign]
    at.button(key="confirm-action-0").click().run()
    at.button(key="confirm").click().run()
    assert str(error) in words_of(at)
    assert "confirm" in buttons_of(at)


def test_an_action_is_declined_with_its_reason() -> None:
    desk, at = _shown(_proposed())
    at.button(key="decline-action-0").click().run()
    at.text_input(key="action-decline-reason").set_value("paid in the store").run()
    at.button(key="confirm").click().run()
    (carried,) = _called(desk, "decline_action")
    assert carried["reason"] == "paid in the store"


def test_what_this_user_may_not_confirm_says_why_in_plain_sight() -> None:
    _, at = _shown(_proposed(blocked_by=("A refund of more than 500.00 needs a supervisor.",)))
    assert at.button(key="confirm-action-0").disabled
    assert "needs a supervisor" in words_of(at)


def test_a_confirmed_action_can_be_taken_back_and_shows_until_when() -> None:
    view = _proposed(
        record=_record("confirmed"),
        open=False,
        settled=False,
        take_back_until=NOW + timedelta(days=3650),
    )
    desk, at = _shown(view)
    assert "It runs in" in words_of(at)
    assert "confirm-action-0" not in buttons_of(at)
    at.button(key="take-back-action-0").click().run()
    assert _called(desk, "take_back_action") == [{"case_id": "1042", "proposal_id": "act_1"}]


def test_what_became_of_it_stays_on_the_screen() -> None:
    done = _record(
        "done", receipt="file:1.json", arguments={**PROPOSAL.arguments, "amount": "100.00"}
    )
    words = "Done, confirmed by Ana Ruiz. Receipt: file:1.json"
    _, at = _shown(_proposed(record=done, open=False, words=words))
    assert "✔ done" in words_of(at)
    assert "Confirmed with amount 100.00" in words_of(at)
    assert words in words_of(at)
    assert not {"confirm-action-0", "decline-action-0"} & buttons_of(at)


def test_a_supervisor_says_what_became_of_an_unknown_outcome() -> None:
    unknown = _proposed(record=_record("unknown"), open=False, may_settle=True)
    desk, at = _shown(unknown)
    at.button(key="settle-action-0").click().run()
    at.radio(key="action-was").set_value("not done").run()
    at.text_input(key="action-note").set_value("no such payment").run()
    at.button(key="confirm").click().run()
    (carried,) = _called(desk, "settle_action")
    assert (carried["done"], carried["note"]) == (False, "no such payment")


def test_hostile_words_in_a_proposal_are_drawn_as_words() -> None:
    hostile = PROPOSAL.model_copy(update={"title": HOSTILE, "preview": HOSTILE, "reason": HOSTILE})
    _, at = _shown(_proposed(hostile))
    drawn = "".join(element.proto.body for element in at.get("html"))
    assert "&lt;" in drawn
    assert "<img" not in drawn
    assert "<script" not in drawn


def test_the_audit_lists_actions_with_who_what_and_outcome() -> None:
    audit = an_audit()
    audit.decided = (_record("done", receipt="file:1.json", override_reason="postage on us"),)
    words = words_of(open_page(_audit, audit))
    assert "#1042" in words
    assert "Refund of order A-1" in words
    assert "More than the evidence bears: postage on us" in words
    assert "file:1.json" in words
