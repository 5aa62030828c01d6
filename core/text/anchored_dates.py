"""Days named by their distance from something that happened: "the day after it arrived"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from core.models.request import ExtractedDate
from core.text.dates import find_dates
from core.text.sentences import split_sentences

_I = re.IGNORECASE
_HAPPENINGS: tuple[tuple[str, str], ...] = (
    ("delivered",
     r"arrived|arrival|delivered|delivery|received|came|got (?:it|them)|签收|收到|到货|送达"),
    ("placed", r"ordered|bought|purchased?|purchase|placed|paid|下单|购买|买|付款"),
    ("returned", r"returned|sent (?:it|them) back|handed it in|寄回|退回"),
)  # fmt: skip
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "delivered": ("delivered_on", "delivered", "delivery_date", "arrived_on", "received_on"),
    "placed": ("placed_on", "ordered_on", "order_date", "purchased_on", "bought_on"),
    "returned": ("returned_on", "return_received_on", "sent_back_on"),
}
_NUMBERS = {"the": 1, "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
            "seven": 7, "eight": 8, "nine": 9, "ten": 10}  # fmt: skip
_ZH_NUMBERS = {"一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "十": 10}
_ONLY_MEANT = re.compile(
    r"\b(?:should|will|would|supposed|expected|promised|not|never|yet|\w+n['’]t)\b|没|应该|预计|未",
    _I,
)
"""What did not happen, or not yet, dates nothing."""
_WHAT = r"(?:\w+ ){0,3}?"
_DISTANCE = re.compile(
    rf"\b(?:(?P<n>\d{{1,2}}|{'|'.join(_NUMBERS)}) )?(?P<unit>day|week)s? "
    rf"(?P<way>after|before) {_WHAT}"
    rf"(?P<what>{'|'.join(words for _, words in _HAPPENINGS)})(?!\w)",
    _I,
)
_SAME_DAY = re.compile(
    rf"\bthe (?:same |very )?day (?:that |when )?{_WHAT}"
    rf"(?P<what>{'|'.join(words for _, words in _HAPPENINGS)})(?!\w)",
    _I,
)
_ZH_DISTANCE = re.compile(
    rf"(?P<what>{'|'.join(w for _, w in _HAPPENINGS)})(?:之)?后(?:的)?"
    r"(?:第(?P<nth>[一二三四五六七十]|\d{1,2})天|(?P<n>[一两二三四五六七十]|\d{1,2})(?P<unit>天|周|个星期))"
)


def anchors_in(texts: Sequence[tuple[str, date]]) -> dict[str, date]:
    """The days on which something arrived, was bought or sent back, as texts say (oldest first,
    each with the day it was written). Only a single day counts."""
    found: dict[str, date] = {}
    for text, written in texts:
        for sentence in split_sentences(text):
            days = [d for d in find_dates(sentence.text, today=written) if d.start == d.end]
            kind = _kind_in(sentence.text)
            if kind and len(days) == 1 and not _ONLY_MEANT.search(sentence.text):
                found[kind] = days[0].start
    return found


def anchors_of(fields: Mapping[str, str]) -> dict[str, date]:
    """The same days from the fields of a case or a record ("delivered_on": "2026-11-20")."""
    found: dict[str, date] = {}
    for kind, names in _FIELDS.items():
        for name in names:
            try:
                found.setdefault(kind, date.fromisoformat(fields.get(name, "")[:10]))
            except ValueError:
                continue
    return found


def anchored_dates(text: str, anchors: Mapping[str, date]) -> tuple[ExtractedDate, ...]:
    """Days of ``text`` counted from one of ``anchors``; nothing where that day is not known."""
    if not anchors:
        return ()
    found: list[ExtractedDate] = []
    taken: list[tuple[int, int]] = []
    for pattern in (_DISTANCE, _ZH_DISTANCE, _SAME_DAY):
        for match in pattern.finditer(text):
            start = anchors.get(_kind_in(match["what"]) or "")
            if start is None or any(match.start() < r and lft < match.end() for lft, r in taken):
                continue
            taken.append(match.span())
            day = start + timedelta(days=_shift(match))
            found.append(ExtractedDate(text=match[0], start=day, end=day))
    return tuple(found)


def _kind_in(text: str) -> str | None:
    for kind, words in _HAPPENINGS:
        if re.search(rf"(?<!\w)(?:{words})", text, _I):
            return kind
    return None


def _shift(match: re.Match[str]) -> int:
    """Days from the anchor, negative before it."""
    groups = match.groupdict()
    if groups.get("nth"):
        return _count(groups["nth"]) - 1
    if not groups.get("unit"):
        return 0
    days = _count(groups["n"]) * (1 if groups["unit"].lower() in ("day", "天") else 7)
    return -days if (groups.get("way") or "").lower() == "before" else days


def _count(text: str | None) -> int:
    text = (text or "the").lower()
    return int(text) if text.isdigit() else _NUMBERS.get(text, _ZH_NUMBERS.get(text, 1))
