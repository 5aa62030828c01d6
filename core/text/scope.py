"""What a statement is limited to: holiday sales, express parcels, Canada, gold members.

Two values only disagree when they are said of the same thing. A rule for holiday purchases and one
for all others are both right, so the words that limit a statement are compared before its values.
"""

# ruff: noqa: E501 - word lists and patterns read better unbroken
from __future__ import annotations

import re

from core.text.dates import absolute_dates
from core.text.tokens import stem, words

_LIMITING_WORDS = """
    holiday holidays christmas seasonal season festive gift gifts clearance final outlet
    express expedited overnight two-day next-day same-day priority economy international
    overseas domestic canada canadian uk britain europe european eu germany france mexico
    alaska hawaii japan china australia india usa global regional business enterprise pro
    premium gold silver bronze platinum trial student military senior employee staff vip
    member members nonmember guest seller marketplace third-party partner wholesale bulk
    damaged defective faulty warranty extended subscription subscriber annual yearly monthly
    weekly opened unopened refurbished online in-store instore pickup personalised
    personalized custom customised engraved perishable food electronics electronic phone
    laptop appliance furniture oversized mattress jewellery jewelry cosmetics swimwear
    underwear software digital download ebook prepaid replacement paypal crypto sms email
    phone invite recovery magic signup otp sandbox production beta legacy ios android mobile
    desktop web dart kotlin swift python javascript
"""
_LIMITS = frozenset(stem(word) for word in _LIMITING_WORDS.split())
_SEASONAL = frozenset(
    {stem(word) for word in ("holiday", "christmas", "seasonal", "season", "festive", "period")}
    | {"节日", "节假日", "假日", "圣诞", "春节", "双十一"}
)
_NUMBERED = re.compile(r"\b(?:two|next|same|one|three|[1-9])[- ]day\b", re.I)
_WORKING_TIME = re.compile(r"\bbusiness (?:days?|hours?)\b", re.I)
"""A length of time, not a rule for businesses."""
_SEASON = re.compile(
    r"\b(?:christmas|x-?mas|holiday|festive) (?:gift|present)s?\b|\bx-?mas\b", re.I
)
"""A present for the season is no gift card and no gift wrapping: it is a holiday purchase."""
_LENGTHS = frozenset(("week", "weeks", "month", "months", "year", "years"))
_FINAL_SALE = re.compile(r"\bfinal[- ]sale\b", re.I)
_ZH = re.compile(
    r"节日|节假日|假日|圣诞|春节|双十一|礼品|赠品|清仓|特价|最终销售|加急|次日|两日达|隔日|国际|海外|加拿大|英国|美国|欧洲|"
    r"港澳台|会员|金卡|银卡|企业|学生|员工|损坏|瑕疵|延保|订阅|年付|月付|已拆封|未拆封|定制|生鲜|电子产品|手机|电脑|"
    r"家具|大件|珠宝|化妆品|数字|预付|换货|线上|线下|门店"
)


def scope_words(text: str) -> frozenset[str]:
    """The limits ``text`` names, stemmed; ``period`` when it names a stretch of dates."""
    text = _SEASON.sub(" christmas ", _WORKING_TIME.sub(" ", text))
    # "12 months" is a length of time, "monthly" a kind of plan.
    found = {stem(word) for word in words(text) if word not in _LENGTHS} & _LIMITS
    found |= {match[0].lower().replace(" ", "-") for match in _NUMBERED.finditer(text)}
    found |= set(_ZH.findall(text))
    if _FINAL_SALE.search(text):
        found.add("final-sale")
    dated = [day for day in absolute_dates(text) if day.month is not None]
    if len(dated) >= 2:
        found.add("period")
    return frozenset(found)


def foreign_scope(query: str, statement: str, context: str = "") -> frozenset[str]:
    """Limits of the statement (or of the heading it stands under) that the query did not ask for."""
    asked = scope_words(query)
    foreign = (scope_words(statement) | scope_words(context)) - asked
    return foreign - {"period"} if asked & _SEASONAL else foreign


def for_another_case(query: str, statement: str) -> bool:
    """Whether the query names its case (two-day) and the statement is limited to another one."""
    named, stated = _cases(query), _cases(statement)
    return bool(named and stated) and not named & stated


def _cases(text: str) -> frozenset[str]:
    found = scope_words(text)
    return found - _SEASONAL | ({"period"} if found & _SEASONAL else frozenset())
