"""What kind of answer a question asks for, and whether a sentence holds one of that kind."""

# ruff: noqa: E501 - word lists and patterns read better unbroken
from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from core.text.dates import absolute_dates
from core.text.names import find_names
from core.text.polarity import modality, negated
from core.text.quantities import find_quantities

AnswerType = Literal[
    "date", "duration", "money", "number", "person", "place", "yes_no", "how_to", "reason", "open"
]

_I = re.IGNORECASE
_RULES: tuple[tuple[AnswerType, re.Pattern[str]], ...] = (
    (
        "money",
        re.compile(
            r"\bhow much (?:does|do|is|are|will|would|should|did|it|to|for|can|money|of a (?:fee|refund))\b|"
            r"\b(?:what|which)(?:'s| is| are| was)? (?:the |your )?(?:\w+ ){0,3}(?:price|cost|fee|charge|rate|"
            r"salary|income|budget|revenue|surcharge)s?\b|\bhow (?:expensive|cheap)\b|"
            r"多少钱|价格|费用是|收费多少|运费(?:是|要)?多少|几块钱|多少元",
            _I,
        ),
    ),
    (
        "duration",
        re.compile(
            r"\bhow (?:long|soon|quickly|fast|often|late|many (?:\w+ )?(?:days|weeks|months|years|hours|minutes|seconds))\b|"
            r"\b(?:what|which)(?:'s| is| are| was| were)? (?:the |your )?(?:\w+ ){0,3}(?:window|period|deadline|time ?frame|"
            r"duration|time limit|lifetime|lifespan|timeout|interval|expiry|expiration|age)\b|"
            r"^\W*(?:the |your )?(?:[\w-]+ ){0,3}(?:window|period|deadline|time ?frame|time limit)\W*$|"
            r"多久|多长时间|几天|几个?月|几年|多少(?:天|个?月|年|小时|分钟)|期限|有效期",
            _I,
        ),
    ),
    (
        "date",
        re.compile(
            r"^(?:\W*\w+\W+){0,3}?when\b|\b(?:what|which) (?:year|date|day|month|century|decade|time)\b|"
            r"\b(?:birth|release|start|end) date\b|"
            r"\b(?:last|latest|first|earliest|final) (?:day|date|moment)\b|\bdeadline\b|\b(?:by|until) when\b|"
            r"\bwhen (?:did|was|were|is|are|do|does|will|can)\b|"
            r"何时|什么时候|哪一?年|哪天|几月|几号|哪个?月|什么时间|日期",
            _I,
        ),
    ),
    (
        "number",
        re.compile(
            r"\bhow (?:many|much|far|tall|big|large|high|deep|old|wide|heavy)\b|"
            r"\bwhat(?:'s| is| was| are| were)? the (?:\w+ ){0,3}(?:number|population|amount|limit|size|length|height|"
            r"percentage|share|ratio|weight|distance|area|total|count|threshold|minimum|maximum|speed)\b|"
            r"多少|几(?:个|位|名|次|人|座|部|种|条|岁)|人口|面积|多[高长大宽重远深]|比例|百分之几",
            _I,
        ),
    ),
    (
        "person",
        re.compile(r"^(?:\W*\w+\W+){0,4}?(?:who|whom|whose)\b|\b(?:which|what) (?:person|team|department|artist|"
                   r"author|actor|actress|singer|band|company)\b|谁|哪(?:位|个人|家公司|个部门)|何人", _I),
    ),
    (
        "place",
        re.compile(r"^(?:\W*\w+\W+){0,3}?where\b|\b(?:which|what) (?:city|country|state|place|region|town|address|"
                   r"location|page|menu|county|province)\b|哪里|在哪|何处|什么地方|哪个(?:国家|城市|省|地区)|位于", _I),
    ),
    (
        "reason",
        re.compile(r"\bwhy\b|\bhow come\b|\bwhat (?:is the reason|causes?|caused|led to)\b|为什么|为何|原因|怎么会", _I),
    ),
    (
        "how_to",
        re.compile(r"\bhow (?:do|can|should|would|could|did|does|to|are|is|was|were)\b|\bwhat (?:steps|do i (?:need|have) to)\b|"
                   r"\bsteps\b|\bhow (?:might|may)\b|怎么|如何|怎样|步骤|流程", _I),
    ),
    (
        "yes_no",
        re.compile(
            r"^(?:so |and |but |then )?(?:is|are|was|were|do|does|did|can|could|will|would|should|shall|may|must|"
            r"has|have|had|am|isn't|aren't|don't|doesn't|can't|won't)\b|"
            r"[.,;!] (?:is|are|do|does|did|can|could|will|would|should|may|must|has|have) (?:i|you|we|it|they|the|my|your|"
            r"there|this|that)\b|吗|是否|能否|可否|能不能|可不可以|是不是|有没有|会不会|要不要",
            _I,
        ),
    ),
)  # fmt: skip
_DAY_ASKED = re.compile(
    r"\b(?:last|latest|first|earliest|final|which|what) (?:day|date)\b|哪天|哪一天|几号|最后一天",
    _I,
)
_OPTION_NAME = re.compile(
    r"\b(?:one|two|three|next|same|[1-9])[- ]day (?=shipping|delivery|option|service|order)", _I
)
"""A name, not a length: "two-day shipping costs $12.95" tells no time."""
_UNTIL = re.compile(
    r"\b(?:until|till|through|no later than|up to|by)\s+(?:the\s+)?$|截至$|直到$|至$", _I
)
"""A last day tells how long: "could be returned until 31 January 2024"."""
_DATE_BY_NAME = re.compile(r"\b(?:same|original|printed|stated|agreed) (?:\w+ )?dates?\b", _I)
"""A day given by pointing at it: "points keep their original expiry date"."""
_LENGTH = ("second", "minute", "hour", "day", "business_day", "week", "month", "year")
_REASON = re.compile(
    r"\b(?:because|since|due to|in order to|so that|as a result|therefore|reason|to (?:avoid|prevent|protect|ensure|"
    r"allow|help)|which (?:means|prevents|allows))\b|因为|由于|为了|因此|所以|以便|避免|原因", _I
)  # fmt: skip
_STEPS = re.compile(
    r"^(?:\s*(?:[-*•]|\d{1,2}[.)]|step \d+|first|second|then|next|finally|to)\b.*)|\b(?:click|tap|select|choose|open|"
    r"go to|navigate|visit|log in|sign in|enter|call|contact|email|send|bring|pack|print|submit|fill|request|use|"
    r"set|enable|configure|add|create|follow|must|should|need to|can be|by \w+ing)\b|"
    r"点击|选择|打开|登录|进入|填写|提交|联系|拨打|携带|寄|前往|首先|然后|通过",
    _I,
)
_PLACE = re.compile(r"\b(?:in|at|on|near|from|located|based|under|via|to) (?:the )?[A-Z]|https?://|\b(?:page|menu|settings|address)\b|位于|坐落|[省市县区州国](?:[，。、的]|$)")  # fmt: skip


def expected_type(query: str) -> AnswerType:
    """The kind of answer ``query`` asks for; ``open`` when it could be anything."""
    text = query.strip()
    for kind, pattern in _RULES:
        if pattern.search(text):
            return kind
    return "open"


def holds(kind: AnswerType, sentence: str) -> bool:
    """Whether ``sentence`` holds something of that kind. ``open`` is held by any sentence."""
    return _TESTS[kind](sentence)


def fit(kind: AnswerType, question: str, sentence: str) -> float:
    """How well ``sentence`` holds what is asked for, 0..1: a calendar day answers "what is the
    last day" better than a length does."""
    if not holds(kind, sentence):
        return 0.0
    dated = kind != "date" or not _DAY_ASKED.search(question)
    return 1.0 if dated or absolute_dates(sentence) else 0.6


def _has_length(sentence: str) -> bool:
    sentence = _OPTION_NAME.sub(" ", sentence)
    timeless = re.search(
        r"\b(?:never|indefinitely|forever|immediately|permanent)\b|永久|终身|立即", sentence, _I
    )
    if timeless or any(q.unit in _LENGTH for q in find_quantities(sentence)):
        return True
    return any(_UNTIL.search(sentence.partition(day.text)[0]) for day in absolute_dates(sentence))


def _has_money(sentence: str) -> bool:
    free = re.search(r"\b(?:free|no (?:charge|cost|fee)|complimentary)\b|免费", sentence, _I)
    return bool(free) or any(_is_money(q.unit) for q in find_quantities(sentence))


def _is_money(unit: str) -> bool:
    return len(unit) == 3 and unit.isupper()


def _has_number(sentence: str) -> bool:
    """A date or a model number counts nothing."""
    for day in absolute_dates(sentence):
        sentence = sentence.replace(day.text, " ")
    sentence = re.sub(r"\b[A-Za-z]{1,4}-\d+\b", " ", sentence)
    return bool(re.search(r"\d", sentence)) or bool(find_quantities(sentence))


def _has_date(sentence: str) -> bool:
    year = re.search(
        r"(?<![\d.,$€£])(?:1[0-9]|20)\d\d(?![\d.,]\d)|\d\s*[年月]|世纪|\bcentury\b", sentence, _I
    )
    if year or absolute_dates(sentence) or _has_length(sentence):
        return True
    if _DATE_BY_NAME.search(sentence):
        return True
    return any(q.unit == "time" for q in find_quantities(sentence))


def _has_person(sentence: str) -> bool:
    team = re.search(r"\b(?:team|department|manager|owner|customers?|agents?|members?|staff|supervisor)\b|[\u4e00-\u9fff]{2,}(?:人|员|家|公司|部门)", sentence, _I)  # fmt: skip
    return bool(team) or bool(find_names(sentence))


def _has_polarity(sentence: str) -> bool:
    return (
        negated(sentence)
        or bool(modality(sentence))
        or bool(re.search(r"\b(?:yes|no|is|are|does|do)\b|[是会有]", sentence, _I))
    )


_TESTS: dict[AnswerType, Callable[[str], bool]] = {
    "date": _has_date,
    "duration": _has_length,
    "money": _has_money,
    "number": _has_number,
    "person": _has_person,
    "place": lambda sentence: bool(_PLACE.search(sentence)),
    "yes_no": _has_polarity,
    "how_to": lambda sentence: bool(_STEPS.search(sentence)),
    "reason": lambda sentence: bool(_REASON.search(sentence)),
    "open": lambda sentence: True,
}
