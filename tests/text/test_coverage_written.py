"""What a document does ("includes", "covers") is not what is asked about it."""

from __future__ import annotations

import pytest

from core.text.concepts import concepts
from core.text.coverage import find_stated
from core.text.coverage_need import need_of
from core.text.coverage_words import unspoken

_LIST = "Price match policy. Athena matches the prices of Nordstrom, Macy's and Best Buy."


def _missing(ask: str, text: str = _LIST) -> tuple[str, ...]:
    return unspoken(ask, need_of(ask), text)


@pytest.mark.parametrize(
    "ask",
    ["Did your policy then include Best Buy?", "Does the price match policy list Best Buy?"],
)
def test_a_policy_that_names_it_need_not_say_that_it_includes_it(ask: str) -> None:
    assert _missing(ask) == ()


def test_what_is_to_be_included_is_still_looked_for() -> None:
    assert _missing("Does your policy include Walmart?") == ("walmart",)


def test_a_thing_is_no_document() -> None:
    assert "includ" in _missing("Does the lamp include batteries?")


def test_somebody_else_is_suspicious_only_for_what_they_did() -> None:
    assert "=suspicious" not in concepts("Can someone else pick up my order?")
    assert "=suspicious" in concepts("Someone else has ordered with my account.")


def test_a_missed_matter_is_named_where_no_word_of_the_question_spells_it() -> None:
    ask = "Someone else has used it?"
    found = find_stated(ask, "Bookings open on Monday.", "Bookings", 0.3)

    assert not found.stated
    assert "suspicious" in found.why
