"""A question in the light of what was said just before it.

Only words are taken over, never an order: what another side of the conversation wrote is a place
to look for the thing a pronoun stands for, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from core.models.request import Turn
from core.text.focus import phrases, telling_words, topic
from core.text.injection import score_sentence
from core.text.leaning import is_ellipsis, leans_on_context
from core.text.questions import asks, background
from core.text.sentences import split_sentences
from core.text.tokens import content_words

TURNS = 6
_SEARCHED_WORDS, _TOPIC_WORDS = 3, 4
_WEIGHT, _LEANING = 0.4, 0.5
"""Best of 0.2 to 0.8 on conversations about public documents, beside 1 for the question alone;
nDCG changes by .01 between neighbours."""
_TELLS = 2
"""From so many words on the statements of a message say what its question is about."""
_ORDERS = 0.7
"""From this score on a sentence is an instruction to a model."""
_LONGEST = 1_500
"""Characters of one turn that are read."""


class InContext(NamedTuple):
    """The question with its topic, and what its hits count beside the question's own (1.0).

    Empty without earlier messages.
    """

    query: str = ""
    weight: float = 0.0


def in_context(question: str, history: Sequence[Turn]) -> InContext:
    """The question with what its conversation is about, to be searched beside the question itself.

    A follow-up that names nothing finds its passage by it; one that changes the subject is not led
    astray, because it counts less than the question.
    """
    question = question.strip()
    about = conversation_topic(question, history, limit=_SEARCHED_WORDS)
    if not about:
        return InContext()
    if not _leans(question):
        return InContext(f"{question} {about}", _WEIGHT)
    contrast = _contrasted(question, _said(question, history))
    return InContext(contrast or f"{question} {about}", _LEANING)


def self_standing(question: str, history: Sequence[Turn]) -> str:
    """``question`` so that it can be read by itself; as it is where it leans on nothing.

    A contrast ("And to the UK?") takes the place of its like in the question before it; anything
    else gets the topic of the conversation behind it, marked as such.
    """
    if not _leans(question):
        return question
    said = _said(question, history)
    if not said:
        return question
    contrast = _contrasted(question, said)
    if contrast:
        return contrast
    about = conversation_topic(question, history, limit=_TOPIC_WORDS)
    return f"{question} (regarding: {about})" if about else question


def conversation_topic(question: str, history: Sequence[Turn], *, limit: int) -> str:
    """What the last turns are about, in at most ``limit`` words that ``question`` does not say."""
    said = _said(question, history)
    if not said:
        return ""
    answers = [t.text for t in history if t.role == "agent" and t.text.strip()]
    replies = [_without_orders(text) for text in answers[-TURNS:]]
    return topic(
        said,
        beside=question,
        limit=limit,
        replies=replies,
        verbs=is_ellipsis(question),
    )


def _said(question: str, history: Sequence[Turn]) -> list[str]:
    """The customer's earlier messages, without the question itself at their end."""
    said = [t.text.strip() for t in history if t.role == "customer" and t.text.strip()]
    if said and said[-1] == question.strip():
        said.pop()
    return [kept for text in said[-TURNS:] if (kept := _without_orders(text))]


@lru_cache(maxsize=256)
def _without_orders(text: str) -> str:
    sentences = [s.text for s in split_sentences(text[:_LONGEST])]
    return " ".join(s for s in sentences if score_sentence(s) < _ORDERS)


def _leans(message: str) -> bool:
    """Whether a message needs the one before it.

    What it says itself is the first place to look: "My vase broke. Can I return it?" lacks nothing.
    """
    first = asks(message)[0]
    if not leans_on_context(first):
        return False
    told = background(message)
    return told == message.strip() or len(telling_words(told)) < _TELLS


# ---- "And to the UK?" -----------------------------------------------------------------------

_CONTRAST = re.compile(
    r"^\W*(?:(?:and|but|or|ok(?:ay)?|so|then)\b,?\s*)*(?:(?:what|how) about\s+)?"
    r"(?:(?P<prep>for|to|in|with|from|on|at|of|as)\s+)?(?P<new>[^?.!,]+?)(?:\s+then)?\s*\?*\s*$",
    re.IGNORECASE,
)
_OPENS = re.compile(r"^\W*(?:and|but|or|what about|how about)\b", re.IGNORECASE)
_ZH_CONTRAST = re.compile(r"^(?:那么?|如果是?|要是)?(?P<new>[\u4e00-\u9fff]{2,8}?)呢[?？]?$")
_NOT_A_THING = re.compile(
    r"\b(?:is|are|was|were|do|does|did|can|could|may|will|would|should|must|have|has|if|when|i|you|"
    r"we|they|it|that|this|these|those|them|why|how|who|where)\b",
    re.IGNORECASE,
)


def _contrasted(question: str, said: Sequence[str]) -> str:
    """The customer's last ask with the new thing in the place of its like; empty without one."""
    before = asks(said[-1])[-1]
    chinese = _ZH_CONTRAST.match(question.strip())
    if chinese:
        return _replaced_chinese(before, chinese["new"])
    match = _CONTRAST.match(question.strip())
    if match is None or not (_OPENS.match(question) or match["prep"]):
        return ""
    new = match["new"].strip()
    if not content_words(new) or _NOT_A_THING.search(new) or len(new.split()) > 4:
        return ""
    old = _like(before, new, match["prep"])
    return before.replace(old, new, 1) if old else ""


def _like(before: str, new: str, preposition: str | None) -> str:
    """What ``new`` takes the place of: a thing of the same noun, what stands behind the same
    preposition, or a name for a name."""
    named = phrases(before)
    same = [p for p in named if p in before and p.split()[-1].lower() == new.split()[-1].lower()]
    if same:
        return same[0]
    if preposition:
        after = re.search(
            rf"\b{preposition}\s+((?:(?:the|an?|my|your|our)\s+)?[\w-]+(?:\s+[\w-]+){{0,2}}?)"
            r"(?=\s+(?:take|takes|cost|costs|is|are|be|work|and|or|in|on|for|to|with|from)\b|"
            r"\s*[?.!,]|$)",
            before,
            re.IGNORECASE,
        )
        return after[1] if after and any(after[1].endswith(p) for p in named) else ""
    capital = new.removeprefix("the ")[:1].isupper()
    names = [p for p in named if p[:1].isupper() and p in before[1:]]
    return names[-1] if capital and names else ""


def _replaced_chinese(before: str, new: str) -> str:
    """ "寄到加拿大要多久？" and then "英国呢？": the place behind the same word."""
    found = re.search(
        r"(?:寄到|寄往|送到|发往|运到)(?P<old>[\u4e00-\u9fff]{2,4}?)(?=要|需|多|的|，|$)", before
    )
    return before.replace(found["old"], new, 1) if found else ""
