"""Deciding on a proposed action: who may, on what, up to how much, and only once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from core.errors import (
    BadInput,
    Conflicted,
    InvalidTransition,
    LeaseHeld,
    NotAllowed,
    NotFound,
    NotReady,
    StaleVersion,
    TryAgainLater,
)
from core.review.chain import verify_stored
from tests.review.action_builders import (
    confirm,
    costing,
    decline,
    nothing_decided,
    opened,
    record_of,
)
from tests.review.builders import Bureau, a_case, approve, edit


def test_what_is_proposed_stands_beside_the_draft_and_nothing_happens(house: Bureau) -> None:
    (action,) = opened(house).actions
    assert (action.open, action.record, action.blocked_by) == (True, None, ())
    assert "Nothing happens until somebody confirms it" in action.words
    assert nothing_decided(house)
    (event,) = [e for e in house.events() if e.kind == "action.proposed"]
    assert event.payload["proposal_id"] == "act_1"


def test_confirming_stores_the_final_arguments_and_an_event_of_the_same_transaction(
    house: Bureau,
) -> None:
    view = confirm(house, opened(house), arguments={"amount": "100", "reason": "one shoe kept"})
    record = record_of(house)
    assert (record.state, record.by, record.arguments["amount"]) == ("confirmed", "ana", "100.00")
    assert view.actions[0].take_back_until == record.not_before
    (event,) = [e for e in house.events() if e.kind == "action.confirmed"]
    assert event.payload["arguments"] == record.arguments
    assert event.payload["proposed"]["amount"] == "112.00"
    with house.store.read() as txn:
        assert verify_stored(txn).ok


def test_a_second_click_changes_nothing(house: Bureau) -> None:
    view = opened(house)
    confirm(house, view)
    confirm(house, view)
    assert house.kinds().count("action.confirmed") == 1


def test_the_same_person_cannot_confirm_it_again_with_another_amount(house: Bureau) -> None:
    view = opened(house)
    confirm(house, view)
    with pytest.raises(Conflicted, match="Ana Ruiz confirmed this"):
        confirm(house, view, arguments={"amount": "50.00"})
    assert record_of(house).arguments["amount"] == "112.00"


def test_of_two_sessions_at_once_one_confirms(house: Bureau) -> None:
    view = opened(house)

    def try_it(amount: str) -> str:
        try:
            confirm(house, view, arguments={"amount": amount})
        except Conflicted:
            return "conflict"
        return amount

    with ThreadPoolExecutor(4) as pool:
        won = list(pool.map(try_it, ["10.00", "20.00", "30.00", "40.00"]))
    assert won.count("conflict") == 3
    assert record_of(house).arguments["amount"] in won
    assert house.kinds().count("action.confirmed") == 1


def test_approving_the_reply_confirms_no_action_and_the_other_way_round(house: Bureau) -> None:
    view = opened(house)
    confirm(house, view)
    assert house.case().state == "in_review"
    assert house.items() == ()
    approve(house.desk(), house.desk().view("1042"))
    assert house.case().state == "approved"
    assert record_of(house).state == "confirmed"


def test_an_approved_reply_leaves_its_action_unconfirmed(house: Bureau) -> None:
    view = opened(house)
    approve(house.desk(), view)
    assert nothing_decided(house)
    with pytest.raises(InvalidTransition, match="while it is in review"):
        confirm(house, view)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"amount": "a lot"}, "is no amount"),
        ({"amount": "-5"}, "is no amount"),
        ({"amount": "0"}, "is no amount"),
        ({"amount": "1e2"}, "is no amount"),
        ({"amount": "12.345"}, "is no amount"),
        ({"amount": "１１２"}, "is no amount"),
        ({"amount": ""}, "Amount is empty"),
        ({"amount": "119.00"}, "more than was ever paid"),
        ({"order_id": "A-1"}, "fixed by the record"),
        ({"currency": "EUR"}, "fixed by the record"),
        ({"reason": " "}, "Reason is empty"),
        ({"reason": "x" * 201}, "at most 200"),
        ({"reason": "a\x00b"}, "control character"),
        ({"reason": "a\u202eb"}, "control character"),
        ({"to": "me"}, "no argument 'to'"),
    ],
)
def test_an_argument_of_the_wrong_type_or_beyond_its_bound_stores_nothing(
    house: Bureau, arguments: dict[str, str], words: str
) -> None:
    view = opened(house)
    with pytest.raises(BadInput, match=words):
        confirm(house, view, arguments=arguments)
    assert nothing_decided(house)


def test_more_than_the_evidence_bears_takes_a_supervisor_and_a_reason(house: Bureau) -> None:
    more = {"amount": "115.00"}
    with pytest.raises(NotAllowed, match=r"more than the 112\.00"):
        confirm(house, opened(house), arguments=more)
    view = house.desk("sam").take_over("1042")
    with pytest.raises(BadInput, match="why this is right"):
        confirm(house, view, "sam", arguments=more)
    confirm(house, view, "sam", arguments=more, override_reason="postage on us")
    assert record_of(house).override_reason == "postage on us"


def test_not_even_a_supervisor_pays_back_more_than_was_paid(house: Bureau) -> None:
    view = opened(house, "sam")
    with pytest.raises(BadInput, match="more than was ever paid"):
        confirm(house, view, "sam", arguments={"amount": "119.00"}, override_reason="goodwill")


def test_a_large_refund_needs_a_supervisor_and_says_so_before_anybody_clicks(
    house: Bureau,
) -> None:
    view = opened(house, proposal=costing("500.01"))
    assert "needs a supervisor" in view.actions[0].blocked_by[0]
    with pytest.raises(NotAllowed, match="needs a supervisor"):
        confirm(house, view)
    confirm(house, house.desk("sam").take_over("1042"), "sam")
    assert record_of(house).by == "sam"


def test_the_threshold_itself_is_the_agents(house: Bureau) -> None:
    house.rules = house.rules.model_copy(update={"refund_supervisor_above": Decimal(200)})
    confirm(house, opened(house, proposal=costing("200.00")))
    assert record_of(house).state == "confirmed"


@pytest.mark.parametrize("user", ["guest", "kim"])
def test_who_may_not_review_decides_on_nothing(house: Bureau, user: str) -> None:
    view = opened(house)
    with pytest.raises(NotAllowed):
        confirm(house, view, user)
    with pytest.raises(NotAllowed):
        decline(house, view, user)
    assert nothing_decided(house)


def test_another_company_finds_no_case(house: Bureau) -> None:
    view = opened(house)
    house.contexts["ben"] = house.contexts["ben"].model_copy(update={"tenant_id": "other"})
    with pytest.raises(NotFound):
        confirm(house, view, "ben")
    assert nothing_decided(house)


def test_somebody_elses_lease_stands_in_the_way(house: Bureau) -> None:
    view = opened(house)
    assert not house.desk("ben").view("1042").actions[0].open
    with pytest.raises(LeaseHeld, match="Ana Ruiz"):
        confirm(house, view, "ben")
    assert nothing_decided(house)


def test_without_the_lease_nothing_is_confirmed(house: Bureau) -> None:
    view = opened(house)
    house.desk().release("1042")
    with pytest.raises(NotReady, match="not yours"):
        confirm(house, view)
    house.desk().open("1042")
    house.later(minutes=16)
    with pytest.raises(NotReady, match="not yours"):
        confirm(house, view)
    assert nothing_decided(house)


def test_a_newer_draft_makes_what_was_read_stale(house: Bureau) -> None:
    view = opened(house)
    house.desk().redraft("1042")
    with pytest.raises(StaleVersion, match="newer draft"):
        confirm(house, view)
    with pytest.raises(StaleVersion, match="newer draft"):
        decline(house, view)
    assert nothing_decided(house)


def test_an_edit_of_the_reply_leaves_its_proposals_standing(house: Bureau) -> None:
    view = opened(house)
    assert view.draft is not None
    edit(house.desk(), view, view.draft.text + "\n\nAna")
    confirm(house, view)
    assert record_of(house).state == "confirmed"


def test_what_the_draft_does_not_propose_cannot_be_confirmed(house: Bureau) -> None:
    view = opened(house)
    with pytest.raises(NotFound, match="proposes no action"):
        confirm(house, view, proposal_id="act_2")


def test_a_declined_action_is_not_confirmed_on_the_same_draft_but_on_a_newer_one(
    house: Bureau,
) -> None:
    view = opened(house)
    after = decline(house, view)
    assert not after.actions[0].open
    with pytest.raises(InvalidTransition, match="Ana Ruiz declined this"):
        confirm(house, view)
    again = house.desk().redraft("1042")
    assert again.actions[0].open
    assert "Before, it was declined" in again.actions[0].words
    confirm(house, again)
    assert record_of(house).state == "confirmed"
    assert [k for k in house.kinds() if k.startswith("action.")] == [
        "action.proposed",
        "action.declined",
        "action.proposed",
        "action.confirmed",
    ]


def test_a_confirmed_action_can_no_longer_be_declined(house: Bureau) -> None:
    view = opened(house)
    confirm(house, view)
    with pytest.raises(Conflicted, match="it is confirmed"):
        decline(house, view)


def test_a_decline_needs_a_reason(house: Bureau) -> None:
    view = opened(house)
    assert view.run is not None
    with pytest.raises(BadInput, match="why"):
        house.desk().decline_action(
            "1042", proposal_id="act_1", trace_id=view.run.trace.trace_id, reason="  "
        )
    assert nothing_decided(house)


def test_a_confirmation_can_be_taken_back_by_its_maker_within_the_window(house: Bureau) -> None:
    view = opened(house)
    confirm(house, view)
    with pytest.raises(NotAllowed, match="Only the person"):
        house.desk("ben").take_back_action("1042", proposal_id="act_1")
    after = house.desk().take_back_action("1042", proposal_id="act_1")
    assert record_of(house).state == "taken_back"
    assert after.actions[0].open
    confirm(house, view)
    house.later(seconds=11)
    with pytest.raises(InvalidTransition, match="too late"):
        house.desk().take_back_action("1042", proposal_id="act_1")


def test_the_same_refund_proposed_by_another_case_is_done_once(house: Bureau) -> None:
    confirm(house, opened(house))
    house.take_in(a_case("1043"))
    other = house.desk("ben").open("1043")
    (action,) = other.actions
    assert not action.open
    assert "for case 1042" in action.words
    with pytest.raises(Conflicted, match="for case 1042"):
        confirm(house, other, "ben")
    assert house.kinds().count("action.confirmed") == 1


def test_what_the_records_no_longer_bear_is_not_confirmed(house: Bureau) -> None:
    house.still_borne = lambda *_: "It was refunded this morning."
    view = opened(house)
    with pytest.raises(NotReady) as caught:
        confirm(house, view)
    assert caught.value.findings == ("It was refunded this morning.",)
    assert nothing_decided(house)


def test_records_that_do_not_answer_confirm_nothing(house: Bureau) -> None:
    def silent(*_: object) -> str:
        raise TryAgainLater("The records do not answer.")

    house.still_borne = silent
    view = opened(house)
    with pytest.raises(TryAgainLater):
        confirm(house, view)
    assert nothing_decided(house)


def test_the_audit_shows_every_step_and_who_took_it(house: Bureau) -> None:
    view = opened(house)
    decline(house, view)
    house.desk().reject("1042", reason="useless", case_version=house.case().version)
    (action,) = house.audit().actions()
    assert (action.state, action.by_name, action.reason) == (
        "declined",
        "Ana Ruiz",
        "Paid in the store.",
    )
    decision = house.audit().decisions()[0].disposition
    seen = house.audit().decision(decision.disposition_id)
    assert seen.actions == (action,)
    assert "action.declined" in [e.kind for e in seen.events]
    with pytest.raises(NotAllowed):
        house.audit("ana").actions()


def test_the_grounds_of_a_run_that_is_withheld_stay_withheld(house: Bureau) -> None:
    confirm(house, opened(house))
    (whole,) = house.audit().actions()
    assert whole.proposal.reason == "The return came in."
    house.contexts["sam"] = house.contexts["sam"].model_copy(
        update={"allowed_acl_policy_ids": (), "denied_acl_policy_ids": ("public",)}
    )
    (bare,) = house.audit().actions()
    assert (bare.proposal.reason, bare.proposal.evidence_ids) == ("", ())
    assert bare.arguments == whole.arguments
