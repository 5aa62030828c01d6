"""Whether the stated or recorded circumstances meet a rule's condition, fail it, or leave it open."""

# ruff: noqa: E501 - patterns read better unbroken
from __future__ import annotations

import re
from datetime import date
from typing import Literal, NamedTuple

from core.text.opposites import SYNONYMS
from core.text.polarity import NEGATORS, negated
from core.text.predicates import denials
from core.text.requests_acts import acts_in, matters
from core.text.restrictions_time import elapsed, time_limit

State = Literal["met", "failed", "open"]
_I = re.IGNORECASE
_ENOUGH = 0.6
_STATUS = re.compile(r"\bstatus\b|状态", _I)
_VALUE = re.compile(r"['\"“*‘]+([\w][\w ()-]*?)['\"”*’]+")
_RECORDED = re.compile(r"\bstatus of [^.]*? is \"([^\"]+)\"", _I)
_SAID_AS = {
    "delivered": re.compile(
        r"\bdelivered\b|\b(?:i|we|you|they)(?:['’]ve| have| just)* (?:just )?(?:received|got)\b|\barrived\b|\breceived\b|收到",
        _I,
    ),
    "pending": re.compile(r"\bpending\b|\bnot (?:yet )?(?:been )?shipped\b|未发货", _I),
    "processing": re.compile(r"\bprocessing\b|\bnot (?:yet )?(?:been )?shipped\b|未发货", _I),
}
_OR = re.compile(
    r"\s+or\s+(?=(?:if|when|the|an?|has|have|is|are|was|were|it|they|flies|does|no)\b)|或", _I
)
_EITHER = re.compile(r"(\w+)(?:\s+or\s+|/)(\w+)", _I)
_HYPOTHETIC = re.compile(
    r"\b(?:if|in case|unless|whether)\b[^,.;!?]*[,.;!?]?|如果[^，。]*[，。]?", _I
)
"""What is said under an "if" is not stated."""
_LEAD = re.compile(
    r"^(?:if and only if|only (?:if|when|after|while|within|until|before|once|for|on|with)|as long as|so long as|provided(?: that)?|"
    r"subject to|requires?|needs?|given|unless|except(?: for| if| when| that| in)?|other than|without|if|once|"
    r"when(?:ever)?|while|in case|after|during|with|by|如果|若|除非|除了)\b\s*",
    _I,
)
_APART: tuple[frozenset[str], ...] = (
    frozenset({"economi", "business"}),
    frozenset({"regular", "silver", "gold", "platinum", "basic"}),
    frozenset({"online", "store"}),
    frozenset({"monthly", "annual", "yearly"}),
    frozenset({"standard", "express"}),
    frozenset({"prepaid", "postpaid", "contract"}),
    frozenset({"singl", "doubl", "famili"}),
    frozenset({"new", "us"}),
)
"""Kinds of which a thing is one: naming another says it is not this one."""


class Facts(NamedTuple):
    """What is known: what the customer said, what the records say, and today."""

    said: str
    records: str = ""
    today: date | None = None


def stated(said: str) -> str:
    """``said`` without what stands under an "if"."""
    return _HYPOTHETIC.sub(" ", said)


def refused(facts: Facts) -> frozenset[str]:
    """Stems that the customer denies ("not basic economy", "no insurance")."""
    return families(frozenset(s for d in denials(stated(facts.said)) for s in d.stems))


def known(facts: Facts) -> frozenset[str]:
    """Stems that the customer's words and the records use, a family by its head too."""
    return families(matters(facts.said) | act_names(facts.said)) | families(matters(facts.records))


def families(stems: frozenset[str]) -> frozenset[str]:
    """The stems and the heads of their families."""
    return stems | frozenset(SYNONYMS[s] for s in stems if s in SYNONYMS)


def ruled_out(wanted: frozenset[str], have: frozenset[str]) -> bool:
    """Whether another kind is named where ``wanted`` names one: economy, where business is asked."""
    return any(
        (wanted & kinds) and not (wanted & kinds & have) and (have & kinds) for kinds in _APART
    )


def state(condition: str, facts: Facts, given: frozenset[str] = frozenset()) -> State:
    """Whether ``condition`` holds by what is known.

    ``given`` are stems of the rule and the request themselves: that they occur says nothing of it.
    """
    if limit := time_limit(condition):
        spent = elapsed(limit, facts.said, facts.records, facts.today)
        return "open" if spent is None else limit.state(*spent)
    if _STATUS.search(condition) and (values := _VALUE.findall(condition)):
        return _status(values, facts)
    bare = _LEAD.sub("", condition)
    turned = negated(bare)
    if turned:
        bare = NEGATORS.sub(" ", bare)
    found = _worded(bare, facts, given)
    if turned and found != "open":
        return "failed" if found == "met" else "met"
    return found


def _status(values: list[str], facts: Facts) -> State:
    recorded = [v.lower() for v in _RECORDED.findall(facts.records)]
    if recorded:
        return "met" if any(v.lower() in recorded for v in values) else "failed"
    for value in values:
        pattern = _SAID_AS.get(value.lower()) or re.compile(rf"\b{re.escape(value)}\b", _I)
        if pattern.search(stated(facts.said)):
            return "met"
    return "open"


def _worded(condition: str, facts: Facts, given: frozenset[str]) -> State:
    """By the condition's own words: all that matter are said and not denied."""
    have = known(facts._replace(said=stated(facts.said)))
    denied = refused(facts)
    states: list[State] = []
    for option in _OR.split(condition):
        wanted = _one_of(option, matters(option) | act_names(option), have)
        if wanted:
            states.append(_by_words(wanted, given, have, denied))
    if "met" in states:
        return "met"
    return "failed" if states and all(s == "failed" for s in states) else "open"


def _one_of(text: str, wanted: frozenset[str], have: frozenset[str]) -> frozenset[str]:
    """Of "health or weather" one is enough."""
    for pair in _EITHER.finditer(text):
        left, right = matters(pair[1]), matters(pair[2])
        if left and right:
            wanted -= left if right & have else right
    return wanted


def _by_words(
    wanted: frozenset[str], given: frozenset[str], have: frozenset[str], denied: frozenset[str]
) -> State:
    if families(wanted) & denied or ruled_out(wanted, have):
        return "failed"
    telling = wanted - given
    if not telling:
        return "open"
    held = frozenset(s for s in telling if families(frozenset({s})) & have)
    return "met" if len(held) >= _ENOUGH * len(telling) else "open"


def act_names(text: str) -> frozenset[str]:
    """The names of the acts in ``text``, to be counted beside its stems."""
    return frozenset(a.name for a in acts_in(text))
