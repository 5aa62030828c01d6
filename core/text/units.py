"""Units of measure: how they are written and how they convert."""

from __future__ import annotations

import re
from decimal import Decimal

UNIT_WORDS: dict[str, str] = {
    "second": r"seconds?|secs?",
    "minute": r"minutes?|mins?",
    "hour": r"hours?|hrs?",
    "business_day": r"(?:business|working|work|trading|bank(?:ing)?)[\s-]days?|weekdays?",
    "day": r"(?:calendar[\s-]|consecutive[\s-])?days?|nights?",
    "week": r"weeks?|wks?",
    "fortnight": r"fortnights?",
    "month": r"(?:calendar[\s-])?months?",
    "quarter": r"quarters?",
    "year": r"years?|yrs?",
    "decade": r"decades?",
    "percent": r"%|％|percent(?:age points?)?|per\s?cent",
    "point": r"(?:reward(?:s)?\s|loyalty\s|bonus\s)?points?|pts?",
    "USD": r"(?:us\s|u\.s\.\s)?dollars?|usd|bucks",
    "cent": r"cents?",
    "EUR": r"euros?|eur",
    "GBP": r"pounds? sterling|gbp|quid",
    "CNY": r"yuan|rmb|cny|renminbi",
    "JPY": r"yen|jpy",
    "CAD": r"canadian dollars?|cad",
    "byte:kb": r"kb|kilobytes?",
    "byte:mb": r"mb|megabytes?",
    "byte:gb": r"gb|gigabytes?",
    "byte:tb": r"tb|terabytes?",
    "kg": r"kgs?|kilograms?|kilos?",
    "lb": r"lbs?|pounds?",
    "gram": r"grams?",
    "ounce": r"oz|ounces?",
    "km": r"kms?|kilomet(?:er|re)s?",
    "mile": r"miles?",
    "metre": r"met(?:er|re)s?",
    "cm": r"cms?|centimet(?:er|re)s?",
    "mm": r"mms?|millimet(?:er|re)s?",
    "inch": r"inch(?:es)?",
    "foot": r"feet|foot|ft",
    "x": r"x|×|(?:-|\s)?fold",
}
ZH_UNITS: dict[str, str] = {
    "second": "秒钟?",
    "minute": "分钟",
    "hour": "(?:个)?(?:小时|钟头)",
    "business_day": "(?:个)?(?:工作日|营业日)",
    "day": "(?:个)?(?:自然日|日历日)|天|日(?!元|本)",
    "week": "(?:个)?(?:星期|礼拜)|周(?!年)",
    "month": "个?月(?!份)",
    "year": "年(?!度|级)|周年",
    "percent": "%|％",
    "point": "(?:个)?积分|分(?![钟之])",
    "CNY": "元人民币|元|块钱?|人民币",
    "USD": "美元|美金",
    "EUR": "欧元",
    "GBP": "英镑",
    "JPY": "日元",
    "HKD": "港币|港元",
    "kg": "公斤|千克",
    "km": "公里|千米",
    "metre": "米",
    "x": "倍",
}
PREFIX_MONEY = {
    "us$": "USD", "$": "USD", "usd": "USD", "€": "EUR", "eur": "EUR", "£": "GBP", "gbp": "GBP",
    "¥": "CNY", "￥": "CNY", "rmb": "CNY", "cny": "CNY", "c$": "CAD", "ca$": "CAD", "cad": "CAD",
    "a$": "AUD", "au$": "AUD", "hk$": "HKD", "人民币": "CNY", "₹": "INR",
}  # fmt: skip
CURRENCIES = frozenset(PREFIX_MONEY.values()) | {"JPY"}

_EN = "|".join(f"(?P<u{i}>{p})" for i, p in enumerate(UNIT_WORDS.values()))
UNIT_AFTER = re.compile(rf"(?:[\s\u00a0]?-?[\s\u00a0]?)(?:{_EN})(?![A-Za-z])", re.IGNORECASE)
"""An English unit right after its number."""
_UNIT_NAMES = tuple(UNIT_WORDS)
_ZH = "|".join(f"(?P<z{i}>{p})" for i, p in enumerate(ZH_UNITS.values()))
ZH_UNIT_AFTER = re.compile(rf"\s?(?:{_ZH})")
_ZH_NAMES = tuple(ZH_UNITS)

_DAY = Decimal(86400)
_FACTORS: dict[str, tuple[str, Decimal]] = {
    "second": ("time_span", Decimal(1)),
    "minute": ("time_span", Decimal(60)),
    "hour": ("time_span", Decimal(3600)),
    "day": ("time_span", _DAY),
    "week": ("time_span", 7 * _DAY),
    "fortnight": ("time_span", 14 * _DAY),
    "month": ("months", Decimal(1)),
    "quarter": ("months", Decimal(3)),
    "year": ("months", Decimal(12)),
    "decade": ("months", Decimal(120)),
    "byte:kb": ("bytes", Decimal(1)),
    "byte:mb": ("bytes", Decimal(1000)),
    "byte:gb": ("bytes", Decimal(10**6)),
    "byte:tb": ("bytes", Decimal(10**9)),
    "gram": ("mass", Decimal(1)),
    "kg": ("mass", Decimal(1000)),
    "mm": ("length", Decimal(1)),
    "cm": ("length", Decimal(10)),
    "metre": ("length", Decimal(1000)),
    "km": ("length", Decimal(10**6)),
    "inch": ("feet", Decimal(1)),
    "foot": ("feet", Decimal(12)),
    "ounce": ("pounds", Decimal(1)),
    "lb": ("pounds", Decimal(16)),
}
SECONDS_PER_MONTH = _DAY * Decimal("30.44")


def unit_at(text: str, position: int) -> tuple[str, int] | None:
    """The unit written at ``position`` (right after a number) and where it ends."""
    if match := UNIT_AFTER.match(text, position):
        return _named(match, _UNIT_NAMES), match.end()
    if match := ZH_UNIT_AFTER.match(text, position):
        return _named(match, _ZH_NAMES), match.end()
    return None


def _named(match: re.Match[str], names: tuple[str, ...]) -> str:
    group = match.lastgroup or ""
    return names[int(group[1:])]


def base(unit: str) -> tuple[str, Decimal]:
    """The family a unit belongs to and its factor to the family's base unit."""
    return _FACTORS.get(unit, (unit, Decimal(1)))
