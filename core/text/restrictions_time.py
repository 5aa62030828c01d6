"""Time limits of rules, and how much time has passed by the customer's words or the record."""

# ruff: noqa: E501 - patterns read better unbroken
from __future__ import annotations

import re
from datetime import date
from math import inf
from typing import Literal, NamedTuple

from core.text.dates import absolute_dates, find_dates
from core.text.quantities import Quantity, find_quantities

_I = re.IGNORECASE
_HOURS = {
    "second": 1 / 3600,
    "minute": 1 / 60,
    "hour": 1.0,
    "day": 24.0,
    "business_day": 33.6,
    "week": 168.0,
    "month": 730.0,
    "year": 8766.0,
}
_AT_LEAST = re.compile(
    r"\b(?:at least|for at least|after|more than|longer than|over|minimum|older than)\s*(?:the first\s*)?$|至少|以上|超过|后",
    _I,
)
_TO_COME = re.compile(
    r"\bbefore\b|\bof (?:the )?(?:arrival|departure|start|check-?in)\b|\bprior\b|\bnotice\b|前", _I
)
_EVENT = re.compile(r"\b(?:deliver\w*|receiv\w*|arriv\w*)\b|收到|签收", _I)
_AGO = re.compile(
    r"^\s*(?:ago|earlier|after (?:the )?(?:booking|purchase|purchasing|buying|ordering|delivery|signing|i)|later|since|already|前|后)\b",
    _I,
)
_BEHIND = re.compile(r"\b(?:for|of|in the last|past|has been)\s*$", _I)
_MORE = re.compile(r"\b(?:more than|over|at least|longer than)\s*$|超过", _I)
_LESS = re.compile(r"\b(?:less than|under|within|not even|only|just)\s*$|不到", _I)
_JUST_NOW = re.compile(
    r"\b(?:just (?:now|booked|ordered|placed|bought|sent)|this morning|today|a (?:moment|few minutes) ago)\b|刚刚|今天",
    _I,
)
_YESTERDAY = re.compile(r"\byesterday\b|昨天", _I)
_LAST_WEEK = re.compile(r"\blast week\b|上周", _I)
_LAST_MONTH = re.compile(r"\blast month\b|上个?月", _I)
_LAST_YEAR = re.compile(r"\blast year\b|去年", _I)
_DELIVERED = re.compile(r"\bdelivered on (?P<day>[^.]+)\.", _I)
_PLACED = re.compile(r"\b(?:placed|purchased|bought|booked) on (?P<day>\d+ \w+ \d{4})", _I)
_WORDS: tuple[tuple[re.Pattern[str], tuple[float, float]], ...] = (
    (_JUST_NOW, (0.0, 20.0)),
    (_YESTERDAY, (8.0, 47.0)),
    (_LAST_WEEK, (48.0, 336.0)),
    (_LAST_MONTH, (300.0, 1488.0)),
    (_LAST_YEAR, (2000.0, 17532.0)),
)


class TimeLimit(NamedTuple):
    """``hours`` at most or at least, counted from ``event``."""

    hours: float
    kind: Literal["at_most", "at_least"]
    event: Literal["start", "delivery"]

    def state(self, low: float, high: float) -> Literal["met", "failed", "open"]:
        """Whether between ``low`` and ``high`` hours keep the limit."""
        if self.kind == "at_most":
            if high <= self.hours:
                return "met"
            return "failed" if low >= self.hours else "open"
        if low >= self.hours:
            return "met"
        return "failed" if high < self.hours else "open"


def time_limit(condition: str) -> TimeLimit | None:
    """The time limit that ``condition`` sets on what lies behind; ``None`` without one.

    How long is left before something that is still to come is not looked at here.
    """
    spans = [q for q in find_quantities(condition) if q.unit in _HOURS]
    if len(spans) != 1:
        return None
    q = spans[0]
    if _TO_COME.search(condition[q.end :]) or re.search(r"\bbefore\b", condition[: q.start], _I):
        return None
    least = bool(_AT_LEAST.search(condition[: q.start])) or condition[q.end :].startswith("以上")
    event: Literal["start", "delivery"] = "delivery" if _EVENT.search(condition) else "start"
    return TimeLimit(_hours(q), "at_least" if least else "at_most", event)


def elapsed(
    limit: TimeLimit, said: str, records: str, today: date | None
) -> tuple[float, float] | None:
    """Hours passed since the limit's event, as the least and the most they can be."""
    recorded = _recorded(limit, records, today)
    if recorded is not None:
        return recorded
    for q in find_quantities(said):
        if q.unit in _HOURS and (span := _said(q, said)):
            return span
    for words, span in _WORDS:
        if words.search(said):
            return span
    return _dated(said, today)


def _said(q: Quantity, said: str) -> tuple[float, float] | None:
    before, after = said[: q.start], said[q.end :]
    if not (_AGO.match(after) or _BEHIND.search(before)):
        return None
    hours = _hours(q)
    if _MORE.search(before):
        return hours, inf
    return (0.0, hours) if _LESS.search(before) else (hours, hours)


def _recorded(limit: TimeLimit, records: str, today: date | None) -> tuple[float, float] | None:
    if today is None:
        return None
    pattern = _DELIVERED if limit.event == "delivery" else _PLACED
    found = pattern.search(records)
    named = absolute_dates(found["day"])[:1] if found else ()
    for day in named:
        if day.year and day.month and day.day:
            return _since(date(day.year, day.month, day.day), today)
    return None


def _dated(said: str, today: date | None) -> tuple[float, float] | None:
    if today is None:
        return None
    past = [d for d in find_dates(said, today=today) if d.end < today]
    if len(past) != 1:
        return None
    low, high = _since(past[0].end, today), _since(past[0].start, today)
    return low[0], high[1]


def _since(day: date, today: date) -> tuple[float, float]:
    days = (today - day).days
    return max(0.0, (days - 1) * 24.0), days * 24.0


def _hours(q: Quantity) -> float:
    return float(q.value) * _HOURS[q.unit]
