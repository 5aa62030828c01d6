"""What rules make of a request: forbidden, allowed, not met, left open."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.requests_rules import RulePassage, rules_found
from core.text.restrictions import clauses
from core.text.restrictions_state import Facts

TODAY = date(2026, 11, 30)


def verdict(policy: str, message: str, records: str = "", heading: str = "") -> str:
    """What the deciding rule of ``policy`` makes of the first thing asked for."""
    passage = RulePassage(key="P", text=policy, section=("doc",), heading=heading)
    ((_, found), *_) = rules_found(message, (passage,), Facts(message, records, TODAY))
    return found[0].bearing.verdict if found else "nothing"


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("Student memberships cannot be frozen.", "I have a student membership. Freeze it."),
        ("No refund is given for gift cards.", "Please refund my gift card."),
        ("Do not pay compensation for glass or food.", "I want compensation for the food."),
        ("Deposits are non-refundable.", "I want my deposit back."),
        ("The user can add but not remove bags.", "Please remove my bags."),
        ("特价票不能退票。", "我买的是特价票，请帮我退票。"),
    ],
)
def test_a_ban_on_what_is_asked_forbids_it(policy: str, message: str) -> None:
    assert verdict(policy, message) == "forbidden"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("I bought the plan 5 days ago. Please cancel the plan.", "allowed"),
        ("I bought the plan 3 weeks ago. Please cancel the plan.", "failed"),
        ("Please cancel the plan.", "open"),
    ],
)
def test_a_time_limit_is_met_failed_or_left_open_by_what_is_said(
    message: str, expected: str
) -> None:
    assert verdict("A plan can only be cancelled within 14 days.", message) == expected


@pytest.mark.parametrize(("status", "expected"), [("processing", "allowed"), ("shipped", "failed")])
def test_the_record_decides_a_status(status: str, expected: str) -> None:
    policy = "An order can be cancelled only if its status is 'processing'."
    record = f'The status of order A-1 is "{status}".'

    assert verdict(policy, "Please cancel my order.", record) == expected


def test_one_of_several_conditions_suffices() -> None:
    policy = (
        "A contract can be ended early if any of the following is true:\n"
        "- The member has moved abroad\n"
        "- The club has closed\n"
    )

    assert verdict(policy, "Your club has closed. I want to end my contract.") == "allowed"
    assert verdict(policy, "I want to end my contract, I have no time.") == "open"


def test_what_is_said_under_an_if_is_no_fact() -> None:
    policy = "A contract can be ended early only if the club has closed."

    assert verdict(policy, "If the club has closed, I want to end my contract.") == "open"


def test_an_exception_that_applies_lifts_a_ban_and_one_not_claimed_does_not() -> None:
    policy = "A contract cannot be cancelled, unless the customer moves to another city."

    assert verdict(policy, "I'm moving to another city. Please cancel my contract.") == "allowed"
    assert verdict(policy, "I found a cheaper one. Please cancel my contract.") == "forbidden"


def test_a_kind_that_is_not_named_leaves_it_open_and_another_kind_is_not_meant() -> None:
    policy = "Basic economy flights cannot be changed."

    assert verdict(policy, "Please change my flight.") == "open"
    assert verdict(policy, "My flight is not basic economy. Please change my flight.") == "nothing"


def test_what_it_shall_become_is_not_what_it_is() -> None:
    policy = "Economy seats cannot be changed."

    assert verdict(policy, "I want to upgrade my seat to business.") == "open"


def test_a_ban_on_splitting_bears_only_on_a_part() -> None:
    policy = "A booking cannot be split; all rooms must have the same dates."

    part = "I want to change only one of the rooms of my booking."
    assert verdict(policy, part) == "forbidden"
    assert verdict(policy, "I want to change the rooms of my booking.") == "nothing"


def test_a_missing_approval_is_its_own_verdict() -> None:
    policy = "The joining fee must not be waived without the approval of the club manager."

    assert verdict(policy, "Please waive the joining fee.") == "approval"


def test_an_approval_for_large_sums_does_not_bear_on_small_ones() -> None:
    policy = "A refund of more than $500 needs the decision of a supervisor."

    assert verdict(policy, "I want my $900 back, please refund it.") == "approval"
    assert verdict(policy, "I want my $90 back, please refund it.") == "nothing"


def test_more_than_the_limit_is_beyond_the_policy() -> None:
    assert verdict(
        "A room can be booked for up to 3 hours.", "Please book a room for 6 hours."
    ) == ("exceeds")


def test_what_is_denied_of_a_deleted_account_is_not_its_deletion() -> None:
    assert (
        verdict("A deleted account cannot be restored.", "Please delete my account.") == "nothing"
    )


def test_a_rule_on_another_thing_does_not_bear() -> None:
    assert (
        verdict("A booked class cannot be cancelled.", "Please cancel my insurance.") == "nothing"
    )


@given(st.text(alphabet="The fee can not only if be refunded, unless 不能退 \n-:.", max_size=120))
def test_every_clause_is_an_exact_span_of_its_passage(text: str) -> None:
    for clause in clauses(text):
        assert text[clause.start : clause.end] == clause.text
