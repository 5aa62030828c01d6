"""Whether the sum of a refund is asked for, and why the thing comes back."""

from __future__ import annotations

import pytest

from core.text.refund_asked import asks_refund_sum, refund_reason
from tests.stages.language_builders import planned


@pytest.mark.parametrize(
    "ask",
    [
        "How much do I get back for A-10293?",
        "How much money will I get back if I return it?",
        "How much will be refunded for order A-10293?",
        "What is the refund amount for A-10293?",
        "Can you calculate my refund?",
        "What's the total of my refund?",
        "订单 A-10293 退款多少钱？",
    ],
)
def test_a_question_for_the_sum_is_recognised(ask: str) -> None:
    assert asks_refund_sum(ask)


@pytest.mark.parametrize(
    "ask",
    [
        "When will my refund arrive?",
        "How much does standard shipping cost?",
        "How much did I pay for A-10293?",
        "How do I get my money back?",
        "Is the delivery charge refunded?",
    ],
)
def test_other_questions_about_money_and_refunds_are_not(ask: str) -> None:
    assert not asks_refund_sum(ask)


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ("The vase arrived broken.", "damaged"),
        ("You sent me the wrong colour.", "wrong_item"),
        ("The box was damaged and it is the wrong item.", "wrong_item"),
        ("I do not like the colour.", "unwanted"),
        ("It is not damaged, I just do not like it.", "unwanted"),
    ],
)
def test_the_reason_is_what_the_customer_tells(told: str, reason: str) -> None:
    assert refund_reason(told) == reason


def test_the_plan_asks_a_calculation_for_each_named_order_and_nothing_else_of_it() -> None:
    plan = planned("How much do I get back for the coat from order A-10293?")
    (dimension,) = plan.dimensions
    assert (dimension.kind, dimension.aspect) == ("record", "amount")
    assert dimension.name == "refund for order A-10293"


def test_the_status_beside_the_sum_stays_a_question_of_its_own() -> None:
    plan = planned("What is the status of A-10293 and how much do I get back if I return it?")
    assert [(d.kind, d.aspect) for d in plan.dimensions] == [
        ("record", "amount"),
        ("record", "record"),
    ]


def test_without_an_order_there_is_nothing_to_work_out() -> None:
    plan = planned("How much do I get back when I return a coat?")
    assert {d.kind for d in plan.dimensions} == {"passage"}
