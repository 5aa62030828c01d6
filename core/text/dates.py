"""Dates and months named in a text, absolute or relative to today."""

from __future__ import annotations

import calendar
import re
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from core.models.request import ExtractedDate
from core.text.relative_dates import DAY_OF_MONTH, relative_dates


class PartialDate(NamedTuple):
    """A date as far as it was named, with its place in the text. Missing parts are ``None``."""

    start: int
    end: int
    text: str
    year: int | None
    month: int | None
    day: int | None
    past: bool = False
    """Said to lie behind us ("last January", "since May")."""


_MONTHS = {
    name.lower(): number
    for number in range(1, 13)
    for name in (calendar.month_name[number], calendar.month_abbr[number])
} | {"sept": 9}
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR = r"(?P<year>(?:1[5-9]|20)\d\d)"
_I = re.IGNORECASE
_NO_UNIT = (
    r"(?!\s?(?:points?|dollars?|euros?|days?|weeks?|months?|hours?|minutes?|people|percent|"
    r"per\s?cent|"
    r"miles?|km|kg|characters?|words?|users?|items?|orders?)\b)"
)
_ABSOLUTE = (
    re.compile(
        r"(?<![\w-])(?P<year>(?:1[5-9]|20)\d\d)[-/.](?P<monthno>1[0-2]|0?[1-9])[-/.](?P<day>3[01]|"
        r"[12]\d|0?[1-9])(?!\d)"),
    re.compile(
        r"(?P<year>(?:1[5-9]|20)\d\d)\s*年(?:\s*(?P<monthno>1[0-2]|"
        r"0?[1-9])\s*月(?:份)?(?:\s*(?P<day>3[01]|[12]\d|0?[1-9])\s*[日号])?)?"),
    re.compile(
        r"(?<!\d)(?P<monthno>1[0-2]|0?[1-9])\s*月(?:\s*(?P<day>3[01]|[12]\d|0?[1-9])\s*[日号])"),
    re.compile(rf"(?<!\w){DAY_OF_MONTH}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}(?!\w)", _I),
    re.compile(rf"(?<!\w){_MONTH}\s+{DAY_OF_MONTH}(?:\s*,\s*|\s+){_YEAR}(?!\w)", _I),
    re.compile(rf"(?<!\w){_MONTH},?\s+(?:of\s+)?{_YEAR}(?!\w)", _I),
    re.compile(rf"(?<!\w){DAY_OF_MONTH}\s+(?:of\s+)?{_MONTH}(?!\w)", _I),
    re.compile(rf"(?<!\w){_MONTH}\s+{DAY_OF_MONTH}(?![\w%:]|[.,]\d)", _I),
    re.compile(
        rf"(?<=\bin ){_MONTH}(?!\w)|(?<=\bsince "
        rf"){_MONTH.replace('?P<month>', '?P<month2>')}(?!\w)|"
        rf"(?<=\blast ){_MONTH.replace('?P<month>', '?P<month3>')}(?!\w)", _I),
    re.compile(
        r"(?:\b(?:in|since|during|year|by|until|till|after|before|early|late|mid|fall|spring|"
        r"summer|"
        r"winter|autumn|season)[ -])(?P<year>(?:19|20)\d\d)(?![\w%]|[.,:-]\d)" + _NO_UNIT, _I),
    re.compile(
        r"(?:(?:\b(?:of|from|to|and|for|on|the)\s)|[(（–-]\s?)(?P<year>(?:19|20)\d\d)(?![\w%]|"
        r"[.,:-]\d)"
        + _NO_UNIT + r"(?!\s[a-z]+s\b)", _I),
)  # fmt: skip


_MAY_HOLD = re.compile(rf"\d|(?<!\w){_MONTH}", _I)
"""Cheaper than the patterns above, which all need a digit or the name of a month."""


@lru_cache(maxsize=2048)
def absolute_dates(text: str) -> tuple[PartialDate, ...]:
    """Calendar dates, months and years named in ``text``, in order, none overlapping."""
    if not _MAY_HOLD.search(text):
        return ()
    found: list[PartialDate] = []
    taken: list[tuple[int, int]] = []
    for pattern in _ABSOLUTE:
        for match in pattern.finditer(text):
            partial = _partial(match)
            if any(partial.start < right and left < partial.end for left, right in taken):
                continue
            taken.append((partial.start, partial.end))
            if _exists(partial):
                found.append(partial)
    return tuple(sorted(found, key=lambda p: p.start))


def _exists(p: PartialDate) -> bool:
    """31 February does not; 29 February may, where no year is named."""
    if p.day is None or p.month is None:
        return True
    return p.day <= calendar.monthrange(p.year or 2000, p.month)[1]


def _group(match: re.Match[str], *names: str) -> str | None:
    known = match.re.groupindex
    return next((match[n] for n in names if n in known and match[n]), None)


def _partial(match: re.Match[str]) -> PartialDate:
    year = _group(match, "year")
    name = _group(match, "month", "month2", "month3")
    number = _group(match, "monthno")
    day = _group(match, "day")
    month = _MONTHS[name.lower().rstrip(".")] if name else int(number) if number else None
    start = match.start() if name or number or day else match.start("year")
    return PartialDate(
        start,
        match.end(),
        match.string[start : match.end()],
        int(year) if year else None,
        month,
        int(day) if day else None,
        past=_group(match, "month2", "month3") is not None,
    )


def find_dates(text: str, *, today: date) -> tuple[ExtractedDate, ...]:
    """Dates in order, each as the closed interval it covers.

    A date without a year is the occurrence nearest to ``today`` (the past one on a tie of sense:
    "in December" asked in January is last December).
    """
    found = [
        (p.start, p.end, ExtractedDate(text=p.text, start=interval[0], end=interval[1]))
        for p in absolute_dates(text)
        if (interval := _interval(p, today))
    ]
    for placed in relative_dates(text, today=today):
        if not any(placed.start < right and left < placed.end for left, right, _ in found):
            found.append((placed.start, placed.end, placed.found))
    return tuple(item for _, _, item in sorted(found, key=lambda f: f[0]))


def _interval(p: PartialDate, today: date) -> tuple[date, date] | None:
    if p.month is None:
        return (date(p.year, 1, 1), date(p.year, 12, 31)) if p.year else None
    year = p.year if p.year is not None else _nearest_year(p.month, p.day, today)
    if p.year is None and p.past and date(year, p.month, 1) > today:
        year -= 1
    length = calendar.monthrange(year, p.month)[1]
    if p.day is None:
        return date(year, p.month, 1), date(year, p.month, length)
    if p.day > length:
        return None
    return date(year, p.month, p.day), date(year, p.month, p.day)


def _nearest_year(month: int, day: int | None, today: date) -> int:
    def distance(year: int) -> int:
        length = calendar.monthrange(year, month)[1]
        return abs((date(year, month, min(day or 15, length)) - today).days)

    years = [y for y in (today.year - 1, today.year, today.year + 1) if 1 <= y <= 9999]
    return min(years, key=distance)
