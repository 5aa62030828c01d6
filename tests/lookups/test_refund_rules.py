"""What sentences of policies say of refunds: values where they are plain, nothing where not."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from core.lookups.refund_rules import Charge, RefundRules, Window, read_rules
from core.lookups.refund_terms import terms_for
from core.models.evidence import EvidenceCandidate
from tests.stages.language_builders import a_candidate

BOUGHT = date(2026, 11, 18)


def _passage(text: str, **more: str) -> EvidenceCandidate:
    return a_candidate("returns::1", text=text, **more)


def _rules(text: str, *, at_fault: bool = False) -> RefundRules:
    return read_rules([_passage(text)], at_fault=at_fault)


@pytest.mark.parametrize(
    ("sentence", "days", "counted"),
    [
        ("Items can be returned within 30 days of the purchase date.", 30, "purchase"),
        ("Goods may be sent back within 2 weeks of delivery.", 14, "delivery"),
        ("You can return it within 14 days after receipt.", 14, "delivery"),
    ],
)
def test_a_return_window_is_read_with_what_it_counts_from(
    sentence: str, days: int, counted: str
) -> None:
    (rule,) = _rules(sentence).windows
    assert isinstance(rule.value, Window)
    assert (rule.value.days, rule.value.counted_from) == (days, counted)


@pytest.mark.parametrize(
    "sentence",
    [
        "Damage on arrival must be reported within 10 days of delivery.",
        "A customer may cancel an online order within 14 days of delivery.",
        "A refund is paid within 5 to 7 business days after the parcel reaches us.",
        "Gift cards cannot be returned.",
    ],
)
def test_other_periods_are_no_return_window(sentence: str) -> None:
    assert _rules(sentence).windows == ()


@pytest.mark.parametrize(
    ("sentence", "ordinary", "at_fault"),
    [
        ("The original shipping charge is not refunded.", False, False),
        ("Shipping fees are non-refundable.", False, False),
        ("The delivery charge is refunded.", True, True),
        (
            "The original shipping charge is not refunded unless the return is our mistake.",
            False,
            True,
        ),
        ("Shipping is refunded when an item arrived damaged or was the wrong item.", None, True),
        ("Shipping is refunded if you are a Gold member.", None, None),
    ],
)
def test_whether_shipping_is_refunded_depends_on_whose_mistake_it_was(
    sentence: str, ordinary: bool | None, at_fault: bool | None
) -> None:
    for fault, expected in ((False, ordinary), (True, at_fault)):
        found = [r.value for r in _rules(sentence, at_fault=fault).shipping]
        assert found == ([] if expected is None else [Charge(refunded=expected)])


def test_a_condition_that_is_not_understood_is_named_as_open() -> None:
    rules = _rules("Shipping is refunded if you are a Gold member.")
    terms = terms_for(rules, bought=BOUGHT, country="US")
    assert terms.shipping is None
    assert any("Gold member" in words for words in terms.open)


@pytest.mark.parametrize(
    ("sentence", "amount", "place"),
    [
        ("A return label costs $4.95, which is taken off the refund.", "4.95", ""),
        ("Return labels are free.", "0", ""),
        (
            "Return labels are free for orders shipped within the United States.",
            "0",
            "United States",
        ),
    ],
)
def test_what_a_label_costs_and_where(sentence: str, amount: str, place: str) -> None:
    (rule,) = _rules(sentence).labels
    assert rule.value == Charge(amount=Decimal(amount), place=place)


@pytest.mark.parametrize(
    ("country", "cost", "open_"),
    [("US", Decimal(0), False), ("GB", None, False), ("", None, True)],
)
def test_a_label_that_is_free_in_one_country_is_free_nowhere_else(
    country: str, cost: Decimal | None, open_: bool
) -> None:
    rules = _rules("Return labels are free for orders shipped within the United States.")
    terms = terms_for(rules, bought=BOUGHT, country=country)
    value = terms.label.value if terms.label else None
    assert (value.amount if isinstance(value, Charge) else None) == cost
    assert bool(terms.open) is open_


def test_the_window_of_the_season_goes_before_the_general_one_within_it_alone() -> None:
    rules = read_rules(
        [
            _passage("Items can be returned within 30 days of the purchase date."),
            _passage(
                "Items bought between 15 November and 31 December can be returned within 45 days "
                "of the purchase date."
            ),
        ],
        at_fault=False,
    )
    for bought, days in ((BOUGHT, 45), (date(2026, 10, 3), 30), (None, 30)):
        window = terms_for(rules, bought=bought, country="US").window
        assert window is not None
        assert isinstance(window.value, Window)
        assert window.value.days == days


def test_two_policies_that_disagree_give_no_value_and_both_are_named() -> None:
    rules = read_rules(
        [
            _passage("Items can be returned within 30 days of the purchase date."),
            _passage("Items can be returned within 60 days of the purchase date."),
        ],
        at_fault=False,
    )
    terms = terms_for(rules, bought=BOUGHT, country="US")
    assert terms.window is None
    (words,) = terms.open
    assert "do not agree" in words
    assert "30 days" in words
    assert "60 days" in words


def test_a_rule_for_another_region_does_not_apply() -> None:
    abroad = _passage("The delivery charge is refunded.", region="UK")
    rules = read_rules([abroad], at_fault=False)
    assert terms_for(rules, bought=BOUGHT, country="US").shipping is None
    assert terms_for(rules, bought=BOUGHT, country="GB").shipping is not None


def test_a_restocking_fee_is_left_to_a_person() -> None:
    rules = _rules("A restocking fee of 15% applies to opened electronics.")
    (words,) = terms_for(rules, bought=BOUGHT, country="US").open
    assert "restocking fee of 15%" in words
    assert _rules("There is no restocking fee.").restocking == ()
