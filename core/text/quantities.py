"""Quantities: numbers with their units, ranges and bounds, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import Literal, NamedTuple

from core.models.base import Model
from core.text import bounds, units
from core.text.bounds import Bound
from core.text.clock import clock_times, halves
from core.text.dates import absolute_dates
from core.text.nouns import noun_after, noun_near
from core.text.numerals import NUMBER, parse_number

Sameness = Literal["same", "different", "incomparable"]


class Quantity(Model):
    """A number with its unit, at ``text == source[start:end]`` (unit and currency included).

    ``unit`` is canonical: ``day``, ``business_day``, ``month``, ``USD``, ``percent``, ``point``,
    ``x``, ``time`` (minutes after midnight), ``count:<noun stem>``, ``number`` … ``upper`` is the
    upper end of a range. ``noun`` is the stem of the head noun nearby, or empty.
    """

    value: Decimal
    upper: Decimal | None = None
    unit: str
    bound: Bound = "exact"
    text: str
    start: int
    end: int
    noun: str = ""


class _Raw(NamedTuple):
    value: Decimal
    upper: Decimal | None
    unit: str
    start: int
    end: int


_MONEY_SIGN = (
    r"(?P<sign>(?:us|ca|c|au|a|hk)\$|[$€£¥￥₹]|(?<![a-z])(?:usd|eur|gbp|rmb|cny|cad)\s?|人民币)\s?"
)
_NUMBER = re.compile(
    rf"(?<![A-Za-z0-9_.])(?:{_MONEY_SIGN})?(?P<low>{NUMBER})"
    rf"(?P<lowunit>\s?(?:%|％|元|天|日|周|个?月|年|小时|分钟|个工作日|(?:days?|weeks?|months?|"
    rf"hours?|years?)(?![a-z])))?"
    rf"(?:\s?(?:-|–|—|~|～|至|到|\bto\b|\bthrough\b|(?P<and>\band\b))\s?"
    rf"(?:(?:us|ca|c|au|a|hk)?[$€£¥￥])?(?P<high>{NUMBER})(?![\d/-]))?",
    re.IGNORECASE,
)
_ZH_COUNTER = re.compile(r"[个次件张份位名人条项部台种家笔双]")
_ZH_PERCENT = re.compile(rf"百分之(?P<n>{NUMBER})", re.IGNORECASE)
_SINGLE = re.compile(
    r"\b(?:an?|one|per|each)\s+(?P<u>(?:business |working |calendar )?(?:minute|hour|day|week|"
    r"fortnight|month|year)|dollar)\b"
    r"(?!\s+(?:and|ago))",
    re.IGNORECASE,
)
_LEGAL = re.compile(
    r"(?:section|§|chapter|page|version|v|no\.?|number|#|step|第)\s*$", re.IGNORECASE
)


@lru_cache(maxsize=4096)
def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Quantities in order of appearance. Calendar dates are left to ``core.text.dates``."""
    taken = [(p.start, p.end) for p in absolute_dates(text)]
    raws: list[_Raw] = []
    for finder in (_times, _zh_percent, _numbers, _singles):
        for raw in finder(text):
            if any(raw.start < right and left < raw.end for left, right in taken):
                continue
            taken.append((raw.start, raw.end))
            raws.append(raw)
    raws.sort(key=lambda raw: raw.start)
    return tuple(_finished(text, raw) for raw in raws)


def _finished(text: str, raw: _Raw) -> Quantity:
    bound, end = bounds.bound_of(text, raw.start, raw.end)
    return Quantity(
        value=raw.value,
        upper=raw.upper,
        unit=raw.unit,
        bound=bound,
        text=text[raw.start : raw.end],
        start=raw.start,
        end=raw.end,
        noun=noun_near(text, raw.start, end),
    )


def _times(text: str) -> Iterator[_Raw]:
    for value, unit, start, end in (*clock_times(text), *halves(text)):
        yield _Raw(value, None, unit, start, end)


def _zh_percent(text: str) -> Iterator[_Raw]:
    for match in _ZH_PERCENT.finditer(text):
        value = parse_number(match["n"])
        if value is not None:
            yield _Raw(value, None, "percent", *match.span())


def _singles(text: str) -> Iterator[_Raw]:
    for match in _SINGLE.finditer(text):
        if match[0].lower().startswith(("per", "each")):
            continue
        found = units.unit_at(" " + match["u"], 0)
        if found:
            yield _Raw(Decimal(1), None, found[0], *match.span())


def _numbers(text: str) -> Iterator[_Raw]:
    position = 0
    while match := _NUMBER.search(text, position):
        raw = _number(text, match)
        if raw is None:
            position = match.start() + 1 if match.end("low") <= match.start() else match.end("low")
        else:
            yield raw
            position = max(raw.end, match.start() + 1)


def _number(text: str, match: re.Match[str]) -> _Raw | None:
    low = parse_number(match["low"])
    if low is None:
        return None
    sign = (match["sign"] or "").strip().lower()
    low_unit = units.unit_at(match["lowunit"] or "", 0)
    high, end = _upper(text, match, low)
    if high is None and low_unit:
        end = match.end("low")
    found = units.unit_at(text, end)
    start = match.start("sign") if sign else match.start("low")
    if sign:
        unit = units.PREFIX_MONEY[sign]
        end = found[1] if found and found[0] == unit else end
    elif found:
        unit, end = found
    elif low_unit and high is not None:
        unit = low_unit[0]
    else:
        return _unitless(text, match, low, high, end)
    if unit == "point" and text[end - 1] == "分" and not match["low"].isascii():
        return None  # 十分重要 counts nothing
    scale = Decimal("0.01") if unit == "cent" else Decimal(1)
    unit = "USD" if unit == "cent" else unit
    return _Raw(low * scale, None if high is None else high * scale, unit, start, end)


def _upper(text: str, match: re.Match[str], low: Decimal) -> tuple[Decimal | None, int]:
    """The upper end of a range and where the last number ends."""
    if not match["high"]:
        return None, match.end("low")
    high = parse_number(match["high"])
    between = re.search(r"\b(?:between|from)\W*$", text[: match.start()], re.IGNORECASE)
    if high is None or high <= low or (match["and"] and not between):
        return None, match.end("low")
    return high, match.end("high")


def _unitless(
    text: str, match: re.Match[str], low: Decimal, high: Decimal | None, end: int
) -> _Raw | None:
    """A bare number: a count of the noun that follows, or just a number."""
    before, spelled = text[: match.start("low")], match["low"]
    if not any(ch.isdigit() for ch in spelled) and (_vague(spelled) or not _counts(text, end)):
        return None
    if not spelled.isascii() and not _ZH_COUNTER.match(text, end):
        return None
    if _LEGAL.search(before[-12:]) or (before[-1:].isalpha() and before[-1:].isascii()):
        return None
    noun = noun_after(text, end)
    unit = f"count:{noun}" if noun else "number"
    return _Raw(low, high, unit, match.start("low"), end)


def _vague(word: str) -> bool:
    return word.lower() in {
        "one",
        "a couple",
        "a couple of",
        "zero",
        "零",
        "一",
        "半",
        "十",
        "百",
        "千",
        "万",
    }


def _counts(text: str, end: int) -> bool:
    return bool(noun_after(text, end))


def same_quantity(a: Quantity, b: Quantity) -> Sameness:
    """Whether two quantities state the same value, whatever their bounds.

    Units convert (2 weeks = 14 days). Months against days are only told apart when far apart;
    business days against days, and amounts in two currencies, are ``incomparable``. A single
    value inside the other's range is ``incomparable``.
    """
    scaled = _common(a, b)
    if scaled is None:
        return _roughly(a, b)
    (low_a, high_a), (low_b, high_b) = scaled
    if low_a == low_b and high_a == high_b:
        return "same"
    if a.unit == b.unit == "number":
        return "incomparable"
    one_is_range = (low_a == high_a) != (low_b == high_b)
    if one_is_range and max(low_a, low_b) <= min(high_a, high_b):
        return "incomparable"
    return "different"


def satisfied(claim: Quantity, stated: Quantity) -> bool:
    """Whether a plainly stated value bears a claim's open bound ("more than 75" by "80").

    Only for bounds that describe ("more than", "less than", "at least", "about"), never for rules
    that limit: "within 60 days" is not borne by "within 45 days".
    """
    if claim.bound in {"exact", "at_most"} or stated.bound != "exact":
        return False
    scaled = _common(claim, stated)
    if scaled is None or claim.upper is not None:
        return False
    (limit, _), (low, high) = scaled
    if claim.bound == "approx":
        return abs(low - limit) <= abs(limit) * _ABOUT
    return {
        "more_than": low > limit,
        "at_least": low >= limit,
        "less_than": high < limit,
    }[claim.bound]


_ABOUT = Decimal("0.1")
_Interval = tuple[Decimal, Decimal]


def _interval(q: Quantity, factor: Decimal) -> _Interval:
    return q.value * factor, (q.upper if q.upper is not None else q.value) * factor


def _common(a: Quantity, b: Quantity) -> tuple[_Interval, _Interval] | None:
    (family_a, factor_a), (family_b, factor_b) = units.base(a.unit), units.base(b.unit)
    if family_a != family_b and not _bare_twin(a, b):
        return None
    if family_a != family_b:
        factor_a = factor_b = Decimal(1)
    return _interval(a, factor_a), _interval(b, factor_b)


def _bare_twin(a: Quantity, b: Quantity) -> bool:
    """A number without a unit that equals the other's value is taken to be the same thing."""
    loose = {"number"}
    counts = a.unit.startswith("count:") and b.unit.startswith("count:")
    return (a.unit in loose or b.unit in loose or counts) and (a.value, a.upper) == (
        b.value,
        b.upper,
    )


_CLEARLY = Decimal("1.15")


def _roughly(a: Quantity, b: Quantity) -> Sameness:
    families = {units.base(a.unit)[0], units.base(b.unit)[0]}
    if families != {"time_span", "months"}:
        return "incomparable"
    low, high = sorted((_seconds(a), _seconds(b)))
    if low <= 0:
        return "incomparable"
    if {str(a.value), str(b.value)} <= {"365", "366", "1", "12"} and high / low < _CLEARLY:
        return (
            "same"
            if {a.unit, b.unit} & {"year"} or high / low < Decimal("1.01")
            else "incomparable"
        )
    return "different" if high / low >= _CLEARLY else "incomparable"


def _seconds(q: Quantity) -> Decimal:
    family, factor = units.base(q.unit)
    return q.value * factor * (units.SECONDS_PER_MONTH if family == "months" else Decimal(1))
