"""Rules of the form "N events within M days", held against dated events."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from core.text.quantities import find_quantities

_DAYS = {"day": 1, "business_day": 1, "week": 7, "month": 30, "year": 365}
_WITHIN = re.compile(r"\b(?:within|in (?:any|a|the)|inside|during|over)\b|内", re.IGNORECASE)
_COUNTS: tuple[tuple[int, re.Pattern[str]], ...] = (
    (4, re.compile(r"\bfourth\b|\bfour\b|第四|四次", re.IGNORECASE)),
    (3, re.compile(r"\bthird\b|\bthree\b|第三|三次", re.IGNORECASE)),
    (
        2,
        re.compile(
            r"\b(?:second|two|twice|repeat(?:ed|s)?|another|again|recurr\w+"
            r"|more than (?:one|once))\b"
            r"|第二|两次|再次|重复",
            re.IGNORECASE,
        ),
    ),
)
_EVENT = re.compile(
    r"\b(?:event|incident|violation|breach|complaint|offen[cs]e|non-?compliance|warning|failure|case"
    r"|claim|chargeback|return|strike)s?\b|违规|事件|投诉|警告|违反",
    re.IGNORECASE,
)


class Event(NamedTuple):
    """Something dated on a record, in the record's own words."""

    evidence_id: str
    on: date
    text: str


class WindowRule(NamedTuple):
    """A sentence that says what ``needed`` events within ``days`` calendar days lead to."""

    evidence_id: str
    text: str
    needed: int
    days: int


def window_rules(sentences: Sequence[tuple[str, str]]) -> tuple[WindowRule, ...]:
    """The rules among ``(evidence_id, sentence)`` pairs, in order."""
    rules = (_rule(evidence_id, text) for evidence_id, text in sentences)
    return tuple(rule for rule in rules if rule is not None)


def _rule(evidence_id: str, text: str) -> WindowRule | None:
    spans = [q for q in find_quantities(text) if q.unit in _DAYS]
    count = next((n for n, pattern in _COUNTS if pattern.search(text)), None)
    if not spans or count is None or not _WITHIN.search(text) or not _EVENT.search(text):
        return None
    return WindowRule(evidence_id, text, count, int(spans[0].value) * _DAYS[spans[0].unit])


def densest(events: Sequence[Event], days: int) -> tuple[Event, ...]:
    """The most events within any ``days`` days of the first of them; the latest such run."""
    ordered = sorted(events, key=lambda e: e.on)
    runs = [
        tuple(e for e in ordered[i:] if (e.on - first.on).days <= days)
        for i, first in enumerate(ordered)
    ]
    return max(runs, key=lambda run: (len(run), run[0].on), default=())
