"""Stretches of the calendar that a rule is limited to, and whether a day falls into one."""

from __future__ import annotations

import re
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from core.text.dates import PartialDate, absolute_dates
from core.text.sentences import split_sentences

_JOINT = re.compile(
    r"^[\s,，]*(?:to|and|until|till|through|thru|[-–—~]|至|到|和)[\s,，]*(?:the\s+)?$", re.I
)
_BOUGHT = re.compile(
    r"\b(?:bought|buy|purchased?|purchases|ordered|order placed|placed (?:an|the|my) order|got)\b"
    r"|买|购|下单",
    re.I,
)
_THING_WITH_A_DATE = re.compile(r"[,;，；]|\b(?:and|but)\b", re.I)


class Period(NamedTuple):
    """From one named day to another, both included; without a year it returns every year."""

    first: PartialDate
    last: PartialDate

    def holds(self, day: date) -> bool:
        """Whether ``day`` falls into the period."""
        low, high = _key(self.first), _key(self.last)
        this = (day.month, day.day)
        if self.first.year and self.last.year:
            start, end = (self.first.year, *low), (self.last.year, *high)
            return start <= (day.year, *this) <= end
        return low <= this <= high if low <= high else this >= low or this <= high


def periods(text: str) -> tuple[Period, ...]:
    """The periods ``text`` names: "between 15 November and 31 December", "11月15日至12月31日"."""
    dated = [d for d in absolute_dates(text) if d.month is not None and d.day is not None]
    return tuple(Period(a, b) for a, b in pairwise(dated) if _JOINT.match(text[a.end : b.start]))


def bought_on(text: str, *, today: date) -> tuple[date, ...]:
    """Days on which the writer says something was bought; a day without a year is the last one."""
    found: list[date] = []
    for sentence in split_sentences(text):
        for clause in _THING_WITH_A_DATE.split(sentence.text):
            if _BOUGHT.search(clause):
                found += [day for d in absolute_dates(clause) if (day := _last(d, today))]
    return tuple(dict.fromkeys(found))


def _last(named: PartialDate, today: date) -> date | None:
    if named.month is None or named.day is None:
        return None
    for year in (named.year,) if named.year else (today.year, today.year - 1):
        try:
            day = date(year, named.month, named.day)
        except ValueError:
            continue
        if named.year or day <= today:
            return day
    return None


def _key(named: PartialDate) -> tuple[int, int]:
    return named.month or 1, named.day or 1
