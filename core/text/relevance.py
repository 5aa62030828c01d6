"""How well one sentence answers one question: shared words, kind of answer, and its limits."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from core.text.answer_type import expected_type, holds
from core.text.polarity import negated
from core.text.scope import for_another_case, foreign_scope
from core.text.similarity import term_coverage
from core.text.tokens import content_words

_CLOSED = re.compile(
    r"\bonly\b|\bexclusively\b|\blimited to\b|\bno other\b|\b(?:any|every) other\b|\ball other\b"
    r"|\b(?:not|never) (?:named|listed|on (?:this|the) list)\b|仅限|只(?:有|限|对)|以外"
    r"|其他.{0,8}(?:不|均)",
    re.IGNORECASE,
)
_LISTING = re.compile(r"[:：]\s*\S+.*[,、]|(?:\b[A-Z][\w'’&-]+(?:, | and |、)){2,}")
_CONDITION = re.compile(
    r"\b(?:unless|except|excluding|excluded?|exceptions?|however|only|must|provided|as long as"
    r"|does not|do not|cannot|can't|not eligible|never|final sale|if (?:you|the|your|it|an?)"
    r"|not (?:apply|available|accepted|covered|included|offered|refunded))\b"
    r"|除外|但|不(?:适用|能|可|接受|包括|含|予|支持)|仅|必须|除非|如果",
    re.IGNORECASE,
)
_COVERAGE, _CONTEXT, _FIT = 0.55, 0.2, 0.25
_DENIAL = 0.06
"""Taken off a denial when the question asks what, how or when: the affirmative answers first."""
_FOREIGN = 0.12
"""Taken off for each limit (express, UK, gold …) the question did not ask about."""

_OTHER_CASE = 0.25
"""Taken off when the question names its case (two-day) and the sentence is for another one."""


def relevance(
    question: str,
    sentence: str,
    context: str,
    weights: Mapping[str, float],
    *,
    is_steps: bool = False,
) -> float:
    """About 0..1. ``context`` is the heading and title the sentence stands under."""
    kind = expected_type(question)
    fit = 1.0 if is_steps and kind == "how_to" else float(holds(kind, sentence))
    own = term_coverage(question, sentence, weights)
    both = term_coverage(question, f"{sentence} {context}", weights)
    score = _COVERAGE * own + _CONTEXT * both + _FIT * fit * (0.4 + 0.6 * both)
    if kind != "yes_no" and negated(sentence) and not negated(question):
        score -= _DENIAL
    if for_another_case(question, sentence):
        score -= _OTHER_CASE
    if is_listing(sentence):
        # What is counted up limits nothing: "Visa, PayPal and gift cards" is no rule about gifts.
        return score
    return score - _FOREIGN * min(2, len(foreign_scope(question, sentence, context)))


def is_closed_list(sentence: str) -> bool:
    """Whether the sentence says that what it names is all there is."""
    return bool(_CLOSED.search(sentence))


def is_listing(sentence: str) -> bool:
    """Whether the sentence counts up several named things."""
    return bool(_LISTING.search(sentence))


def is_condition(sentence: str) -> bool:
    """Whether the sentence limits a rule: a condition, an exception, an exclusion."""
    return bool(_CONDITION.search(sentence))


def term_weights(texts: Sequence[str]) -> Mapping[str, float]:
    """Inverse document frequency of stemmed words over ``texts``; never below 0.2."""
    counts: dict[str, int] = {}
    for text in texts:
        for word in set(content_words(text)):
            counts[word] = counts.get(word, 0) + 1
    total = len(texts)
    return {word: max(0.2, math.log(1 + total / n)) for word, n in counts.items()}
