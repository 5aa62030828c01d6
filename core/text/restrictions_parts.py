"""A rule taken apart: its main statement, and the conditions that stand around it."""

# ruff: noqa: E501 - patterns read better unbroken
from __future__ import annotations

import re
from typing import Literal, NamedTuple

from core.text.language import detect_language
from core.text.restrictions_words import MODAL, denial

Sense = Literal["only_if", "unless", "if", "needs", "not_with"]
_I = re.IGNORECASE
_MARK = re.compile(
    r"(?P<only>\bif and only if\b|\bonly (?:if|when|after|while|within|until|before|once|for|on|with)\b|\bas long as\b|\bso long as\b|"
    r"\bprovided that\b|(?<!be )\bprovided\b(?= (?:no|the|you|they|it)\b)|\bsubject to\b|\brequires?\b|\bneeds?\b(?! to\b)|"
    r"(?<!is )(?<!are )(?<!be )\bgiven\b(?! in| by)|\bon (?:the )?condition\b|仅限|只有|仅在)"
    r"|(?P<unless>\bunless\b|\bexcept(?: for| if| when| that| in)?\b|\bother than\b|除非|除了)"
    r"|(?P<ref>\bafter (?:that|this)\b(?!\s+\w+ed))"
    r"|(?P<without>\bwithout\b)"
    r"|(?P<cond>\bif\b|\bonce\b(?= (?:it|the|an?|they|you|your|this|that|its)\b)|\bwhen(?:ever)?\b|\bwhile\b|\bin case\b|"
    r"\bafter\b|\bduring\b|如果|若)"
    r"|(?P<limit>\bwithin\b|\buntil\b|\bbefore\b|\bup to\b)"
    r"|(?P<drop>\bregardless of\b|\beven if\b|\bnot even\b|\bso that\b|\bbecause\b|\bto do so\b|,?\s*\band (?:you|the agent|agents) (?:should|must)\b|\bwith the amount\b)",
    _I,
)
_ONLY_BY = re.compile(
    r"\bonly\s+(?:be\s+)?\w+\s+(?P<tail>(?:by|with|in|on|for|to|at)\b[^,.;]+)", _I
)
"""May only be redirected by the sender."""
_CHINESE_WHEN = re.compile(
    r"[^，。；]{0,14}?(?:以内|之内|以上|之前|之后|以后|前|后|内)(?=[可不，])"
)
_OTHERS = re.compile(
    r"\bother\s+(?:reasons?|cases?|circumstances|requests?|changes?)\b|其他(?:原因|情况)", _I
)
_TRIVIAL = re.compile(
    r"availab|\bseats? (?:is|are) free|\bconfirm|\bcheck(?:ing|ed)?\b|\bobtain|user (?:id|confirmation)|explicit|"
    r"\bverif|\blist the\b|\bproceed\b|\basks?\b|\btak(?:e|ing) (?:any|the|this) actions?\b|\btool\b|\bAPI\b|"
    r"authenticat|\boffering\b|\bmore details\b|^(?:if|when) (?:the |a )?(?:user|customer|client) (?:accepts|wants|asks|provides|"
    r"does|doesn|responds?)\b|^without (?:extra )?(?:charge|cost|fee|notice|approval|delay)|"
    r"^(?:during|within|before|after) (?:the )?(?:call|chat|conversation)\b",
    _I,
)
"""Conditions that the desk settles while it acts; they do not decide whether it may."""


class Condition(NamedTuple):
    """One condition in words.

    ``only_if`` is needed for what is allowed, ``if`` triggers a ban, ``unless`` turns a rule round,
    ``not_with`` is what may not come along ("without changing the origin").
    """

    words: str
    sense: Sense


def taken_apart(part: str) -> tuple[str, tuple[Condition, ...]]:
    """The main statement of a rule, and the conditions around it that can decide anything."""
    if detect_language(part) == "zh" and (when := _CHINESE_WHEN.search(part)):
        rest = part[: when.start()] + part[when.end() :]
        sense: Sense = "if" if denial(rest) else "only_if"
        return rest, (Condition(when[0], sense),)
    main: list[str] = []
    conditions: list[Condition] = []
    position = 0
    marks = list(_MARK.finditer(part))
    for at, mark in enumerate(marks):
        if mark.start() < position:
            continue
        main.append(part[position : mark.start()])
        position = _end(part, mark, marks[at + 1 :])
        if mark.lastgroup != "drop":
            words = part[mark.start() : position].strip(" ,.")
            conditions.append(Condition(words, _sense(mark, part, position)))
    main.append(part[position:])
    statement = " ".join(main)
    if not conditions and (only := _ONLY_BY.search(statement)):
        conditions.append(Condition(only["tail"].strip(), "only_if"))
        statement = statement[: only.start("tail")]
    if _OTHERS.search(statement) and denial(statement):
        conditions.append(Condition("a reason other than those the policy lists", "if"))
    return statement, _deciding(statement, conditions)


def either(conditions: tuple[Condition, ...]) -> bool:
    """Whether one of them is enough: "if it was lost or if it arrived late"."""
    return any(re.search(r"(?:\bor|或)$", c.words, _I) for c in conditions)


def _deciding(statement: str, conditions: list[Condition]) -> tuple[Condition, ...]:
    """Without those the desk settles itself, and without mere times of service ("is paid within
    3 days")."""
    limited = MODAL.search(statement)
    return tuple(
        c
        for c in conditions
        if not _TRIVIAL.search(c.words)
        and (limited or not re.match(r"(?:within|until|before|up to|after)\b", c.words, _I))
    )


def _end(part: str, mark: re.Match[str], later: list[re.Match[str]]) -> int:
    ends = [
        m.start()
        for m in later
        if m.start() > mark.end() + 3 and m.lastgroup in ("only", "unless", "cond", "drop")
        and m[0].lower() not in ("after", "when", "while", "during", "given")
    ]  # fmt: skip
    if mark.lastgroup == "ref":
        return mark.end()
    comma = part.find(",", mark.end())
    ends += [comma] if comma >= 0 else []
    return min(ends, default=len(part))


def _sense(mark: re.Match[str], part: str, end: int) -> Sense:
    before = part[: mark.start()]
    denied = denial(before) is not None or (not before.strip() and denial(part[end:]) is not None)
    match mark.lastgroup:
        case "unless":
            return "unless"
        case "without":
            return "needs" if denied else "not_with"
        case "only":
            return "needs" if denied else "only_if"
        case _:
            return "if" if denied else "only_if"
