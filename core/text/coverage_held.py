"""Whether a sentence holds the kind of thing a question needs: a colour, a number of members."""

# ruff: noqa: E501 - word lists and patterns read better unbroken
from __future__ import annotations

import re
from collections.abc import Callable

from core.text.answer_type import holds
from core.text.coverage_need import Need, NeedKind
from core.text.dates import absolute_dates
from core.text.quantities import find_quantities
from core.text.tokens import content_words, stem

_I = re.IGNORECASE
_COLOUR = re.compile(
    r"\b(?:red|orange|yellow|green|blue|purple|violet|pink|brown|black|white|gr[ae]y|silver|gold(?:en)?(?! (?:member|tier|card|status|level))|"
    r"beige|navy|turquoise|teal|cream|ivory|bronze(?! (?:member|tier))|crimson|scarlet|maroon|colou?rless|transparent|multi-?colou?red)\b|"
    r"[红橙黄绿蓝紫粉棕黑白灰银]色|彩色|透明", _I,
)  # fmt: skip
_MATERIAL = re.compile(
    r"\bmade (?:of|from|out of|with)\b|\b(?:cotton|wool(?:len)?|leather|suede|silk|linen|polyester|nylon|plastic|paper|cardboard|metal|"
    r"(?:stainless )?steel|iron(?! out)|aluminium|aluminum|copper|brass|glass|wood(?:en)?|ceramic|porcelain|rubber|latex|silicone|"
    r"stone|marble|concrete|clay|bamboo|cashmere|down|fleece|denim|velvet|carbon fibre|gold|silver)\b|"
    r"由.{1,8}制成|棉|羊毛|皮革|塑料|纸质|金属|不锈钢|玻璃|木", _I,
)  # fmt: skip
_LOOKS = re.compile(
    r"\b(?:looks?|shaped?|round|square|striped|pattern(?:ed)?|printed|design(?:ed)?|picture|logo|bright|dark|shiny|tall|thin|thick)\b|外观|图案|形状",
    _I,
)
_FREQUENT = re.compile(
    r"\b(?:every|each|once|twice|daily|weekly|monthly|yearly|annual(?:ly)?|quarterly|hourly|per|a (?:day|week|month|year)|always|never|"
    r"regularly|frequently|rarely|often|usually|times)\b|每(?:天|日|周|月|年|次|个)|[一二两三四五\d]次|经常|从不",
    _I,
)
_SHARE = re.compile(
    r"%|％|\bper ?cent\b|\bpercentage\b|\b(?:half|third|quarter|majority|most|all|none|(?:one|two|\d+) (?:in|out of) \w+)\b|百分之|一半|大多数",
    _I,
)
_PHONE = re.compile(
    r"(?<![\d$€£.])(?:\+?\d{1,3}[\s./-]?)?(?:\(\d{2,4}\)|\d{2,4})[\s./-]\d{3,4}(?:[\s./-]?\d{2,4})+\b"
)
_FAX = re.compile(r"\bfax\b|传真", _I)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")
_ADDRESS = re.compile(
    r"\b\d{1,5}[A-Za-z]? (?:[A-Z][\w'’-]*\.? ){1,4}(?:street|st|road|rd|avenue|ave|lane|drive|boulevard|blvd|square|way|court|place)\b|"
    r"\bp\.? ?o\.? box \d+|\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b|\b[A-Z]{2} \d{5}\b|https?://|\bwww\.|[\w.+-]+@[\w-]+\.\w+|"
    r"[路街道巷]\d+号|省.{1,8}市", _I,
)  # fmt: skip
_VOLUME = re.compile(
    r"\d\s?(?:l|ml|cl|litres?|liters?|millilit\w+|gallons?|pints?|cups?|升|毫升)\b", _I
)
_POWER = re.compile(r"\d\s?(?:k?w|watts?|kilowatts?|volts?|v|amps?|瓦|伏)\b", _I)
_SIZES = re.compile(
    r"\b(?:XXS|XS|S|M|L|XL|XXL|A[3-6]|small|medium|large)\b|\d\s?(?:x|×|by)\s?\d|尺码"
)
_WHEN = re.compile(
    r"\b(?:when|once|as soon as|after|before|until|by|during|upon|on|while|whenever|immediately|at once|never|always|ever|the same|first|last|"
    r"later|earlier|now|today|already|any ?time|at any)\b|之后|以后|之前|以前|时|后|前|起|至|永久|随时",
    _I,
)
_PLACE = re.compile(
    r"\b(?i:in|at|on|near|from|to|under|via|into|outside|inside|behind|beside)\s+"
    r"(?:(?:the|a|an|any|every|our|your|its|their|this|that|each|most|all)\s+)?[“\"'‘]?"
    r"(?!\d|(?:which|that|it|them|this|order|addition|case|time|general|particular|full|advance|least|most|once|all|request|following|same|"
    r"next|business|days?|weeks?|months?|years?|date|morning|evening|be|have|do|get|use|make|the|one|two|three)\b)"
    r"(?P<spot>[A-Za-z][\w'’-]*(?: [A-Z][\w'’-]*)*)|(?P<site>https?://\S+)|(?P<zh>(?:在|位于|坐落)[\u4e00-\u9fff]{1,12}|[省市县区州国店](?=[，。、的]|$))",
)  # fmt: skip
_MUCH = re.compile(
    r"\b(?:free|full(?:y)?|entire(?:ly)?|all|nothing|none|most|half|double|twice|more|less|little|enough)\b|免费|全额|全部|一半", _I
)  # fmt: skip
_MASS = ("kg", "lb", "gram", "ounce")
_LENGTHS = ("km", "mile", "metre", "cm", "mm", "inch", "foot")
_AFTER = 5
"""Words behind a number among which what it counts must stand."""
_CUT = re.compile(
    r"[.;:!?，。；()|]|\s[-–—]\s|,(?!\d)|\b(?:in|on|at|for|when|which|that|if|after|before|until|from|"
    r"within|by|and|or|is|are|was|were|has|have|had|will|can|may|must|to)\b", _I
)  # fmt: skip
_LABEL = re.compile(r"[\w'’ -]{2,40}(?:[:：|=]|\b(?:is|are|was|were|of|为|是))[\s|]*$", _I)
_NUMERAL = re.compile(
    r"(?<![:\d])\b(?:\d[\d,.]*(?!:\d)|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|twenty|thirty|forty|fifty|hundreds?|"
    r"thousands?|millions?|billions?|several|no|single|both|twice|once)\b|[一二两三四五六七八九十百千万\d]+(?=[个名位家件人张种次])",
    _I,
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*|[\u4e00-\u9fff]")


def holds_need(need: Need, sentence: str) -> bool:
    """Whether ``sentence`` holds something of the needed kind, whatever it says of it."""
    test = _TESTS.get(need.kind)
    return test is None or test(need, sentence)


def has_shape(need: Need) -> bool:
    """Whether an answer of this kind can be told by its shape."""
    return need.kind in _TESTS


def _units(sentence: str) -> frozenset[str]:
    return frozenset(q.unit for q in find_quantities(sentence))


def _of(*names: str) -> Callable[[Need, str], bool]:
    wanted = frozenset(names)
    return lambda _need, sentence: bool(wanted & _units(sentence))


def _like(pattern: re.Pattern[str]) -> Callable[[Need, str], bool]:
    return lambda _need, sentence: bool(pattern.search(sentence))


def _counts(need: Need, sentence: str) -> bool:
    """A number stands before what is counted ("3 photos") or behind its name ("photos: 3")."""
    head = _head(need)
    if not head:
        return bool(_NUMERAL.search(sentence))
    for match in _NUMERAL.finditer(sentence):
        behind = _CUT.split(sentence[match.end() :])[0]
        named = _LABEL.search(sentence[: match.start()])
        near = [*_WORD.findall(behind)[:_AFTER], *(_WORD.findall(named[0]) if named else ())]
        if head & {stem(w.lower()) for w in near}:
            return True
    return False


def _head(need: Need) -> frozenset[str]:
    """Stems of what is counted: of "members" in "gold members", "sign-ins" in "sign-ins lock"."""
    counted = need.counted.split()
    plural = [w for w in counted if w.endswith("s") and not w.endswith("ss")] or counted
    return frozenset(content_words(plural[-1])) if plural else need.focus


def _dated(_need: Need, sentence: str) -> bool:
    return bool(absolute_dates(sentence)) or (
        holds("date", sentence) and not _only_length(sentence)
    )


def _only_length(sentence: str) -> bool:
    return not absolute_dates(sentence) and not re.search(
        r"(?<![\d.,$€£])(?:1[0-9]|20)\d\d(?![\d.,]\d)|century|\d\s*[年月]|世纪", sentence, _I
    )


def _phoned(need: Need, sentence: str) -> bool:
    if _FAX.search(need.asking) and not _FAX.search(sentence):
        return False
    return bool(_PHONE.search(sentence))


def _placed(need: Need, sentence: str) -> bool:
    """A place that is not the thing asked about: "leaves the warehouse" does not say where it is."""
    for match in _PLACE.finditer(sentence):
        spot = match["spot"]
        if spot is None or not frozenset(content_words(spot)) <= need.asked:
            return True
    return False


def _much(_need: Need, sentence: str) -> bool:
    return bool(_MUCH.search(sentence)) or holds("number", sentence) or holds("money", sentence)


def _timed(_need: Need, sentence: str) -> bool:
    return holds("date", sentence) or bool(_WHEN.search(sentence))


def _long(_need: Need, sentence: str) -> bool:
    return holds("duration", sentence) or holds("date", sentence) or bool(_WHEN.search(sentence))


def _sized(_need: Need, sentence: str) -> bool:
    return bool(_SIZES.search(sentence)) or bool(frozenset(_LENGTHS) & _units(sentence))


_TESTS: dict[NeedKind, Callable[[Need, str], bool]] = {
    "colour": _like(_COLOUR),
    "material": _like(_MATERIAL),
    "appearance": lambda n, s: any(p.search(s) for p in (_LOOKS, _COLOUR, _MATERIAL)),
    "weight": _of(*_MASS),
    "size": _sized,
    "volume": _like(_VOLUME),
    "power": _like(_POWER),
    "share": _like(_SHARE),
    "frequency": _like(_FREQUENT),
    "count": _counts,
    "amount": _much,
    "money": lambda _n, s: holds("money", s),
    "duration": _long,
    "moment": _timed,
    "year": _dated,
    "phone": _phoned,
    "email": _like(_EMAIL),
    "address": _like(_ADDRESS),
    "place": _placed,
}
"""Kinds that are not here need no shape of their own: the words of the question must do."""
