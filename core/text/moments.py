"""Which day's policy a question is about: today's, that of a past day, or two days compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from core.models.request import ExtractedDate
from core.text.days_compared import days_compared
from core.text.sentences import Span, split_sentences
from core.text.timeless import without_days, without_now

RECENT_DAYS = 120
"""A purchase this recent is still decided by the policy of today."""

_I = re.IGNORECASE
_OWN_EVENT = re.compile(
    r"\b(?:i|we|my (?:\w+ )?(?:order|parcel|package|purchase)|it|they|customer|she|"
    r"he)\b.{0,40}\b(?:bought|ordered|purchased|received|got|paid|placed|"
    r"earned|arrived|came|returned|sent|was (?:delivered|shipped|bought|placed|sold)|"
    r"were (?:delivered|shipped)|signed up|joined|opened|cancel+ed|subscribed|renewed|upgraded|"
    r"booked|registered|enrolled|applied|exchanged|started|closed|redeemed|complained|claimed)\b"
    r"|\b(?:bought|ordered|purchased|delivered|placed|received|earned)\s+(?:\w+\s+){0,3}(?:on|in|"
    r"last|since|at)\b|\bpurchases? (?:made|from|between)\b"
    r"|买|购买|下单|订购|收到|签收",
    _I,
)
_PAST_POLICY = re.compile(
    r"\b(?:policy|policies|rules?|terms|price match\w*|version|faq)\b.{0,40}\b(?:then|back then|"
    r"at (?:that|the) time|in force|valid|was|were|used to)\b"
    r"|\b(?:back then|at (?:that|the) time|used to|in force (?:on|in)|as of|valid (?:on|in))\b|"
    r"当时|那时|旧政策|当年",
    _I,
)
_PAST_PRACTICE = re.compile(
    r"\b(?:did|were|was|had)\s+(?:you|your|we|our|the|a|an|there|\w+)\b|\b(?:would|will|do|"
    r"does) (?:you|we)\b|\byour (?:policy|faq|rules?|terms)\b|规定|政策|是否|多少|吗",
    _I,
)
_SERVICE = re.compile(
    r"\b(?:you|your|we|our|policy|policies|rules?|terms|return\w*|refund\w*|shipping|match|price|"
    r"fees?|labels?|costs?|points|warranty|gift cards?|"
    r"delivery|exchange|discount|eligible|allowed|covered|window)\b|[你您]们?|政策|退|运费|保修|"
    r"积分|价格",
    _I,
)
_PAST_ASKED = re.compile(
    r"\b(?:did|was|were|had|could)\s+(?!i\b|we\b|my (?:order|parcel|package|refund)\b)"
    r"(?:\w+|\S{1,20})\b[^?]*\?"
    r"|\b(?:what|which|how (?:long|many|much|often|soon|fast|quickly|far)|where|until when)\b"
    r"[^?]{0,80}\b(?:did|was|were|had|could|happened|applied|counted|took|stated|said)\b",
    _I,
)
"""Asked in the past tense, and not about what the asker did."""
_HISTORY = re.compile(
    r"\b(?:founded|invented|elected|established|published|released|wrote|written|won|"
    r"discovered|launched|built|signed|created|formed)\b|创立|成立|出生|发明|发布",
    _I,
)
"""A fact of that year, which no rule of that year decides."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_RELATIVE_PAST = re.compile(r"\b(?:last|ago|yesterday)\b|去年|上个?[月周]|前", _I)
_THEN = re.compile(r"\b(?:then|back then|at (?:that|the) time)\b|当时|那时", _I)


_CONCERNED = re.compile(
    r"\b(?:i|my|we|our|me|us|you|your|customers?|he|she|they)\b|[我你您]|客户", _I
)


class Moment(NamedTuple):
    """``event`` is the day something happened, if one is named; ``policy`` the day whose policy
    answers; ``current`` whether that is today's policy; ``why`` one line for the notes."""

    event: date | None
    policy: date
    current: bool
    why: str
    compared: tuple[date, ...] = ()
    """The days whose rules are asked for beside each other, in order; empty for one day."""
    before_change: bool = False
    question: str = ""
    """The question without the day named, where the search is limited to that day's versions."""


def moment(text: str, dates: Sequence[ExtractedDate], *, today: date) -> Moment:
    """The day whose policy answers ``text``. ``dates`` are those found in it.

    A past day named in a question about what the rule *was* moves the policy date to it. The day
    of somebody's own purchase does so only when it lies more than 120 days back. A future day, a
    day without a year inside a holiday window, and a mere fact never do.
    """
    past = [d for d in dates if d.end < today and _anchored(text, d)]
    later = [d for d in dates if d.start > today and _YEAR.search(d.text)]
    if both := days_compared(text, past, later, today=today):
        return _compared(text, dates, both.days, both.why, today, before_change=both.before_change)
    found = _past_moment(text, past, today)
    if found is not None:
        return found._replace(question=without_days(text, past))
    event = next((d.start for d in dates if _own_event(text, d.text)), None)
    return Moment(event, today, current=True, why="today's policy")


def _compared(
    text: str,
    dates: Sequence[ExtractedDate],
    days: tuple[date, ...],
    why: str,
    today: date,
    *,
    before_change: bool,
) -> Moment:
    """The rule of the latest day up to today is what "now" means; it leads the search."""
    policy = max((day for day in days if day <= today), default=today)
    event = days[0] if days[0] < today else None
    question = without_now(without_days(text, dates))
    return Moment(event, policy, policy == today, why, days, before_change, question)


def _past_moment(text: str, past: Sequence[ExtractedDate], today: date) -> Moment | None:
    """The past day whose rules alone are asked for."""
    for found in past:
        sentence = _sentence_with(text, found.text)
        if _asks_past_policy(text, sentence):
            return Moment(
                found.start, found.end, current=False, why=f"asks what held in {found.text!r}"
            )
    for found in past:
        old = found.end < today - timedelta(days=RECENT_DAYS)
        if old and _own_event(text, found.text) and _CONCERNED.search(text):
            why = f"the matter dates from {found.text!r}, more than {RECENT_DAYS} days ago"
            return Moment(found.start, found.end, current=False, why=why)
    return None


def _anchored(text: str, found: ExtractedDate) -> bool:
    """The date says which year it means, or words around it say that it is over."""
    named = bool(_YEAR.search(found.text) or _RELATIVE_PAST.search(found.text))
    return named or bool(_PAST_POLICY.search(text)) or bool(re.search(r"\bdid you\b", text, _I))


def _sentence_with(text: str, wanted: str) -> Span:
    for span in split_sentences(text):
        if wanted in span.text:
            return span
    return Span(0, len(text), text)


def _own_event(text: str, wanted: str) -> bool:
    sentence = _sentence_with(text, wanted).text
    return bool(_OWN_EVENT.search(sentence))


def _asks_past_policy(text: str, sentence: Span) -> bool:
    if _OWN_EVENT.search(sentence.text) and not _PAST_POLICY.search(sentence.text):
        return False
    if _PAST_POLICY.search(sentence.text):
        return True
    if _THEN.search(text) and _SERVICE.search(text):
        return True
    if _PAST_ASKED.search(sentence.text) and not _HISTORY.search(sentence.text):
        return True
    asks = sentence.text.rstrip(" \"')”").endswith(("?", "？")) or sentence.text == text.strip()
    return asks and bool(_PAST_PRACTICE.search(sentence.text) and _SERVICE.search(sentence.text))
