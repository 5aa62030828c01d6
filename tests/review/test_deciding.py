"""The other decisions: ask, refuse, escalate, reject, and taking one back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.errors import BadInput, InvalidTransition, NotAllowed, NotReady, StaleVersion
from core.models.compliance import STANDARD_DENIAL
from tests.fakes.scripted_copilot import PLAIN_REPLY, faq_conflict
from tests.review.builders import Bureau, a_case, approve

QUESTION = "Which size is the coat?"


def test_a_question_goes_out_like_a_reply_and_the_case_waits(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")

    done = desk.ask_customer("1042", question=QUESTION, case_version=view.case.version)

    assert done.case.state == "awaiting_customer"
    assert bureau.items()[0].body == QUESTION
    assert done.draft == view.draft
    bureau.later(seconds=11)
    bureau.outbox().run_once()
    assert [item.body for item in bureau.channel.sent] == [QUESTION]
    assert bureau.case().state == "awaiting_customer"


def test_a_question_that_claims_something_false_is_stopped(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")

    with pytest.raises(NotReady, match="question"):
        desk.ask_customer(
            "1042",
            question="You have 60 days to return it. Which size is it?",
            case_version=view.case.version,
        )
    assert bureau.items() == ()


def test_a_refusal_sends_the_standard_words_and_keeps_the_reason_inside(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")

    done = desk.refuse("1042", reason="suspected fraud ring", case_version=view.case.version)

    assert done.case.state == "refused"
    (item,) = bureau.items()
    assert "we cannot help with this request" in item.body
    assert "fraud" not in item.body
    assert done.history[-1].reason == "suspected fraud ring"


def test_a_refusal_in_chinese_is_in_chinese(bureau: Bureau) -> None:
    bureau.take_in(a_case("7", language="zh", customer_name=None))
    desk = bureau.desk()
    desk.refuse("7", reason="no", case_version=desk.open("7").case.version)

    assert "无法在此处理" in bureau.items("7")[0].body


def test_under_a_deny_nothing_but_the_standard_sentence_leaves(bureau: Bureau) -> None:
    bureau.copilot.verdict = "DENY"
    desk = bureau.desk()
    view = desk.open("1042")
    assert view.draft is not None
    assert view.draft.text == STANDARD_DENIAL
    assert not view.can_approve
    assert view.suggested_escalation_to == "privacy"

    desk.refuse("1042", reason="not for customers", case_version=view.case.version)
    bureau.later(seconds=11)
    bureau.outbox().run_once()

    assert [item.body for item in bureau.channel.sent] == [STANDARD_DENIAL]


def test_a_refusal_needs_a_reason(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")

    with pytest.raises(BadInput, match="why you refuse"):
        desk.refuse("1042", reason=" ", case_version=view.case.version)


@pytest.mark.parametrize(("risk", "hours"), [("low", 48), ("medium", 24), ("high", 4)])
def test_an_escalation_carries_the_packet_and_its_clock_follows_the_risk(
    bureau: Bureau, risk: str, hours: int
) -> None:
    bureau.take_in(a_case("5", risk=risk))
    desk = bureau.desk()
    view = desk.open("5")
    assert view.draft is not None

    done = desk.escalate(
        "5",
        reason="policy_exception",
        missing="who may extend the window",
        note="customer travels",
        case_version=view.case.version,
    )

    assert (done.case.state, done.lease) == ("escalated", None)
    with bureau.store.read() as txn:
        (escalation,) = txn.escalations("athena")
    assert escalation.draft_id == view.draft.draft_id
    assert escalation.trace_id == view.draft.trace_id
    assert escalation.assigned_to == view.suggested_escalation_to == "kim"
    assert escalation.due_at - escalation.raised_at == timedelta(hours=hours)
    assert bureau.items("5") == ()


def test_an_undecided_conflict_points_at_an_owner(bureau: Bureau) -> None:
    for name, value in faq_conflict(decided=False).items():
        setattr(bureau.copilot, name, value)

    assert bureau.desk().open("1042").suggested_escalation_to == "kim"


def test_an_unknown_reason_to_escalate_is_refused_with_the_choices(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")

    with pytest.raises(BadInput, match="legal_or_safety"):
        desk.escalate("1042", reason="tired", case_version=view.case.version)  # type: ignore[arg-type]


def test_a_rejected_draft_makes_the_case_new_and_the_next_open_drafts_again(
    bureau: Bureau,
) -> None:
    desk = bureau.desk()
    view = desk.open("1042")

    done = desk.reject("1042", reason="answers another question", case_version=view.case.version)

    assert (done.case.state, done.lease) == ("new", None)
    assert bureau.kinds()[-2:] == ["case.rejected", "case.renewed"]
    again = bureau.desk("ben").open("1042")
    assert again.draft is not None
    assert again.draft.number == 2


def test_a_decision_can_be_taken_back_until_the_window_closes(bureau: Bureau) -> None:
    desk = bureau.desk()
    approve(desk, desk.open("1042"))
    bureau.later(seconds=9)

    back = desk.undo("1042")

    assert (back.case.state, back.mine) == ("in_review", True)
    assert bureau.items()[0].state == "cancelled"
    bureau.later(hours=1)
    bureau.outbox().run_once()
    assert bureau.channel.sent == []
    approve(desk, desk.open("1042"))
    bureau.later(seconds=11)
    bureau.outbox().run_once()
    assert [item.body for item in bureau.channel.sent] == [PLAIN_REPLY]


def test_a_question_taken_back_leaves_the_reply_as_it_was(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")
    desk.ask_customer("1042", question=QUESTION, case_version=view.case.version)

    back = desk.undo("1042")

    assert back.draft == view.draft
    assert back.can_approve


def test_nothing_can_be_taken_back_after_the_window(bureau: Bureau) -> None:
    desk = bureau.desk()
    approve(desk, desk.open("1042"))
    bureau.later(seconds=10)

    assert desk.view("1042").undo_until is None
    with pytest.raises(InvalidTransition, match="too late"):
        desk.undo("1042")


def test_nobody_takes_back_what_another_decided(bureau: Bureau) -> None:
    desk = bureau.desk("ana")
    approve(desk, desk.open("1042"))
    assert desk.view("1042").undo_until is not None
    assert bureau.desk("sam").view("1042").undo_until is None

    with pytest.raises(NotAllowed, match="person who decided"):
        bureau.desk("sam").undo("1042")
    assert bureau.items()[0].state == "pending"


@pytest.mark.parametrize("action", ["ask", "refuse", "escalate", "reject", "approve"])
def test_every_decision_carries_the_version_that_was_read(bureau: Bureau, action: str) -> None:
    desk = bureau.desk()
    stale = desk.open("1042")
    desk.redraft("1042")
    version = stale.case.version
    attempts = {
        "ask": lambda: desk.ask_customer("1042", question=QUESTION, case_version=version),
        "refuse": lambda: desk.refuse("1042", reason="no", case_version=version),
        "escalate": lambda: desk.escalate("1042", reason="other", case_version=version),
        "reject": lambda: desk.reject("1042", reason="no", case_version=version),
        "approve": lambda: approve(desk, stale),
    }
    before = bureau.case()

    with pytest.raises(StaleVersion, match="changed since you read it"):
        attempts[action]()
    assert bureau.case() == before
