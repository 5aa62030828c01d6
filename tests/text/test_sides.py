"""A sentence takes a side of a conflict in the source's words, in its own, or not at all."""

from __future__ import annotations

import pytest

from core.models.judgement import ClaimSide
from core.text.factual import is_factual
from core.text.sides import takes_side

DAYS = ClaimSide(
    evidence_id="EVID-0001",
    value="21 days",
    quote="An engraved watch can be returned within 21 days of delivery.",
)
DENIAL = ClaimSide(
    evidence_id="EVID-0001", value="no", quote="Engraved watches cannot be refunded."
)
LISTED = ClaimSide(
    evidence_id="EVID-0001",
    value="lists Best Buy",
    quote="We match prices of Nordstrom, Target and Best Buy.",
)


@pytest.mark.parametrize(
    ("side", "sentence", "taken"),
    [
        (DAYS, "An engraved watch can be returned within 21 days of delivery.", True),
        (DAYS, "You may return your engraved watch for three weeks after delivery.", True),
        (DAYS, "An engraved watch can be returned within 14 days of delivery.", False),
        (DAYS, "The shop in Graz reopens in 21 days.", False),
        (DAYS, "The engraving is free of charge.", False),
        (DENIAL, "Engraved watches are not refunded.", True),
        (DENIAL, "Engraved watches can be refunded.", False),
        (LISTED, "We do match Best Buy.", True),
        (LISTED, "We do not match Best Buy.", False),
        (LISTED, "We match Target.", False),
    ],
)
def test_a_side_is_taken_by_value_and_matter(side: ClaimSide, sentence: str, taken: bool) -> None:
    assert takes_side(sentence, side) is taken


@pytest.mark.parametrize(
    ("sentence", "factual"),
    [
        ("Hello Ines, the engraving of a watch is free of charge.", True),
        ("Hello, gift cards can be refunded.", True),
        ("您好，礼品卡可以退款", True),
        ("Hello Ines,", False),
        ("Dear Mr Smith, thank you for your message.", False),
        ("您好！", False),
    ],
)
def test_no_claim_hides_behind_a_greeting(sentence: str, factual: bool) -> None:
    assert is_factual(sentence) is factual
