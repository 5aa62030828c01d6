"""Whether two clauses speak of different cases of one kind: Gold and Silver, Canada and the UK."""

from __future__ import annotations

import re
from functools import lru_cache

from core.text.dates import absolute_dates
from core.text.identifiers import find_identifiers
from core.text.names import find_names

_GROUPS = tuple(
    tuple(group.split("/"))
    for group in (
        "standard/express/two-day/next-day/same-day/overnight/priority/economy/expedited",
        "gold/silver/bronze/platinum/basic/premium/pro/enterprise",
        "domestic/international",
        "online/in-store/in store",
        "monthly/annual/annually/yearly/weekly/daily/quarterly",
        "weekday/weekdays/weekend/weekends/saturday/saturdays/sunday/sundays",
        "unopened/opened",
        "used/refurbished",
        "regular/final sale/clearance",
        "personal/business",
        "adult/adults/child/children",
        "first/second/third/fourth",
        "gift card/gift cards/reward points/rewards points",
        "access token/access tokens/refresh token/refresh tokens",
        "标准/次日/加急/两日",
        "金卡/银卡/普通会员",
        "国内/国际/加拿大/英国/美国",
    )
)
_PATTERNS = tuple(
    tuple(
        (
            term,
            re.compile(re.escape(term) if not term.isascii() else rf"\b{re.escape(term)}\b", re.I),
        )
        for term in group
    )
    for group in _GROUPS
)


def contrasted(a: str, b: str) -> bool:
    """Whether ``a`` and ``b`` name different members of one group, records or places.

    A text that names a member the other names too is about it, whatever else it names.
    """
    if any(x and y and not x & y for x, y in zip(_members(a), _members(b), strict=True)):
        return True
    mine, theirs = _records(a), _records(b)
    if mine and not mine & theirs:
        return True
    names, others = set(find_names(a)), set(find_names(b))
    return bool(names) and bool(others) and not _shares(names, others)


def narrower(text: str, than: str) -> bool:
    """Whether ``text`` is about a special case that ``than`` does not name: a member of a group,
    or a stretch of calendar days."""
    special = any(x and not y for x, y in zip(_members(text), _members(than), strict=True))
    return special or (_season(text) and not _season(than))


_HOLIDAY = re.compile(
    r"\b(?:holidays?|christmas|seasonal?|festive)\b|节日|节假日|圣诞", re.IGNORECASE
)


def _season(text: str) -> bool:
    return len(absolute_dates(text)) >= 2 or bool(_HOLIDAY.search(text))


@lru_cache(maxsize=4096)
def _members(text: str) -> tuple[frozenset[str], ...]:
    return tuple(
        frozenset(term.rstrip("s") for term, pattern in group if pattern.search(text))
        for group in _PATTERNS
    )


def _records(text: str) -> frozenset[str]:
    return frozenset(i.value for i in find_identifiers(text) if i.kind != "email")


def _shares(names: set[str], others: set[str]) -> bool:
    left = {w for name in names for w in name.casefold().split()}
    right = {w for name in others for w in name.casefold().split()}
    return bool(left & right)
