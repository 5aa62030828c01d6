"""Numbers with their units and bounds, in digits and words, in English and Chinese."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.numerals import parse_number
from core.text.quantities import Quantity, find_quantities, same_quantity


def one(text: str) -> Quantity:
    (found,) = find_quantities(text)
    return found


@pytest.mark.parametrize(
    ("text", "value", "unit", "bound"),
    [
        ("Returns within 30 days of delivery.", "30", "day", "at_most"),
        ("forty-five days", "45", "day", "exact"),
        ("two-day shipping", "2", "day", "exact"),
        ("10 business days", "10", "business_day", "exact"),
        ("It costs $6.95", "6.95", "USD", "exact"),
        ("$2.5 million in sales", "2500000.0", "USD", "exact"),
        ("50 cents", "0.50", "USD", "exact"),
        ("orders over $75", "75", "USD", "more_than"),
        ("20 percent off", "20", "percent", "exact"),
        ("at least 18 years old", "18", "year", "at_least"),
        ("30 days or more", "30", "day", "at_least"),
        ("must not exceed 60 days", "60", "day", "at_most"),
        ("fewer than 5 items", "5", "count:item", "less_than"),
        ("about 3 hours", "3", "hour", "approx"),
        ("1,500 points", "1500", "point", "exact"),
        ("earn 1.25x", "1.25", "x", "exact"),
        ("a month and a half", "1.5", "month", "exact"),
        ("within a year", "1", "year", "at_most"),
        ("before 14:00 EST", "840", "time", "exact"),
        ("by 2 p.m.", "840", "time", "exact"),
        ("退货期限为60天", "60", "day", "exact"),
        ("三十天内退货", "30", "day", "at_most"),
        ("两周", "2", "week", "exact"),
        ("12个月", "12", "month", "exact"),
        ("至少三个工作日", "3", "business_day", "at_least"),
        ("不超过500元", "500", "CNY", "at_most"),
        ("百分之二十", "20", "percent", "exact"),
        ("下午2点前", "840", "time", "exact"),
        ("一年半", "1.5", "year", "exact"),
    ],
)
def test_a_quantity_is_read_with_unit_and_bound(
    text: str, value: str, unit: str, bound: str
) -> None:
    found = one(text)
    assert (found.value, found.unit, found.bound) == (Decimal(value), unit, bound)
    assert text[found.start : found.end] == found.text


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("10–15 business days", 10, 15, "business_day"),
        ("between 10 and 15 days", 10, 15, "day"),
        ("from $25 to $200", 25, 200, "USD"),
        ("10至15个工作日", 10, 15, "business_day"),
    ],
)
def test_a_range_has_two_ends(text: str, low: int, high: int, unit: str) -> None:
    found = one(text)
    assert (found.value, found.upper, found.unit) == (low, high, unit)


@pytest.mark.parametrize(
    "text",
    [
        "See version 2 of section 3",
        "on 12 March 2025",
        "I have one question",
        "十分重要",
        "万一损坏",
    ],
)
def test_what_counts_nothing_is_no_quantity(text: str) -> None:
    assert find_quantities(text) == ()


def test_several_values_in_one_sentence_are_kept_apart() -> None:
    found = find_quantities("Two-day costs $12.95, next-day $19.95 before 14:00.")
    assert [(str(q.value), q.unit) for q in found] == [
        ("2", "day"),
        ("12.95", "USD"),
        ("19.95", "USD"),
        ("840", "time"),
    ]


@pytest.mark.parametrize(
    ("a", "b", "sameness"),
    [
        ("2 weeks", "14 days", "same"),
        ("an hour", "60 minutes", "same"),
        ("1 year", "12 months", "same"),
        ("三十天", "30 days", "same"),
        ("45 days", "60 days", "different"),
        ("30 days", "12 months", "different"),
        ("30 days", "1 month", "incomparable"),
        ("5 days", "5 business days", "incomparable"),
        ("$5", "€5", "incomparable"),
        ("12 days", "10–15 days", "incomparable"),
        ("20 days", "10–15 days", "different"),
    ],
)
def test_values_compare_across_units(a: str, b: str, sameness: str) -> None:
    assert same_quantity(one(a), one(b)) == sameness


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("twenty-one", 21),
        ("one hundred and five", 105),
        ("三百二十", 320),
        ("一万五千", 15000),
        ("1.5万", 15000),
        ("a couple of", 2),
    ],
)
def test_number_words_have_values(text: str, value: int) -> None:
    assert parse_number(text) == value


_BITS = st.sampled_from(
    [
        "30",
        "三十",
        " days",
        "天",
        "$",
        "%",
        "-",
        "to",
        "and",
        "半",
        "个月",
        "within ",
        ":00",
        "万",
        " ",
    ]
)


@given(st.one_of(st.text(max_size=200), st.lists(_BITS, max_size=25).map("".join)))
def test_offsets_are_exact_and_nothing_raises(text: str) -> None:
    last = 0
    for found in find_quantities(text):
        assert text[found.start : found.end] == found.text
        assert last <= found.start < found.end
        last = found.end


@given(st.lists(_BITS, max_size=12).map("".join), st.lists(_BITS, max_size=12).map("".join))
def test_sameness_is_symmetric_and_reflexive(a: str, b: str) -> None:
    for left in find_quantities(a):
        assert left.unit == "number" or same_quantity(left, left) == "same"
        for right in find_quantities(b):
            assert same_quantity(left, right) == same_quantity(right, left)
