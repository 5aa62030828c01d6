"""Stretches of the calendar, purchases, and the last day counted from them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.deadline import borne_by, days_counted_from_purchase, deadline_sentence
from core.text.period import bought_on, periods

TODAY = date(2026, 11, 30)
RULE = "Items bought in the season can be returned within 45 days of the purchase date."
RECORD = "Order A-1 was placed on 18 November 2026 by customer 88."


@pytest.mark.parametrize(
    ("text", "day", "inside"),
    [
        ("Items bought between 15 November and 31 December", date(2026, 11, 18), True),
        ("Items bought between 15 November and 31 December", date(2026, 11, 14), False),
        ("Items bought from 1 December to 5 January", date(2027, 1, 3), True),
        ("valid 1 December 2025 to 5 January 2026", date(2026, 12, 3), False),
        ("11月15日至12月31日期间购买的商品", date(2026, 12, 31), True),
    ],
)
def test_a_day_falls_into_a_period_or_not(text: str, day: date, inside: bool) -> None:
    (period,) = periods(text)
    assert period.holds(day) is inside


def test_two_dates_that_are_not_joined_are_no_period() -> None:
    assert periods("Ordered on 3 May, delivered on 9 June, the parcel was late.") == ()


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("I bought a coat on 18 November and it came on 24 November.", (date(2026, 11, 18),)),
        ("I purchased it on 24 December.", (date(2025, 12, 24),)),
        ("It was delivered on 24 November.", ()),
    ],
)
def test_only_the_day_of_the_purchase_counts(text: str, days: tuple[date, ...]) -> None:
    assert bought_on(text, today=TODAY) == days


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    periods(text)
    bought_on(text, today=TODAY)
    days_counted_from_purchase(text)
    assert borne_by(text, [("a", text)]) is None or text


@given(st.dates(date(2020, 1, 1), date(2035, 1, 1)), st.integers(1, 400))
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_counted_day_is_borne_by_rule_and_record_and_by_nothing_less(
    language: str, purchase: date, days: int
) -> None:
    sentence = deadline_sentence(purchase, days, language)
    named = f"{purchase.day} {purchase:%B} {purchase.year}"
    record = ("r", f"Order A-1 was placed on {named} by customer 88.")
    rule = ("p", f"Items can be returned within {days} days of the purchase date.")
    parts = borne_by(sentence, [record, rule])
    assert parts is not None
    assert [p.evidence_id for p in parts] == ["p", "r"]
    assert borne_by(sentence, [rule]) is None
    assert borne_by(sentence, [record]) is None
    other = ("p", f"Items can be returned within {days + 1} days of the purchase date.")
    assert borne_by(sentence, [record, other]) is None


def test_a_wrong_day_is_not_borne() -> None:
    right = deadline_sentence(date(2026, 11, 18), 45, "en")
    wrong = right.replace("2 January 2027", "9 January 2027")
    assert date(2026, 11, 18) + timedelta(days=45) == date(2027, 1, 2)
    assert borne_by(right, [("p", RULE), ("r", RECORD)])
    assert wrong != right
    assert borne_by(wrong, [("p", RULE), ("r", RECORD)]) is None
