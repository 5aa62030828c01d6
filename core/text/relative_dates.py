"""Days named by their distance from the day of writing: "three weeks ago", "last Tuesday".

A length of time is no day: "within 30 days" and "for two weeks" name none. A weekday alone is the
one just past in a sentence about what happened, else the one to come.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

from core.models.request import ExtractedDate
from core.text.sentences import split_sentences

Interval = tuple[date, date]


class Placed(NamedTuple):
    """A day or stretch of days with its place in the text."""

    start: int
    end: int
    found: ExtractedDate


_I = re.IGNORECASE
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "twenty": 20, "thirty": 30,
    "sixty": 60, "ninety": 90, "a couple of": 2, "couple of": 2,
}  # fmt: skip
_ZH_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2}
_WEEKDAYS = {name.lower(): n for n, name in enumerate(calendar.day_name)}
_ZH_WEEKDAYS = {c: n for n, c in enumerate("一二三四五六日")} | {"天": 6}
_WEEKDAY = rf"(?P<weekday>{'|'.join(_WEEKDAYS)})"
_MONTHS = {name.lower(): n for n, name in enumerate(calendar.month_name) if name}
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_COUNT = rf"(?P<n>\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_ZH_COUNT = r"(?P<n>\d{1,3}|[一二两三四五六七八九十]{1,3})"
_HAPPENED = re.compile(
    r"\b(?:was|were|did|had|arrived|came|bought|ordered|purchased|received|got|paid|placed|sent|"
    r"returned|opened|delivered|shipped|called|wrote|said|told|since|past)\b|[了过]|的$|收到|买的|送到|签收|下单",
    _I,
)  # fmt: skip


def _day(there: date) -> Interval:
    return there, there


def _month(year: int, month: int) -> Interval:
    extra, zero = divmod(month - 1, 12)
    year, month = year + extra, zero + 1
    return date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])


def _week(day: date, shift: int) -> Interval:
    monday = day - timedelta(days=day.weekday()) + timedelta(weeks=shift)
    return monday, monday + timedelta(days=6)


def _number(text: str) -> int:
    text = text.lower()
    if text.isdigit():
        return int(text)
    if text in _NUMBERS:
        return _NUMBERS[text]
    tens, ten, ones = text.partition("十")
    if not ten:
        return _ZH_DIGITS.get(text, 0)
    return 10 * (_ZH_DIGITS.get(tens, 1) if tens else 1) + (_ZH_DIGITS.get(ones, 0) if ones else 0)


def _ago(match: re.Match[str], today: date) -> Interval:
    n, unit = _number(match["n"]), match["unit"].lower()
    if unit in {"day", "天", "日"}:
        return _day(today - timedelta(days=n))
    if unit in {"week", "周", "星期", "个星期", "个礼拜"}:
        return _day(today - timedelta(weeks=n))
    if unit in {"month", "个月"}:
        return _month(today.year, today.month - n)
    return date(today.year - n, 1, 1), date(today.year - n, 12, 31)


def _named_weekday(match: re.Match[str]) -> int:
    if "zhday" in match.re.groupindex:
        return _ZH_WEEKDAYS[match["zhday"]]
    return _WEEKDAYS[match["weekday"].lower()]


def _past_weekday(match: re.Match[str], today: date) -> Interval:
    return _day(today - timedelta(days=(today.weekday() - _named_weekday(match) - 1) % 7 + 1))


def _coming_weekday(match: re.Match[str], today: date) -> Interval:
    return _day(today + timedelta(days=(_named_weekday(match) - today.weekday() - 1) % 7 + 1))


def _weekday_of(shift: int) -> Callable[[re.Match[str], date], Interval]:
    def resolve(match: re.Match[str], today: date) -> Interval:
        return _day(_week(today, shift)[0] + timedelta(days=_named_weekday(match)))

    return resolve


def _bare_weekday(match: re.Match[str], today: date) -> Interval:
    around = next(
        (s.text for s in split_sentences(match.string) if s.start <= match.start() < s.end),
        match.string,
    )
    past = _HAPPENED.search(around)
    return (_past_weekday if past else _coming_weekday)(match, today)


def _last_weekend(_: re.Match[str], today: date) -> Interval:
    saturday = today - timedelta(days=today.weekday() + 2)
    return saturday, saturday + timedelta(days=1)


def _third(match: re.Match[str], today: date) -> Interval:
    """A third of a month, in the year in which that month is nearest."""
    month, part = _MONTHS[match["month"].lower()], match["part"].lower()
    years = (today.year - 1, today.year, today.year + 1)
    year = min(years, key=lambda y: abs((date(y, month, 15) - today).days))
    last = calendar.monthrange(year, month)[1]
    if part.startswith(("early", "begin", "start")):
        return date(year, month, 1), date(year, month, 10)
    if part.startswith("mid"):  # also "middle of"
        return date(year, month, 11), date(year, month, 20)
    return date(year, month, 21), date(year, month, last)


def _day_of_month(shift: int) -> Callable[[re.Match[str], date], Interval]:
    def resolve(match: re.Match[str], today: date) -> Interval:
        return _day(_month(today.year, today.month + shift)[0].replace(day=int(match["day"])))

    return resolve


def _numeric(match: re.Match[str], _: date) -> Interval:
    """``20/11/2026`` and ``11/20/2026``; which is which must be plain from the numbers."""
    a, b, year = int(match["a"]), int(match["b"]), int(match["year"])
    if a <= 12 and b <= 12 and a != b:
        raise ValueError("day and month cannot be told apart")
    return _day(date(year, b, a) if a > 12 else date(year, a, b))


_DAY_NUMBER = r"3[01]|[12]\d|0?[1-9]"
DAY_OF_MONTH = rf"(?P<day>{_DAY_NUMBER})(?:st|nd|rd|th)?"
"""Regex source of a day's number, as the group ``day``."""
_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], Interval]], ...] = (
    (re.compile(r"(?<![\d./-])(?P<a>\d{1,2})[./-](?P<b>\d{1,2})[./-](?P<year>20\d\d)(?![\d./-])"),
     _numeric),
    (re.compile(r"大前天"), lambda _, t: _day(t - timedelta(days=3))),
    (re.compile(r"\bthe day before yesterday\b|前天|前日", _I),
     lambda _, t: _day(t - timedelta(days=2))),
    (re.compile(r"\byesterday\b|\blast night\b|昨[天日晚]", _I),
     lambda _, t: _day(t - timedelta(days=1))),
    (re.compile(r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|今[天日早晚]", _I),
     lambda _, t: _day(t)),
    (re.compile(r"\bthe day after tomorrow\b|后天", _I), lambda _, t: _day(t + timedelta(days=2))),
    (re.compile(r"\btomorrow\b|明[天日]", _I), lambda _, t: _day(t + timedelta(days=1))),
    (re.compile(rf"\b(?:the )?{DAY_OF_MONTH} of last month\b", _I), _day_of_month(-1)),
    (re.compile(r"上个?月(?P<day>3[01]|[12]\d|0?[1-9])[号日]"), _day_of_month(-1)),
    (re.compile(rf"\b(?:the )?{DAY_OF_MONTH} of this month\b", _I), _day_of_month(0)),
    (re.compile(r"(?:本|这个?)月(?P<day>3[01]|[12]\d|0?[1-9])[号日]"), _day_of_month(0)),
    (re.compile(rf"\b(?:last|past) {_WEEKDAY}\b", _I), _past_weekday),
    (re.compile(rf"\b(?:next|coming) {_WEEKDAY}\b", _I), _coming_weekday),
    (re.compile(rf"\bthis {_WEEKDAY}\b", _I), _coming_weekday),
    (re.compile(rf"\b(?:on|since|by|until|before|after) {_WEEKDAY}\b(?! (?-i:[A-Z]))", _I),
     _bare_weekday),
    (re.compile(r"上(?:个)?(?:周|星期|礼拜)(?P<zhday>[一二三四五六日天])"), _weekday_of(-1)),
    (re.compile(r"(?:本|这个?)(?:周|星期|礼拜)(?P<zhday>[一二三四五六日天])"), _weekday_of(0)),
    (re.compile(r"下(?:个)?(?:周|星期|礼拜)(?P<zhday>[一二三四五六日天])"), _weekday_of(1)),
    (re.compile(r"(?<![每上下个])(?:周|星期|礼拜)(?P<zhday>[一二三四五六日天])(?![到至])"),
     _bare_weekday),
    (re.compile(r"\blast weekend\b|上(?:个)?周末", _I), _last_weekend),
    (re.compile(r"\b(?:the )?week before last\b|上上(?:个)?(?:周|星期|礼拜)", _I),
     lambda _, t: _week(t, -2)),
    (re.compile(r"\blast week\b|上(?:个)?(?:周|星期|礼拜)", _I), lambda _, t: _week(t, -1)),
    (re.compile(r"\bthis week\b|本周|这个?(?:周|星期|礼拜)", _I), lambda _, t: _week(t, 0)),
    (re.compile(r"\b(?:the )?month before last\b|上上个?月", _I),
     lambda _, t: _month(t.year, t.month - 2)),
    (re.compile(r"\blast month\b|上个?月", _I), lambda _, t: _month(t.year, t.month - 1)),
    (re.compile(r"\bthis month\b|本月|这个月", _I), lambda _, t: _month(t.year, t.month)),
    (re.compile(r"去年(?P<m>1[0-2]|0?[1-9])月"), lambda m, t: _month(t.year - 1, int(m["m"]))),
    (re.compile(r"今年(?P<m>1[0-2]|0?[1-9])月"), lambda m, t: _month(t.year, int(m["m"]))),
    (re.compile(r"\blast year\b|去年", _I),
     lambda _, t: (date(t.year - 1, 1, 1), date(t.year - 1, 12, 31))),
    (re.compile(r"\bthis year\b|今年", _I),
     lambda _, t: (date(t.year, 1, 1), date(t.year, 12, 31))),
    (re.compile(rf"\b(?P<part>early|mid|late|(?:beginning|start|middle|end) of)[ -]{_MONTH}\b", _I),
     _third),
    (re.compile(r"\ba fortnight ago\b", _I), lambda _, t: _day(t - timedelta(days=14))),
    (re.compile(r"\bhalf a year ago\b|半年(?:之?前)", _I),
     lambda _, t: _month(t.year, t.month - 6)),
    (re.compile(r"半个月(?:之?前)"), lambda _, t: _day(t - timedelta(days=15))),
    (re.compile(rf"\b{_COUNT}\s+(?P<unit>day|week|month|year)s?\s+(?:ago|back)\b", _I), _ago),
    (re.compile(rf"{_ZH_COUNT}(?P<unit>天|日|周|个星期|个礼拜|星期|个月|年)(?:之?前)"), _ago),
)  # fmt: skip


_MAY_HOLD = re.compile(
    r"\b(?:ago|back|yesterday|to(?:day|night|morrow)|last|next|this|past|coming|early|mid|late|"
    rf"of)\b|day\b|(?:{_DAY_NUMBER})[./-]|[周月年天日前星礼]",
    _I,
)
"""Cheaper than the patterns above."""


def relative_dates(text: str, *, today: date) -> Iterator[Placed]:
    """Days ``text`` names by their distance from ``today``, the most telling wording first.

    Nothing for a day that does not exist.
    """
    if not _MAY_HOLD.search(text):
        return
    taken: list[tuple[int, int]] = []
    for pattern, resolve in _PATTERNS:
        for match in pattern.finditer(text):
            if any(match.start() < right and left < match.end() for left, right in taken):
                continue
            try:
                first, last = resolve(match, today)
            except (OverflowError, ValueError):
                continue
            taken.append(match.span())
            yield Placed(*match.span(), ExtractedDate(text=match[0], start=first, end=last))
