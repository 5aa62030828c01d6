"""Approval binds to what was checked: the draft, its hash, the case as it was read."""

from __future__ import annotations

import hashlib

import pytest

from core.errors import InvalidTransition, NotReady, StaleVersion
from tests.fakes.breaking_store import BreakingStore
from tests.fakes.scripted_copilot import (
    INSIDE,
    PLAIN_REPLY,
    WINDOW,
)
from tests.review.builders import Bureau, approve, edit

UNKNOWN = "Shipping the coat back costs you nothing at all."
SIXTY = "You can return the coat within 60 days of the purchase."


def test_approval_writes_decision_outbox_state_and_audit_together(bureau: Bureau) -> None:
    desk = bureau.desk()
    opened = desk.open("1042")
    bureau.later(seconds=40)

    view = approve(desk, opened)

    assert view.case.state == "approved"
    assert view.lease is None
    (item,) = bureau.items()
    assert (item.body, item.recipient) == (PLAIN_REPLY, "maya@mail.example")
    assert item.body_hash == hashlib.sha256(PLAIN_REPLY.encode()).hexdigest()
    assert view.undo_until == item.not_before
    (decision,) = view.history
    assert (decision.kind, decision.text_hash) == ("approve", item.body_hash)
    assert decision.seconds_to_decide == 40
    event = bureau.events()[-1]
    assert event.kind == "case.approved"
    assert event.payload["text_hash"] == item.body_hash
    assert event.payload["compliance"]["decision"] == "ALLOW"


def test_what_fails_in_the_middle_of_an_approval_leaves_no_trace(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")
    before = bureau.events()
    broken = BreakingStore(bureau.store, "case.approved", RuntimeError("disk full"))

    with pytest.raises(RuntimeError, match="disk"):
        approve(bureau.desk(store=broken), view)

    after = desk.view("1042")
    assert (after.case, after.mine, after.history) == (view.case, True, ())
    assert bureau.items() == ()
    assert bureau.events() == before


def test_the_text_is_checked_again_at_approval(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")
    assert view.can_approve
    bureau.copilot.facts.pop(WINDOW)

    with pytest.raises(NotReady) as blocked:
        approve(desk, view)

    assert any(WINDOW in finding for finding in blocked.value.findings)
    assert bureau.case().state == "in_review"


def test_approving_an_older_draft_fails_and_says_so(bureau: Bureau) -> None:
    desk = bureau.desk()
    first = desk.open("1042")
    desk.redraft("1042")

    with pytest.raises(StaleVersion, match="changed since you read it"):
        approve(desk, first)
    with pytest.raises(StaleVersion, match="newer draft"):
        approve(desk, first, case_version=desk.view("1042").case.version)
    assert bureau.items() == ()


def test_a_draft_that_arrives_while_the_old_one_is_being_approved_wins(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")
    bureau.copilot.during_check = lambda: desk.redraft("1042")

    with pytest.raises(StaleVersion, match="changed since you read it"):
        approve(desk, view)
    assert bureau.items() == ()
    assert bureau.case().state == "in_review"


def test_approving_another_text_than_the_stored_one_fails(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")
    other = hashlib.sha256(b"another text").hexdigest()

    with pytest.raises(StaleVersion, match="not the text that is stored"):
        approve(desk, view, text_hash=other)


def test_a_decided_case_cannot_be_approved_again(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")
    approve(desk, view)

    with pytest.raises(InvalidTransition, match="approved and on its way"):
        approve(desk, view)
    assert len(bureau.items()) == 1


def test_an_edit_from_45_to_60_is_flagged_and_cannot_be_approved_by_any_means(
    bureau: Bureau,
) -> None:
    desk = bureau.desk()
    view = edit(desk, desk.open("1042"), PLAIN_REPLY.replace(WINDOW, SIXTY))

    assert [c.support_status for c in view.claims if "60" in c.text] == ["contradicted"]
    assert not view.can_approve
    assert not view.override_possible
    with pytest.raises(NotReady) as blocked:
        approve(desk, view, override_reason="the customer insists")
    assert any("evidence says otherwise" in f.lower() for f in blocked.value.findings)
    assert bureau.items() == ()


def test_an_unverified_sentence_needs_a_reason_which_is_kept(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = edit(desk, desk.open("1042"), f"{PLAIN_REPLY}\n{UNKNOWN}")
    assert view.override_possible
    with pytest.raises(NotReady):
        approve(desk, view)
    with pytest.raises(NotReady):
        approve(desk, view, override_reason="   ")

    done = approve(desk, view, override_reason="confirmed by phone with the store")

    assert done.history[-1].reason == "confirmed by phone with the store"
    assert UNKNOWN in str(bureau.events()[-1].payload["overridden"])


def test_a_deny_is_never_overridden(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")
    bureau.copilot.verdict = "DENY"

    with pytest.raises(NotReady, match="cannot be approved"):
        approve(desk, view, override_reason="the boss said so")
    assert bureau.items() == ()


def test_a_text_compliance_would_cut_is_not_approved_as_it_stands(bureau: Bureau) -> None:
    desk = bureau.desk()
    text = f"{PLAIN_REPLY}\n{INSIDE} is 40 percent]"
    view = edit(desk, desk.open("1042"), text)

    with pytest.raises(NotReady) as blocked:
        approve(desk, view, override_reason="they asked for it")
    assert any("margins stay inside" in finding for finding in blocked.value.findings)


def test_a_redacted_draft_is_sent_as_redacted(bureau: Bureau) -> None:
    bureau.copilot.markdown = f"{PLAIN_REPLY}\n{INSIDE} is 40 percent]"
    desk = bureau.desk()
    view = desk.open("1042")
    assert view.draft is not None
    assert view.draft.text == PLAIN_REPLY

    approve(desk, view)
    assert bureau.items()[0].body == PLAIN_REPLY


def test_unsaved_words_are_never_passed_over(bureau: Bureau) -> None:
    desk = bureau.desk()
    view = desk.open("1042")
    assert view.draft is not None
    desk.autosave("1042", base_draft_id=view.draft.draft_id, text="Dear Maya, one more thing")

    assert not desk.view("1042").can_approve
    with pytest.raises(NotReady) as blocked:
        approve(desk, view)
    assert "not checked in" in blocked.value.findings[0]

    desk.discard_edit("1042")
    assert approve(desk, view).case.state == "approved"


def test_a_stopped_copilot_leaves_nothing_but_escalation(bureau: Bureau) -> None:
    bureau.copilot.failure = "stage 'draft' failed: out of memory"
    desk = bureau.desk()
    view = desk.open("1042")

    assert "out of memory" in view.banner
    assert not view.can_approve
    version = view.case.version
    for attempt in (
        lambda: approve(desk, view, override_reason="go"),
        lambda: desk.ask_customer("1042", question="Which coat?", case_version=version),
        lambda: desk.refuse("1042", reason="no", case_version=version),
        lambda: edit(desk, view, "We will see."),
        lambda: desk.check("1042", "We will see."),
    ):
        with pytest.raises(NotReady, match="Escalate"):
            attempt()
    assert bureau.items() == ()

    done = desk.escalate("1042", reason="stage_failure", case_version=version)
    assert done.case.state == "escalated"


def test_a_stopped_copilot_may_be_asked_again(bureau: Bureau) -> None:
    bureau.copilot.failure = "stage 'draft' failed"
    desk = bureau.desk()
    desk.open("1042")
    bureau.copilot.failure = ""

    assert desk.redraft("1042").can_approve
