"""The last day of a period that a rule counts from a recorded purchase: shown and checked.

"Within 45 days of the purchase date" and an order placed on 18 November give 2 January. The
sentence names both facts it joins, so a reviewer (and the claim check) can count for themselves.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from core.text.dates import PartialDate, absolute_dates
from core.text.quantities import Quantity, find_quantities
from core.text.sentences import split_sentences

_FROM_PURCHASE = re.compile(
    r"\bwithin\b.{0,40}\b(?:of|after|from)\s+(?:the\s+)?(?:date\s+of\s+)?(?:purchase|order)"
    r"|(?:自|从)?购买(?:之日|日期|日)?(?:起|后).{0,12}(?:内|可)",
    re.I,
)
_PLACED = re.compile(r"\bplaced on\b|\bpurchased on\b|\bbought on\b|下单|购买", re.I)
_DAYS = {"day": 1, "week": 7}
_EN = re.compile(r"^Counted from the purchase on .+?, that is until .+?\.$")
_ZH = re.compile(r"^自.+购买之日起计算，即截至.+。$")


class Part(NamedTuple):
    """The sentence of one piece of evidence that the count leans on, with its place."""

    evidence_id: str
    start: int
    end: int


def days_counted_from_purchase(sentence: str) -> int | None:
    """How many days ``sentence`` allows from the purchase; ``None`` when it says no such thing."""
    if not _FROM_PURCHASE.search(sentence):
        return None
    allowed = [_in_days(q) for q in find_quantities(sentence)]
    known = [n for n in allowed if n]
    return known[0] if len(known) == 1 else None


def deadline_sentence(purchase: date, days: int, language: str) -> str:
    """The last day, counted from ``purchase``."""
    last = purchase + timedelta(days=days)
    if language == "zh":
        return f"自{_zh(purchase)}购买之日起计算，即截至{_zh(last)}。"
    return f"Counted from the purchase on {_en(purchase)}, that is until {_en(last)}."


def borne_by(sentence: str, evidence: Sequence[tuple[str, str]]) -> tuple[Part, Part] | None:
    """The rule and the record that bear a deadline ``sentence``; ``None`` when they do not.

    ``evidence`` are (id, text) pairs. The purchase day must stand in one of them as such, the
    number of days between both dates in a rule of another.
    """
    bare = sentence.strip()
    if not (_EN.match(bare) or _ZH.match(bare)):
        return None
    days = [d for d in map(_whole, absolute_dates(bare)) if d]
    if len(days) != 2:
        return None
    record = _sentence_with(evidence, lambda s: bool(_PLACED.search(s)) and days[0] in _dates(s))
    rule = _sentence_with(
        evidence, lambda s: days_counted_from_purchase(s) == (days[1] - days[0]).days
    )
    return (rule, record) if rule and record else None


def _sentence_with(evidence: Sequence[tuple[str, str]], fits: object) -> Part | None:
    for evidence_id, text in evidence:
        for span in split_sentences(text):
            if callable(fits) and fits(span.text):
                return Part(evidence_id, span.start, span.end)
    return None


def _dates(text: str) -> list[date]:
    return [d for d in map(_whole, absolute_dates(text)) if d]


def _whole(named: PartialDate) -> date | None:
    if named.year and named.month and named.day:
        return date(named.year, named.month, named.day)
    return None


def _in_days(quantity: Quantity) -> int | None:
    factor = _DAYS.get(quantity.unit)
    exact = quantity.value == int(quantity.value) and quantity.upper is None
    return int(quantity.value) * factor if factor and exact else None


def _en(day: date) -> str:
    return f"{day.day} {calendar.month_name[day.month]} {day.year}"


def _zh(day: date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"
