"""A follow-up beside what was said before it."""

from __future__ import annotations

from core.models.request import Turn
from core.text.conversation import in_context


def said(*texts: str) -> list[Turn]:
    """A conversation, customer first."""
    return [Turn(role="agent" if n % 2 else "customer", text=text) for n, text in enumerate(texts)]


def test_a_follow_up_is_searched_with_the_message_before_it() -> None:
    history = said("What sizes do your winter coats come in?", "S to XXL.")
    found = in_context("And for children?", history)
    assert found.query == "What sizes do your winter coats come in? And for children?"


def test_what_leans_on_the_conversation_counts_it_more() -> None:
    history = said("What sizes do your winter coats come in?", "S to XXL.")
    leaning = in_context("And for children?", history)
    own = in_context("How long does delivery to Canada take?", history)
    assert 0 < own.weight < leaning.weight < 1


def test_a_message_that_leans_brings_the_one_before_it() -> None:
    history = said("Do you sell gift cards?", "Yes.", "How long are they valid?", "For ever.")
    found = in_context("And the custom ones?", history)
    assert found.query.startswith("Do you sell gift cards? How long are they valid?")


def test_without_earlier_messages_there_is_no_context() -> None:
    assert in_context("And for children?", []).query == ""
    assert in_context("Hi?", said("Hi?")).query == ""
    assert in_context("Hi?", [Turn(role="agent", text="Welcome!")]).query == ""
