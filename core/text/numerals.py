"""Numbers written in digits or words, English and Chinese, read as decimals."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
SCALES = {"thousand": 1000, "k": 1000, "million": 10**6, "mn": 10**6, "m": 10**6,
          "billion": 10**9, "bn": 10**9, "b": 10**9, "trillion": 10**12}  # fmt: skip
_UNITS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60,
         "seventy": 70, "eighty": 80, "ninety": 90}  # fmt: skip
_ONE_WORD = "|".join([*_TENS, *sorted(_UNITS, key=len, reverse=True)])
_BIG = "hundred|thousand|million|billion|trillion"
WORDS = (
    rf"(?:(?:{_ONE_WORD})(?:[\s-](?:{_ONE_WORD}|{_BIG})|\s+and\s+(?:{_ONE_WORD}))*"
    rf"(?:\s+(?:{_BIG}))*|(?:an?\s+)?(?:half\s+(?:a\s+)?)?dozen|a\s+(?:hundred|thousand|million|"
    rf"couple(?:\s+of)?))"
)
CHINESE = r"[〇零一二两三四五六七八九十百千万亿半]+"
_SCALE = r"(?:\s?(?:thousand|million|billion|trillion|[km]n?(?![a-z])|bn(?![a-z]))|[万亿千百])?"
NUMBER = rf"(?:{DIGITS}{_SCALE}|{WORDS}|{CHINESE})"
"""Regex source (case-insensitive) of one number."""

_ZH_DIGIT = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_ZH_SMALL = {"十": 10, "百": 100, "千": 1000}
_ZH_BIG = {"万": 10**4, "亿": 10**8}
_DIGIT_SCALE = re.compile(
    rf"({DIGITS})\s?(thousand|million|billion|trillion|k|mn|m|bn|b|[万亿千百])?$", re.IGNORECASE
)


def parse_number(text: str) -> Decimal | None:
    """The value of a number written in digits or words; ``None`` when it is none."""
    raw = " ".join(text.strip().lower().split())
    if match := _DIGIT_SCALE.match(raw):
        return _digits(match[1], match[2])
    if re.fullmatch(CHINESE, raw):
        return _chinese(raw)
    return _english(raw)


def _digits(number: str, scale: str | None) -> Decimal | None:
    try:
        value = Decimal(number.replace(",", ""))
    except InvalidOperation:
        return None
    factor = SCALES.get(scale or "") or _ZH_BIG.get(scale or "") or _ZH_SMALL.get(scale or "") or 1
    return value * factor


_PHRASES = {"dozen": 12, "a dozen": 12, "half a dozen": 6, "a half dozen": 6, "half dozen": 6,
            "a couple": 2, "a couple of": 2, "a hundred": 100, "a thousand": 1000,
            "a million": 10**6}  # fmt: skip


def _english(raw: str) -> Decimal | None:
    if raw in _PHRASES:
        return Decimal(_PHRASES[raw])
    total, current, seen = 0, 0, False
    for word in re.split(r"[\s-]+", raw):
        if word == "and":
            continue
        if word in _UNITS or word in _TENS:
            current += _UNITS.get(word, 0) + _TENS.get(word, 0)
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word in SCALES:
            total, current = total + max(current, 1) * SCALES[word], 0
        else:
            return None
        seen = True
    return Decimal(total + current) if seen else None


def _chinese(raw: str) -> Decimal | None:
    if raw == "半":
        return Decimal("0.5")
    if "半" in raw:
        return None
    if not any(c in _ZH_SMALL or c in _ZH_BIG for c in raw):
        return Decimal("".join(str(_ZH_DIGIT[c]) for c in raw))
    total, section, digit = 0, 0, 0
    for ch in raw:
        if ch in _ZH_DIGIT:
            digit = _ZH_DIGIT[ch]
        elif ch in _ZH_SMALL:
            section, digit = section + max(digit, 1) * _ZH_SMALL[ch], 0
        else:
            total, section, digit = (total + max(section + digit, 1)) * _ZH_BIG[ch], 0, 0
    return Decimal(total + section + digit)
