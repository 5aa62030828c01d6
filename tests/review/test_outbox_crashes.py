"""The outbox killed between any two steps: nothing is lost, nothing is sent twice."""

from __future__ import annotations

import pytest

from tests.fakes.breaking_store import BreakingStore, InterruptedStore
from tests.fakes.recording_channel import Killed, RecordingChannel, WithoutReceipts
from tests.review.builders import Bureau


@pytest.mark.parametrize("knows_receipts", [True, False])
def test_a_crash_right_after_the_reply_left_does_not_send_it_twice(
    approved: Bureau, knows_receipts: bool
) -> None:
    channel = approved.channel if knows_receipts else WithoutReceipts(approved.channel)
    approved.channel.crash_after_sending = Killed()
    with pytest.raises(Killed):
        approved.outbox(channel).run_once()
    assert approved.items()[0].state == "delivering"
    assert approved.case().state == "approved"
    assert approved.outbox(channel).run_once() == ()

    approved.later(seconds=121)
    (item,) = approved.outbox(channel).run_once()

    assert (item.state, item.receipt) == ("delivered", "receipt-1")
    assert len(approved.channel.sent) == 1
    assert approved.case().state == "sent"


def test_a_crash_before_the_channel_is_reached_loses_nothing(approved: Bureau) -> None:
    approved.channel.errors = [Killed()]
    with pytest.raises(Killed):
        approved.outbox().run_once()
    approved.later(seconds=121)

    approved.outbox().run_once()

    assert len(approved.channel.sent) == 1
    assert approved.case().state == "sent"


def test_a_crash_while_the_delivery_is_noted_down_loses_nothing(approved: Bureau) -> None:
    with pytest.raises(Killed):
        approved.outbox(
            store=BreakingStore(approved.store, "outbox.delivered", Killed())
        ).run_once()
    assert (approved.items()[0].state, approved.case().state) == ("delivering", "approved")

    approved.later(seconds=121)
    approved.outbox().run_once()

    assert len(approved.channel.sent) == 1
    assert (approved.items()[0].state, approved.case().state) == ("delivered", "sent")


def test_what_left_before_a_crash_counts_as_sent_even_if_it_would_be_denied_now(
    approved: Bureau,
) -> None:
    approved.channel.crash_after_sending = Killed()
    with pytest.raises(Killed):
        approved.outbox().run_once()
    approved.copilot.verdict = "DENY"
    approved.later(seconds=121)

    approved.outbox().run_once()

    assert approved.case().state == "sent"


def test_a_delivery_that_keeps_breaking_off_fails_in_the_end(approved: Bureau) -> None:
    channel = WithoutReceipts(approved.channel)
    for _ in range(5):
        approved.channel.errors = [Killed()]
        with pytest.raises(Killed):
            approved.outbox(channel).run_once()
        approved.later(seconds=121)

    (item,) = approved.outbox(channel).run_once()

    assert item.state == "failed"
    assert "broke off 5 times" in item.last_error


def test_a_worker_whose_list_is_old_leaves_what_another_is_delivering_alone(
    approved: Bureau,
) -> None:
    other = RecordingChannel()
    other.errors = [Killed()]

    def another_worker() -> None:
        with pytest.raises(Killed):
            approved.outbox(other).run_once()

    late = approved.outbox(store=InterruptedStore(approved.store, another_worker))

    assert late.run_once() == ()
    assert approved.channel.calls == 0
    assert approved.items()[0].attempts == 1
