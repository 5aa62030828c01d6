"""The sentence that says which version of a document applied on a past date, and its check."""

from __future__ import annotations

import re
from datetime import date, timedelta

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def day_words(day: date, language: str = "en") -> str:
    """``5 December 2024`` or ``2024年12月5日``."""
    if language == "zh":
        return f"{day.year}年{day.month}月{day.day}日"
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def provenance(
    title: str, version: str, valid_from: date | None, valid_to: date | None, language: str
) -> str:
    """Which version applied then, in one sentence. ``valid_to`` is the first day it did not hold.

    Built from the stored version alone, so that validation can build it again and compare.
    """
    title = _named(title)
    last = valid_to - timedelta(days=1) if valid_to else None
    if language == "zh":
        span = _span_zh(valid_from, last)
        return f"当时适用的版本是“{title}”第{version}版{span}。"
    span = _span_en(valid_from, last)
    return f"The version that applied then is “{title}”, version {version}{span}."


def until_words(
    title: str, version: str, valid_from: date | None, valid_to: date, language: str
) -> str:
    """Up to when a version applied, in one sentence. ``valid_to`` is the first day it did not."""
    last = day_words(valid_to - timedelta(days=1), language)
    first = day_words(valid_from, language) if valid_from else ""
    if language == "zh":
        begun = f"（自{first}起）" if first else ""
        return f"至{last}，适用“{_named(title)}”第{version}版{begun}。"
    begun = f" (from {first} on)" if first else ""
    return f"Until {last}, version {version} of “{_named(title)}” applied{begun}."


def since_words(title: str, version: str, valid_from: date, language: str) -> str:
    """Since when a version applies, in one sentence."""
    first = day_words(valid_from, language)
    if language == "zh":
        return f"自{first}起，适用“{_named(title)}”第{version}版。"
    return f"Since {first}, version {version} of “{_named(title)}” applies."


def from_words(title: str, version: str, valid_from: date, language: str) -> str:
    """From when on a version will apply, in one sentence."""
    first = day_words(valid_from, language)
    if language == "zh":
        return f"自{first}起，将适用“{_named(title)}”第{version}版。"
    return f"From {first} on, version {version} of “{_named(title)}” will apply."


def _named(title: str) -> str:
    """A title that neither quotation marks nor a full stop of its own end early."""
    return re.sub(r"[“”\"]", "'", title).rstrip(" .!?。！？")


def _span_en(first: date | None, last: date | None) -> str:
    if first and last:
        return f", valid from {day_words(first, 'en')} to {day_words(last, 'en')}"
    if first:
        return f", valid from {day_words(first, 'en')}"
    return f", valid until {day_words(last, 'en')}" if last else ""


def _span_zh(first: date | None, last: date | None) -> str:
    if first and last:
        return f"，有效期为{day_words(first, 'zh')}至{day_words(last, 'zh')}"
    if first:
        return f"，自{day_words(first, 'zh')}起有效"
    return f"，有效期至{day_words(last, 'zh')}" if last else ""
