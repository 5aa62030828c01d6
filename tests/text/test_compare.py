"""A claim held against evidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.compare import Comparison, compare_sentences


@pytest.mark.parametrize(
    ("claim", "evidence", "kind"),
    [
        (
            "Holiday purchases may be returned within 60 days.",
            "Purchases made from 15 November to 31 December may be returned within 45 days.",
            "number",
        ),
        ("Standard shipping costs $9.95.", "Standard shipping costs $6.95 under $75.", "money"),
        ("Gift cards never expire.", "Gift cards expire after 30 days.", "negation"),
        ("Gift cards expire after 30 days.", "Gift cards never expire.", "negation"),
        ("Opened items are eligible.", "Opened items are ineligible.", "negation"),
        ("We match the prices of Walmart.", "We do not match the prices of Walmart.", "negation"),
        ("Orders must be placed before 3 pm.", "Orders must be placed before 14:00.", "number"),
        ("You can return it after 30 days.", "You can return it within 30 days.", "bound"),
        ("The policy changed on 1 March 2025.", "The policy changed on 1 March 2026.", "date"),
        ("A return label costs $4.95.", "Return labels are free of charge.", "money"),
        ("退货期限为60天。", "退货期限为30天。", "number"),
        ("礼品卡会过期。", "礼品卡不会过期。", "negation"),
        ("保修期为一年", "保修期为24个月", "number"),
    ],
)
def test_a_differing_value_about_the_same_thing_contradicts(
    claim: str, evidence: str, kind: str
) -> None:
    assert [f.kind for f in compare_sentences(claim, evidence).contradicted] == [kind]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Items may be returned within 45 days.", "Refunds are issued within 2 business days."),
        ("You can return items within 30 days.", "Items cannot be returned after 30 days."),
        ("Shipping is free for orders over $75.", "Orders under $75 ship for $6.95."),
        ("保修期为两年", "保修期为24个月"),
        ("It takes two weeks.", "It takes 14 days."),
        ("Two-day shipping costs $12.95.", "Standard shipping costs $6.95 for orders under $75."),
        (
            "Delivery to Canada takes 10 to 15 business days.",
            "Delivery to the United States takes 3 to 5 business days.",
        ),
        ("Gold members need 1,500 points.", "Silver members need 500 points."),
        (
            "Order A-10305 is expected to arrive on 3 December 2026.",
            "Orders to Canada should be placed by 1 December 2026 to arrive in time.",
        ),
        ("The film sold more than 75 copies.", "The film sold 80 copies."),
        ("We ship to Canada.", "Delivery to Canada takes 10–15 business days."),
    ],
)
def test_another_matter_or_the_same_value_does_not_contradict(claim: str, evidence: str) -> None:
    assert compare_sentences(claim, evidence).contradicted == ()


_HOLIDAY = "Items bought between 15 November and 31 December can be returned within 45 days."
_GENERAL = "Items can be returned within 30 days of the purchase date."


@pytest.mark.parametrize(
    ("claim", "by_holiday", "by_general"),
    [
        ("Items can be returned within 30 days of the purchase date.", False, False),
        ("Holiday purchases can be returned within 60 days.", True, False),
        (_HOLIDAY.replace("45", "60"), True, False),
        (_GENERAL.replace("30", "60"), False, True),
        ("You have 60 days to return it.", False, True),
    ],
)
def test_a_rule_for_a_special_case_and_the_general_rule_do_not_contradict_each_other(
    claim: str, *, by_holiday: bool, by_general: bool
) -> None:
    assert bool(compare_sentences(claim, _HOLIDAY).contradicted) is by_holiday
    assert bool(compare_sentences(claim, _GENERAL).contradicted) is by_general


def test_an_open_bound_is_broken_by_a_value_outside_it() -> None:
    found = compare_sentences("The film sold more than 90 copies.", "The film sold 80 copies.")
    assert [f.evidence for f in found.contradicted] == ["80"]


def test_a_value_the_evidence_lacks_is_missing_and_named() -> None:
    found = compare_sentences("Refunds take 45 days at FedEx.", "Refunds are quick.")
    assert {(f.kind, f.claim) for f in found.missing} == {("number", "45 days"), ("name", "FedEx")}
    assert found.contradicted == ()


def test_values_found_in_both_are_counted() -> None:
    text = "Next-day shipping costs $19.95 before 14:00."
    assert compare_sentences(text, text).agreed == 2


def test_overclaiming_is_missing_not_contradicted() -> None:
    assert [
        f.kind
        for f in compare_sentences(
            "All items can be returned.", "Most items can be returned."
        ).missing
    ] == ["quantifier"]
    assert [
        f.kind
        for f in compare_sentences("You must show a receipt.", "You may show a receipt.").missing
    ] == ["modality"]


def test_acronyms_and_last_names_are_recognised() -> None:
    evidence = "Federal Trade Commission chair Lina Khan spoke."
    assert compare_sentences("Then the FTC spoke.", evidence).missing == ()
    assert compare_sentences("Then Ms Khan spoke.", evidence).missing == ()


_TEXT = st.one_of(
    st.text(max_size=150),
    st.lists(
        st.sampled_from(
            [
                "not ",
                "within ",
                "30 days",
                "45天",
                "$5",
                "refund ",
                "不",
                "退货",
                "free ",
                ". ",
                "12 March 2025 ",
                "all ",
            ]
        ),
        max_size=14,
    ).map("".join),
)


@given(_TEXT, _TEXT)
def test_no_text_breaks_the_comparison(a: str, b: str) -> None:
    found = compare_sentences(a, b)
    assert isinstance(found, Comparison)
    assert 0.0 <= found.alignment <= 1.0
    assert found.alignment == compare_sentences(b, a).alignment


@given(_TEXT)
def test_a_text_agrees_with_itself(text: str) -> None:
    found = compare_sentences(text, text)
    assert found.contradicted == ()
    assert found.missing == ()


def test_a_last_day_is_no_open_bound() -> None:
    """ "Until 9 January" is not borne by any earlier day that happens to be in the evidence."""
    evidence = "Order A-1 was placed on 18 November 2026. It can be returned within 45 days."
    found = compare_sentences("You can return it until 9 January 2027.", evidence)
    assert [f.claim for f in (*found.missing, *found.contradicted)] == ["9 January 2027"]
