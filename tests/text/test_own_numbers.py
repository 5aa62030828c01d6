"""A customer's own numbers are no part of what a policy is asked."""

from __future__ import annotations

import pytest

from core.text.own_numbers import without_own_numbers

POLICY = "Items can be returned within 30 days of the purchase date."
RECORD = "Order A-10293 was shipped on 19 November 2026."


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("How do I return the coat from order A-10293?", "How do I return the coat?"),
        ("How do I return the coat from my order number a-10293?", "How do I return the coat?"),
        ("How do I return the coat in A-10293?", "How do I return the coat?"),
        ("Which refund is due for order #A-10293?", "Which refund is due?"),
        ("About A-10293", "About A-10293"),
    ],
)
def test_a_policy_is_asked_without_them(question: str, asked: str) -> None:
    assert without_own_numbers(question, POLICY) == asked


@pytest.mark.parametrize(
    "question",
    ["Can order A-10293 still be cancelled?", "How long may I return a coat?", "A-10293", ""],
)
def test_what_the_question_is_about_stays(question: str) -> None:
    assert without_own_numbers(question, POLICY) == question


def test_the_record_itself_is_asked_with_them() -> None:
    question = "What is the status of order A-10293?"
    assert without_own_numbers(question, RECORD) == question
    assert without_own_numbers(question, RECORD.lower()) == question
