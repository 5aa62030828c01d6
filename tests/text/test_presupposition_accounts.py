"""What somebody of the company did to the asker is told, not assumed about the rules."""

from __future__ import annotations

import pytest

from core.text.presupposition import find_presuppositions


@pytest.mark.parametrize(
    "told",
    [
        "In December your colleague refused to match a Best Buy price for me.",
        "The store assistant flatly refused my exchange.",
        "Your driver left my parcel in the rain.",
    ],
)
def test_an_account_of_what_one_of_us_did_is_no_premise(told: str) -> None:
    found = find_presuppositions(f"{told} Did your policy include Best Buy?")

    assert [p for p in found if p.kind == "statement"] == []


@pytest.mark.parametrize(
    "claimed",
    ["Your agents refund the shipping charge within 3 days.", "Your store accepts gift cards."],
)
def test_what_is_said_of_the_company_in_general_stays_a_premise(claimed: str) -> None:
    found = find_presuppositions(f"{claimed} How do I ask for it?")

    assert [p.text for p in found if p.kind == "statement"] == [claimed.rstrip(".")]
