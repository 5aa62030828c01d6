"""The table of transitions: what it allows is all there is."""

from __future__ import annotations

from typing import get_args

import pytest

from core.errors import InvalidTransition
from core.models.review import CaseState
from core.review.rules import TRANSITIONS, Step, allowed, moved, recipient_of
from tests.fakes.fixed_clock import DEMO_DAY
from tests.review.builders import a_case

STATES: tuple[CaseState, ...] = get_args(CaseState)
STEPS: tuple[Step, ...] = get_args(Step)

ALLOWED = {
    ("new", "draft", "drafted"),
    ("drafted", "draft", "drafted"),
    ("drafted", "begin", "in_review"),
    ("in_review", "redraft", "in_review"),
    ("edited", "redraft", "in_review"),
    ("in_review", "edit", "edited"),
    ("edited", "edit", "edited"),
    ("in_review", "approve", "approved"),
    ("edited", "approve", "approved"),
    ("approved", "send", "sent"),
    ("in_review", "escalate", "escalated"),
    ("edited", "escalate", "escalated"),
    ("in_review", "ask_customer", "awaiting_customer"),
    ("edited", "ask_customer", "awaiting_customer"),
    ("in_review", "refuse", "refused"),
    ("edited", "refuse", "refused"),
    ("in_review", "reject", "rejected"),
    ("edited", "reject", "rejected"),
    ("rejected", "renew", "new"),
    ("approved", "undo", "in_review"),
    ("awaiting_customer", "undo", "in_review"),
    ("refused", "undo", "in_review"),
    ("approved", "bounce", "in_review"),
    ("awaiting_customer", "bounce", "in_review"),
    ("refused", "bounce", "in_review"),
    ("escalated", "answer", "in_review"),
    ("escalated", "send_back", "in_review"),
    ("sent", "reopen", "new"),
    ("awaiting_customer", "reopen", "new"),
    ("refused", "reopen", "new"),
}


def test_the_table_says_exactly_this() -> None:
    said = {
        (before, step, rule.after) for step, rule in TRANSITIONS.items() for before in rule.before
    }
    assert said == ALLOWED
    assert set(TRANSITIONS) == set(STEPS)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("step", STEPS)
def test_any_other_move_is_refused(state: CaseState, step: Step) -> None:
    case = a_case(state=state)
    after = {a for before, named, a in ALLOWED if (before, named) == (state, step)}

    if after:
        assert {moved(case, step, DEMO_DAY).state} == after
        return
    assert not allowed(state, step)
    with pytest.raises(InvalidTransition, match="1042"):
        moved(case, step, DEMO_DAY)


def test_sent_is_reached_from_approved_alone() -> None:
    assert {before for before, _, after in ALLOWED if after == "sent"} == {"approved"}
    assert {before for before, _, after in ALLOWED if after == "approved"} == {
        "in_review",
        "edited",
    }


def test_a_stranger_is_a_customer_never_a_colleague() -> None:
    assert recipient_of(a_case(customer_id=None)) == "customer"
    assert recipient_of(a_case(fields={"audience": "colleague"})) == "colleague"
    colleague_in_public = a_case(fields={"audience": "colleague"}, output_form="public_post")
    assert recipient_of(colleague_in_public) == "public"
