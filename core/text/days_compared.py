"""Whether a question compares two days ("then and now"), which days, and what it asks without them.

Three ways a second day comes in: the question names a past day and asks about now, or what changed
since; it asks what held "before", without a day; or it asks what will hold from a day to come.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from core.models.request import ExtractedDate
from core.text.sentences import split_sentences

_I = re.IGNORECASE
_NOW = r"(?:now|today|currently|nowadays|these days|at present|at the moment|at this time)"
_ASKER = re.compile(
    r"\b(?:can|could|may|might|should|must|shall|will) (?:i|we)\b|\b(?:do|am|are) (?:i|we)\b|我|咱",
    _I,
)
_NOW_ASK = re.compile(
    rf"\b(?:what|which|how|where|who|when|until when|is|are|does|do|has|have)\b[^?.!;]{{0,80}}?"
    rf"\b{_NOW}\b"
    r"|(?:现在|目前|如今|现行|今天)[^。！？?]{0,40}(?:呢|吗|什么|多少|几|如何|怎么|哪)",
    _I,
)
_STILL = re.compile(
    r"\b(?:do|does|is|are|will|can)\s+(?!i\b|we\b|my\b)[^?.!]{0,60}\bstill\b|(?:还|仍)[^。？?]{0,30}吗",
    _I,
)
_CHANGED = re.compile(
    r"\b(?:chang(?:e|ed|es|ing)|differ(?:s|ed|ent|ence|ences)?|updated?|amended|revised|altered|"
    r"raised|lowered|extended|shortened|gone (?:up|down)|the same)\b"
    r"|变(?:了|化|更|动)|改(?:了|变|动)|不同|不一样|区别|一样",
    _I,
)
_LINK = re.compile(
    rf"\b(?:since|between|compared (?:to|with)|versus|vs\.?|then and now|from|as in|as on)\b"
    rf"|\b{_NOW}\b|自从?|以来|之后|相比|对比|与.{{1,20}}(?:相比|比)",
    _I,
)
_BEFORE = re.compile(
    r"\b(?:was|were|did|had|used to)\b[^?.!]{0,80}"
    r"\b(?:before|previously|earlier|formerly|originally)(?=\s*(?:[?.!,;]|$))"
    r"|\b(?:was|were|did|had|used to)\b[^?.!]{0,80}"
    r"\bbefore (?:the|this|that|it|they|you|your|its)\b"
    r"(?: \w+){0,3}? (?:chang\w+|updat\w+|amend\w+|revis\w+|new \w+)"
    r"|\b(?:previous|former|earlier|old|prior)(?: [\w-]+){0,3}? (?:version|policy|policies|"
    r"rules?|terms|wording|conditions)\b"
    r"|\bdid (?:you|it|they|the \w+) use to\b"
    r"|(?:以前|之前|原来|原先|旧)(?:的)?(?:规定|政策|版本|是)",
    _I,
)
_USED_TO = re.compile(r"\b(?:you|it|they|there|policy|rules?|terms|company) used to\b", _I)
_ASKS = re.compile(r"[?？]|\b(?:what|which|how|tell me|explain)\b", _I)
_COMING = re.compile(
    r"\b(?:will|going to|from|starting|start(?:s|ing)?|as of|beginning|effective)\b|将|起|开始", _I
)
_RULE = re.compile(
    r"\b(?:polic(?:y|ies)|rules?|terms|window|deadline|fees?|prices?|costs?|rates?|returns?|"
    r"refunds?|shipping|warrant(?:y|ies)|points|match|allowed|valid|conditions|guarantee|limit)\b"
    r"|政策|规定|退|运费|保修|积分|价格|费用",
    _I,
)
_OWN_PLAN = re.compile(
    r"\b(?:i|we)(?:'ll| will| want| plan|'d| would| am going| need)\b|\b(?:my|our)\b|我", _I
)
_DID = re.compile(r"\b(?:i|we)\s+(?:\w+\s+)?\w+(?:ed|t|d)\b|我们?.{0,4}(?:买|订|退)", _I)
_JOINED = re.compile(
    r"\s*(?:,|，|、)?\s*(?:and|or|versus|vs\.?|compared (?:to|with)|和|与|及|跟).{0,12}$", _I
)
_PERIOD = re.compile(r"\b(?:between|from)\b[^?.!]{0,30}$|从[^。？]{0,10}$", _I)


_PURCHASE = re.compile(
    r"\b(?:return\w*|refund\w*|exchang\w+|send (?:it|this|them|these) back|money back|warrant\w+|"
    r"guarantee\w*|price[- ](?:match\w*|adjust\w*|protect\w*)|repair\w*|replac\w+|defect\w*|"
    r"broke\w*|damaged|faulty|difference back)\b|退|换货|保修|维修|差价",
    _I,
)


def about_purchase(question: str) -> bool:
    """Whether it asks what becomes of something bought, which the rules of that day decide."""
    return bool(_PURCHASE.search(question))


class DaysCompared(NamedTuple):
    """``days`` in order, the days whose rules are asked for; ``before_change`` where the earlier
    one is the last day before the rule of today began, which only the stored versions can tell."""

    days: tuple[date, ...]
    before_change: bool = False
    why: str = ""


def days_compared(
    text: str, past: Sequence[ExtractedDate], later: Sequence[ExtractedDate], *, today: date
) -> DaysCompared | None:
    """The days compared in ``text``; ``None`` for a question about one day.

    ``past`` are the days named that lie behind ``today`` and are sure of their year, ``later``
    those still to come.
    """
    asked = _asking(text)
    if past:
        return _two_named(text, past) or _then_and_now(text, asked, past, today)
    if _held_before(text, asked):
        return DaysCompared((today,), before_change=True, why="asks what held before")
    coming = next((d for d in later if _will_hold(asked, d)), None)
    if coming is None:
        return None
    return DaysCompared((today, coming.start), why=f"asks what will hold from {coming.text!r}")


def _held_before(text: str, asked: str) -> bool:
    if not _ASKS.search(asked):
        return False
    if _BEFORE.search(asked) or _USED_TO.search(asked):
        return True
    return bool(_USED_TO.search(text) and _STILL.search(asked))


def _then_and_now(
    text: str, asked: str, past: Sequence[ExtractedDate], today: date
) -> DaysCompared | None:
    first = past[0]
    changed = bool(_CHANGED.search(asked) and _LINK.search(text))
    now = any(not _ASKER.search(m[0]) for m in _NOW_ASK.finditer(asked)) and not _within(asked)
    if not (changed or now or _STILL.search(asked)):
        return None
    since = re.search(rf"\b(?:since|from|自从?)\s*{re.escape(first.text)}", text, _I)
    then = first.start if since else first.end
    return DaysCompared((then, today), why=f"compares {first.text!r} with today")


def _within(asked: str) -> bool:
    """The only clause that asks holds both the past day and now: "did you, by now, …"."""
    return bool(re.search(r"\b(?:by|until|till|up to) now\b", asked, _I))


def _two_named(text: str, past: Sequence[ExtractedDate]) -> DaysCompared | None:
    """Two past days joined by "and" ("on 1 May and on 1 June 2020"), unless they bound a period or
    say when the asker did something."""
    if _DID.search(text):
        return None
    for left, right in pairwise(past):
        at, to = text.find(left.text), text.rfind(right.text)
        between = text[at + len(left.text) : to]
        period = _PERIOD.search(text[:at]) and not _CHANGED.search(text)
        if left.end == right.end or period or not _JOINED.match(between) or len(between) > 24:
            continue
        days = tuple(sorted((left.end, right.end)))
        return DaysCompared(days, why=f"compares {left.text!r} with {right.text!r}")
    return None


def _will_hold(asked: str, day: ExtractedDate) -> bool:
    """A rule of a day to come is asked for, not somebody's own plan for that day."""
    for sentence in split_sentences(asked):
        if day.text in sentence.text:
            said = sentence.text
            return bool(_COMING.search(said) and _RULE.search(said)) and not _OWN_PLAN.search(said)
    return False


def _asking(text: str) -> str:
    """The sentences that ask; the whole text where none does."""
    found = [s.text for s in split_sentences(text) if _ASKS.search(s.text)]
    return " ".join(found) if found else text
