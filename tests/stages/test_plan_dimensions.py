"""Which checkable things a message asks for, and of which kind each is."""

from __future__ import annotations

import pytest

from tests.stages.language_builders import an_enforcement_case, planned


def aspects(text: str, **more: object) -> list[str]:
    return [d.aspect for d in planned(text, **more).dimensions]  # type: ignore[arg-type]


def test_several_asks_in_one_message_are_a_dimension_each() -> None:
    plan = planned(
        "I want to return the kettle. Until when can I return it, what does it cost, and who "
        "decides on exceptions?"
    )
    assert [d.aspect for d in plan.dimensions] == ["deadline", "amount", "responsible"]
    assert all("return" in d.query and "kettle" in d.query for d in plan.dimensions[:2])


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("How long do I have to return an item?", ["deadline"]),
        ("How long and under what conditions can I return shoes?", ["deadline", "condition"]),
        ("What are the fee and the deadline for an exchange?", ["amount", "deadline"]),
        ("退货的期限和费用是多少？", ["deadline", "amount"]),
        ("My vase broke. Who pays for the return and how do I report it?",
         ["responsible", "procedure"]),
        ("What is the status of order A-10293?", ["record"]),
        ("Can order A-10311 still be cancelled?", ["record", "answer"]),
    ],
)  # fmt: skip
def test_a_dimension_says_what_kind_of_thing_it_asks_for(text: str, kinds: list[str]) -> None:
    assert aspects(text) == kinds


@pytest.mark.parametrize(
    "text",
    [
        "Can I return a Final Sale item?",
        "Can I still return the coat after the deadline if the fee was paid?",
        "Do the exceptions for members also count at weekends?",
        "清仓商品可以退货吗？",
    ],
)
def test_what_is_only_named_is_no_dimension(text: str) -> None:
    assert aspects(text) == ["answer"]


def test_a_comparison_needs_each_side() -> None:
    plan = planned("Is two-day shipping faster than standard shipping?")
    assert [d.name for d in plan.dimensions] == ["Two-day shipping", "Standard shipping"]
    assert {d.aspect for d in plan.dimensions} == {"deadline"}
    assert plan.subqueries[0] == "Is two-day shipping faster than standard shipping?"


def test_a_case_needs_rule_events_checklist_and_decision() -> None:
    plan = planned("Can we close this case without escalation?", an_enforcement_case())
    assert [d.aspect for d in plan.dimensions] == ["condition", "events", "checklist", "decision"]


def test_dimensions_are_numbered_and_few() -> None:
    plan = planned(
        "What is the difference among Basic, Silver, Gold and Platinum tiers? And what is the "
        "difference between standard and two-day shipping? And how do I join? And what is it worth?"
    )
    assert [d.id for d in plan.dimensions] == [f"D{n}" for n in range(1, 7)]
