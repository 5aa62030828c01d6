"""What was approved leaves once, after a last look; what may not leave comes back."""

from __future__ import annotations

import pytest

from core.adapters.file_channel import FileChannel
from core.errors import BadInput, InvalidTransition, NotFound, TryAgainLater
from core.models.access import SecurityContext
from core.review.outbox import Outbox
from tests.fakes.scripted_copilot import PLAIN_REPLY, POLICY, WINDOW
from tests.review.builders import Bureau, a_case, approve


def test_an_approved_reply_is_delivered_and_the_case_is_sent(approved: Bureau) -> None:
    (item,) = approved.outbox().run_once()

    assert (item.state, item.receipt, item.attempts) == ("delivered", "receipt-1", 1)
    assert [sent.body for sent in approved.channel.sent] == [PLAIN_REPLY]
    assert approved.case().state == "sent"
    assert approved.kinds()[-2:] == ["case.sent", "outbox.delivered"]
    assert approved.events()[-1].actor == "system:outbox"


def test_nothing_leaves_inside_the_undo_window(bureau: Bureau) -> None:
    desk = bureau.desk()
    approve(desk, desk.open("1042"))
    bureau.later(seconds=9)

    assert bureau.outbox().run_once() == ()
    assert bureau.channel.calls == 0


def test_running_again_sends_nothing_again(approved: Bureau) -> None:
    approved.outbox().run_once()
    approved.later(days=1)

    assert approved.outbox().run_once() == ()
    assert len(approved.channel.sent) == 1


def test_a_passing_fault_is_tried_again_later_and_later(approved: Bureau) -> None:
    approved.channel.errors = [TryAgainLater("mail server busy"), TryAgainLater("busy")]
    outbox = approved.outbox()
    (item,) = outbox.run_once()
    assert (item.state, item.last_error) == ("pending", "mail server busy")

    approved.later(seconds=29)
    assert outbox.run_once() == ()
    approved.later(seconds=1)
    outbox.run_once()
    approved.later(seconds=59)
    assert outbox.run_once() == ()
    approved.later(seconds=1)
    (item,) = outbox.run_once()

    assert (item.state, item.attempts, item.last_error) == ("delivered", 3, "")
    assert [k for k in approved.kinds() if k.startswith("outbox")] == [
        "outbox.delayed",
        "outbox.delayed",
        "outbox.delivered",
    ]


def test_after_the_last_attempt_the_failure_is_shown_and_can_be_retried(approved: Bureau) -> None:
    approved.channel.errors = [TryAgainLater("mail server down") for _ in range(5)]
    outbox = approved.outbox()
    for _ in range(5):
        outbox.run_once()
        approved.later(hours=1)

    (item,) = outbox.items(states=("failed",))
    assert item.attempts == 5
    view = approved.desk().view("1042")
    assert "mail server down" in view.banner
    assert view.case.state == "approved"
    assert outbox.run_once() == ()

    assert outbox.retry(item.item_id).state == "pending"
    outbox.run_once()
    assert approved.case().state == "sent"
    assert len(approved.channel.sent) == 1


def test_one_failing_item_does_not_hold_up_the_others(approved: Bureau) -> None:
    approved.take_in(a_case("2"))
    desk = approved.desk()
    approve(desk, desk.open("2"))
    approved.later(seconds=11)
    approved.channel.errors = [TryAgainLater("busy")]

    states = {item.case_id: item.state for item in approved.outbox().run_once()}

    assert states == {"1042": "pending", "2": "delivered"}


def test_a_recipient_that_cannot_be_reached_brings_the_case_back(approved: Bureau) -> None:
    approved.channel.errors = [BadInput("maya@mail.example does not exist.")]

    (item,) = approved.outbox().run_once()

    assert item.state == "failed"
    view = approved.desk().open("1042")
    assert view.case.state == "in_review"
    assert "does not exist" in view.banner
    assert approved.desk().counts().back == 1
    with pytest.raises(InvalidTransition, match="decide on the case anew"):
        approved.outbox().retry(item.item_id)


def test_a_deny_at_send_time_sends_nothing_and_brings_the_case_back(approved: Bureau) -> None:
    approved.copilot.verdict = "DENY"

    (item,) = approved.outbox().run_once()

    assert item.state == "failed"
    assert approved.channel.calls == 0
    assert approved.case().state == "in_review"
    assert "may not go out" in item.last_error
    assert approved.kinds()[-2:] == ["case.returned", "outbox.refused"]


def test_a_source_withdrawn_before_the_reply_left_stops_it(approved: Bureau) -> None:
    approved.registry.withdraw(POLICY.document_id)

    (item,) = approved.outbox().run_once()

    assert (item.state, approved.channel.calls) == ("failed", 0)
    assert "was withdrawn" in item.last_error
    assert approved.case().state == "in_review"


def test_a_reviewer_who_lost_the_rights_meanwhile_sends_nothing(approved: Bureau) -> None:
    def nobody(user_id: str) -> SecurityContext:
        raise NotFound(f"There is no user {user_id!r}.")

    check = approved.send_check(nobody)
    outbox = Outbox(approved.store, {"*": approved.channel}, approved.clock, comply_again=check)

    (item,) = outbox.run_once()

    assert (item.state, approved.channel.calls) == ("failed", 0)
    assert approved.case().state == "in_review"


def test_compliance_out_of_reach_delays_and_never_sends(approved: Bureau) -> None:
    approved.copilot.check_error = TryAgainLater("the checker is starting")

    (item,) = approved.outbox().run_once()

    assert (item.state, approved.channel.calls) == ("pending", 0)


@pytest.mark.parametrize(
    "change",
    [
        {"body": PLAIN_REPLY.replace("45", "60")},
        {"body": PLAIN_REPLY.replace("45", "60"), "body_hash": "f" * 64},
    ],
)
def test_a_text_that_changed_in_the_outbox_is_not_sent(
    approved: Bureau, change: dict[str, str]
) -> None:
    with approved.store.write() as txn:
        (item,) = txn.outbox()
        txn.save_outbox(item.model_copy(update=change), expected_state="pending")

    (item,) = approved.outbox().run_once()

    assert (item.state, approved.channel.calls) == ("failed", 0)
    assert "not the text that was approved" in item.last_error
    assert approved.case().state == "in_review"


def test_a_case_returned_by_the_outbox_can_be_sent_after_a_new_approval(approved: Bureau) -> None:
    approved.copilot.verdict = "DENY"
    approved.outbox().run_once()
    approved.copilot.verdict = "ALLOW"
    desk = approved.desk()
    approve(desk, desk.open("1042"))
    approved.later(seconds=11)

    approved.outbox().run_once()

    assert [sent.body for sent in approved.channel.sent] == [PLAIN_REPLY]
    assert [item.state for item in approved.items()] == ["failed", "delivered"]


def test_a_channel_nobody_set_up_is_said_not_swallowed(approved: Bureau) -> None:
    check = approved.send_check(lambda user_id: approved.contexts[user_id])
    outbox = Outbox(approved.store, {"slack": approved.channel}, approved.clock, comply_again=check)

    (item,) = outbox.run_once()

    assert "No way to deliver by 'email'" in item.last_error


def test_only_failed_items_can_be_retried(approved: Bureau) -> None:
    outbox = approved.outbox()
    with pytest.raises(NotFound):
        outbox.retry("outbox_nothing")
    (item,) = outbox.run_once()
    with pytest.raises(InvalidTransition, match="delivered"):
        outbox.retry(item.item_id)


def test_without_a_reviewers_decision_nothing_is_ever_sent(bureau: Bureau) -> None:
    """Invariant 13: whatever the desk does short of a decision, the outbox stays empty."""
    desk = bureau.desk()
    view = desk.open("1042")
    assert view.draft is not None
    desk.check("1042", PLAIN_REPLY)
    desk.mark_opened("1042", "EVID-0001")
    desk.autosave("1042", base_draft_id=view.draft.draft_id, text="x")
    desk.discard_edit("1042")
    view = desk.redraft("1042")
    desk.flag("1042", chunk_id="cards#3", claim=WINDOW, reason="old")
    desk.escalate("1042", reason="other", case_version=view.case.version)
    bureau.later(days=30)

    assert bureau.outbox().run_once() == ()
    assert bureau.channel.calls == 0


def test_the_file_channel_and_the_outbox_together_send_once(
    approved: Bureau, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("outbox")
    for _ in range(3):
        approved.outbox(FileChannel(folder)).run_once()

    (file,) = folder.iterdir()
    assert file.read_bytes().endswith(PLAIN_REPLY.encode())
