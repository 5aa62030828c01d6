"""What a question needs before it counts as answered: a colour, a number of members, a place.

A sentence that only names the thing asked about answers nothing. The kind of answer is read off the
question's own form; where the form says nothing, the words of the question must do.
"""

# ruff: noqa: E501 - patterns read better unbroken
from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from core.text.tokens import content_words

NeedKind = Literal[
    "colour",
    "material",
    "appearance",
    "weight",
    "size",
    "volume",
    "power",
    "share",
    "frequency",
    "count",
    "amount",
    "money",
    "duration",
    "moment",
    "year",
    "phone",
    "email",
    "address",
    "person",
    "place",
    "reason",
    "manner",
    "named",
    "whether",
    "open",
]


class Need(NamedTuple):
    """The kind of answer, the words that ask for it, and what is counted or to be named.

    ``focus`` are stems: of "members" in "how many members", of "courier company" in "which courier
    company". ``asking`` is the piece of the question that says so; ``asked`` are the stems of all
    of it, ``doing`` that of what somebody did ("who founded"), ``counted``
    the words of ``focus`` as they are spelled.
    """

    kind: NeedKind
    focus: frozenset[str] = frozenset()
    asking: str = ""
    asked: frozenset[str] = frozenset()
    doing: str = ""
    counted: str = ""

    @property
    def words(self) -> str:
        """The kind in words, to follow "no sentence states"."""
        return _WORDS[self.kind]


_WORDS: dict[NeedKind, str] = {
    "colour": "a colour",
    "material": "a material",
    "appearance": "what it looks like",
    "weight": "a weight",
    "size": "a size",
    "volume": "a volume",
    "power": "a power or voltage",
    "share": "a share",
    "frequency": "how often",
    "count": "how many",
    "amount": "how much",
    "money": "an amount of money",
    "duration": "a length of time",
    "moment": "a time",
    "year": "a date",
    "phone": "a phone number",
    "email": "an e-mail address",
    "address": "an address",
    "person": "a person or body",
    "place": "a place",
    "reason": "a reason",
    "manner": "the way",
    "named": "which one",
    "whether": "whether it is so",
    "open": "it",
}
_I = re.IGNORECASE
_TIME = r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|nights?)"
_STOPS = r"(?=\s+(?:is|are|was|were|be|do|does|did|can|could|may|might|must|shall|should|will|would|has|have|had|in|on|at|of|off|per|for|from|to|with|within|by|after|before|that|which|who|when|if|there|i|you|we|they|it|a|an|the|my|your|our)\b|\W*$|\s*[?,;.])"
_NOUN = rf"(?P<focus>(?:[\w'’-]+\s+){{0,3}}?[\w'’-]+){_STOPS}"
_FORMS: tuple[tuple[NeedKind, str], ...] = (
    ("phone", r"\b(?:phone|telephone|mobile|fax|hotline)(?: line)?(?:'s)? numbers?\b|\bphone numbers?\b|\bnumber (?:can|do|should|must) i (?:call|ring|dial)\b|电话号码|电话是多少|传真号?|热线"),
    ("email", r"\be-?mail address(?:es)?\b|邮箱|电子邮件地址"),
    ("address", r"\b(?:postal|street|mailing|office|visiting) address(?:es)?\b|\bwhat(?:'s| is| are)? (?:the |your )?address(?:es)?\b|\baddress(?:es)? of\b|(?:的|什么)地址|地址(?:是|在)"),
    ("colour", r"\b(?:what|which|in which|in what) colou?rs?\b|\bcolou?rs? (?:is|are|does|do|come)\b|\bdifferent colou?rs\b|什么颜色|哪些颜色|颜色是"),
    ("material", r"\b(?:what|which) (?:kind of |sort of )?(?:materials?|fabrics?)\b(?=.*\bmade\b|.*\b(?:is|are)\b)|\bmade (?:of|from|out of)\b|什么材料做|什么材质|材质"),
    ("appearance", r"\blooks? like\b|\bappearance of\b|什么样子|长什么样|外观"),
    ("weight", r"\bhow (?:heavy|light)\b|\bhow much (?:does|do|did|can|may|will) .*\bweigh(?:s|ed)?\b|\b(?:what|which)\b[^?]*\bweight\b|多重|重量|多少(?:公斤|克|斤|千克)"),
    ("volume", r"\bhow many (?:litres?|liters?|gallons?|millilitres?|cups)\b|\b(?:what|which)(?:'s| is)? (?:the )?(?:\w+ )?volume\b|容量|多少(?:升|毫升)"),
    ("power", r"\b(?:what|which|how many) (?:\w+ )?(?:wattage|voltage|watts?|volts?|amps?|power consumption)\b|\bwattage\b|\bvoltage\b|功率|电压|多少瓦"),
    ("size", r"\bhow (?:tall|wide|deep|thick)\b|\b(?:what|which)(?:'s| is| are)? (?:the )?(?:dimensions?|height|width|length|thickness)\b|\bwhat size (?:is|are)\b|多高|多宽|尺寸"),
    ("frequency", r"\bhow (?:often|frequently|regularly)\b|\bhow many times (?:a|an|per|each|every)\b|多久一次|多频繁|几次"),
    ("share", r"\b(?:what|which) (?:percentage|percent|share|proportion|fraction|ratio)\b|\bhow (?:large|big|high) (?:a|is the) (?:share|proportion|percentage)\b|百分之几|百分比|比例"),
    ("duration", rf"\bhow (?:long|soon|quickly|fast|late)\b|\bhow many (?:\w+ )?{_TIME}\b|多久|多长|几(?:天|个?月|年|小时|周)|多少(?:天|个?月|年|小时|分钟)"),
    ("year", r"\b(?:what|which) (?:year|date|day|month|century|decade)\b|哪一?年|哪天|几月|几号|日期"),
    ("moment", r"^(?:(?:and|so|but|on|from|since|by|until|exactly|also)\W+){0,3}?when\b(?! (?:i|you|we|my|your)\b)|\b(?:until|till|by|since) when\b|\b(?:what|which) times?\b|\bwhen (?:is|are|was|were|do|does|did|will|can|must|should)\b|什么时候|何时|什么时间"),
    ("money", r"\bhow much (?:does|do|did|is|are|was|were|will|would|it|money)\b(?=.*\b(?:cost|pay|charge|price|fee|worth|shipping|delivery)s?\b)|\b(?:what|which)(?:'s| is| are| was| were)? (?:the |your )?(?:\w+ ){0,3}(?:prices?|costs?|fees?|charges?|surcharges?|salary|wages?)\b(?! (?:policy|match))|\bwhat (?:does|do|did|will|would) .*\bcosts?\b|\b(?:what|which) (?:[\w-]+ ){0,3}(?:amounts?|sums?)\b|\bhow expensive\b|多少钱|价格|几块钱|多少(?:美?元|英镑|欧元)|费用?是多少|费多少"),
    ("count", rf"\b(?:how many(?: of (?:the|your))?|(?:the|total) number of) {_NOUN}|有多少(?!钱|天|个?月|年|小时)"),
    ("amount", r"\bhow (?:high|large|big) (?:is|are|was|were)\b|\bhow much\b(?! (?:of )?(?:the |a )?time\b)|有多[高大]"),
    ("person", r"^(?:\W*\w+\W+){0,4}?(?:who|whom|whose)\b|\bby whom\b|谁|哪(?:位|家公司|个部门|家工厂)|何人"),
    ("place", r"^(?:\W*\w+\W+){0,3}?where\b|\bwhere (?:is|are|was|were|do|does|did|can|will)\b|\b(?:in|on|at|from|to) (?:which|what) (?:city|country|state|place|region|town|province)\b|哪里|在哪|何处|什么地方|位于"),
    ("reason", r"\bwhy\b|\bhow come\b|\bwhat (?:is|was) the reason\b|\bfor what reason\b|为什么|为何|原因"),
    ("named", rf"\b(?:which|what) (?!(?:is|are|was|were|do|does|did|can|could|should|would|will|if|about|happens?|else|must|may|has|have|you|i)\b){_NOUN}|哪些?家?|什么(?=\w)"),
    ("manner", r"\bhow (?:do|can|should|would|could|did|does|to|is|are|was|were|will|must|may)\b|怎么|如何|怎样"),
    ("whether", r"^(?:so |and |but |then |if [^,]+, )?(?:is|are|was|were|do|does|did|can|could|will|would|should|shall|may|must|has|have|had|am)\b|吗|是否|能否|可否|能不能|可不可以|是不是|有没有|会不会"),
)  # fmt: skip
_VERB = re.compile(
    r"\s+(?:\w+ly\s+)?(?:(?:can|may|must|will|should|would|could|has|have|had)\s+)?([a-z]+)\b"
)
_PATTERNS = tuple((kind, re.compile(pattern, _I)) for kind, pattern in _FORMS)


_REQUEST = re.compile(
    r"^(?:(?:hi|hello|please|so|and|ok)\W+)*(?:(?:can|could|would|will) you (?:please )?|please |i(?:'d| would)? (?:want|like|need|wish) (?:you )?to |"
    r"i am interested in |do you (?:know|mean by) )(?:(?:tell|give|explain|provide|clarify|describe|share|show|list|know|learn|elaborate|help)\b )?"
    r"(?:(?:me|us) )?(?:(?:with|about|on|more) )*", _I,
)  # fmt: skip
"""Asks to be told: "can you explain …" is no yes/no question."""


@lru_cache(maxsize=1024)
def need_of(ask: str) -> Need:
    """What ``ask`` (one question, without added topic) needs; ``open`` where its form says nothing."""
    told = _REQUEST.match(ask.strip())
    plain = ask.strip()[told.end() :] if told else ask.strip()
    asked = frozenset(content_words(plain))
    for kind, pattern in _PATTERNS:
        if match := pattern.search(plain):
            counted = _counted(kind, match)
            focus, doing = frozenset(content_words(counted)), _doing(kind, match, plain)
            return Need(kind, focus, match[0], asked, doing, counted)
    return Need("open", asking=told[0] if told else "", asked=asked)


def _counted(kind: NeedKind, match: re.Match[str]) -> str:
    if "focus" not in match.re.groupindex or not match["focus"]:
        return ""
    words = match["focus"].split()
    return " ".join(words[:2] if kind == "named" else words)


def _doing(kind: NeedKind, match: re.Match[str], ask: str) -> str:
    """The stem of the verb behind "who", unless it is an auxiliary."""
    following = _VERB.match(ask[match.end() :]) if kind == "person" else None
    stems = content_words(following[1]) if following else ()
    return stems[0] if stems else ""
