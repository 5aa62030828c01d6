"""Times of day, and spans of time with a half in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from core.text.numerals import parse_number

Found = tuple[Decimal, str, int, int]
"""Value, unit, start, end."""

_CLOCK = re.compile(
    r"(?<![\d:.$])(?P<h>[01]?\d|2[0-4]):(?P<m>[0-5]\d)(?!\d)\s?(?P<ap>(?:[ap]m|"
    r"[ap]\.m\.)(?![a-z]))?"
    r"|(?<![\d:.$-])(?P<h2>1[0-2]|0?[1-9])\s?(?P<ap2>[ap]m|[ap]\.m\.)(?![a-z])"
    r"|(?P<word>\bnoon\b|\bmidnight\b)"
    r"|(?P<zhap>凌晨|早上|上午|中午|下午|傍晚|晚上)?(?<!\d)(?P<h3>[01]?\d|2[0-4])(?:点|"
    r"时)(?:(?P<m3>[0-5]?\d)分|(?P<half>半))?(?!钟头)",
    re.IGNORECASE,
)
_AND_A_HALF = re.compile(
    r"\b(?P<n>an?|one|two|three|four|five|\d+)\s+(?P<u>hours?|days?|weeks?|months?|"
    r"years?)\s+and\s+a\s+half\b"
    r"|\b(?P<n2>\d+|one|two|three|four|five)\s+and\s+a\s+half\s+(?P<u2>hours?|days?|weeks?|"
    r"months?|years?)\b"
    r"|\bhalf\s+(?:an?\s+)(?P<u3>hour|day|month|year)\b",
    re.IGNORECASE,
)
_ZH_HALF = re.compile(
    r"(?P<n>[一二两三四五六七八九十\d]*)个?(?P<u>年|月|小时|天)半|半(?:个)?(?P<u2>年|月|小时|天)"
)
_ZH_UNITS = {"年": "year", "月": "month", "小时": "hour", "天": "day"}


def clock_times(text: str) -> Iterator[Found]:
    for match in _CLOCK.finditer(text):
        minutes = _minutes(match)
        if minutes is not None:
            start = match.start("zhap") if match["zhap"] else match.start()
            yield (Decimal(minutes), "time", start, len(text[: match.end()].rstrip()))


def _minutes(match: re.Match[str]) -> int | None:
    if match["word"]:
        return 720 if match["word"].lower() == "noon" else 0
    hour = int(match["h"] or match["h2"] or match["h3"])
    minute = int(match["m"] or match["m3"] or (30 if match["half"] else 0))
    half = (match["ap"] or match["ap2"] or "").lower()[:1]
    if match["zhap"] in {"下午", "傍晚", "晚上", "中午"} and hour < 12:
        half = "a" if match["zhap"] == "中午" and hour > 9 else "p"
    if half == "p" and hour < 12:
        hour += 12
    elif half == "a" and hour == 12:
        hour = 0
    return (hour % 24) * 60 + minute


def halves(text: str) -> Iterator[Found]:
    half = Decimal("0.5")
    for match in _AND_A_HALF.finditer(text):
        count = match["n"] or match["n2"]
        unit = (match["u"] or match["u2"] or match["u3"]).lower().removesuffix("s")
        whole = Decimal(0) if count is None else _count(count)
        yield (whole + half, unit, *match.span())
    for match in _ZH_HALF.finditer(text):
        unit = _ZH_UNITS[match["u"] or match["u2"]]
        years = _zh_whole(match) or Decimal(0)
        yield (years + half, unit, *match.span())


def _zh_whole(match: re.Match[str]) -> Decimal | None:
    if not match["u"]:
        return None
    return parse_number(match["n"]) if match["n"] else Decimal(1)


def _count(word: str) -> Decimal:
    return parse_number(word) or Decimal(1)
