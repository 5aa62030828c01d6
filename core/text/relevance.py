"""How well one sentence answers one question: shared words, kind of answer, and its limits."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from core.text.answer_type import expected_type, fit
from core.text.concepts import concepts, kinds, shared
from core.text.dates import absolute_dates
from core.text.extract import units
from core.text.names import find_names
from core.text.polarity import negated
from core.text.predicates import denials
from core.text.quantities import find_quantities
from core.text.questions import asks
from core.text.record_mentions import without_record
from core.text.scope import for_another_case, foreign_scope
from core.text.sentences import split_sentences
from core.text.tokens import stem, words

_CLAUSE = re.compile(
    r"\b(?:after|before|since|because|when|if|once|while|although)\s+(?:i|we|you|my)\b[^,;?.]*",
    re.IGNORECASE,
)
"""A clause that tells the circumstances of what is asked."""
_RECORD = re.compile(r"[a-z]{1,4}-\d{3,}")
_CLOSED = re.compile(
    r"\bonly\b|\bexclusively\b|\blimited to\b|\bno other\b|\b(?:any|every) other\b|\ball other\b"
    r"|\bnot\b.{0,50}\bother than\b|\bno (?:\w+ )?other than\b"
    r"|\b(?:not|never) (?:named|listed|on (?:this|the) list)\b|仅限|只(?:有|限|对)|以外"
    r"|其他.{0,8}(?:不|均)",
    re.IGNORECASE,
)
_LISTING = re.compile(r"[:：]\s*\S+.*[,、]|(?:\b[A-Z][\w'’&-]+(?:, | and |、)){2,}")
_CONDITION = re.compile(
    r"\b(?:unless|except|excluding|excluded?|exceptions?|however|only|must|provided|as long as"
    r"|needs?|required?"
    r"|does not|do not|cannot|can't|not eligible|never|final sale|if (?:you|the|your|it|an?)"
    r"|not (?:apply|available|accepted|covered|included|offered|refunded))\b"
    r"|除外|但|不(?:适用|能|可|接受|包括|含|予|支持)|仅|必须|除非|如果",
    re.IGNORECASE,
)
_COVERAGE, _CONTEXT, _FIT = 0.55, 0.2, 0.25
_CRUX = {"=suspicious": 3.0}
"""What a message is about, wherever in it that is said: an order somebody else placed."""
_LEANT_ON = 0.7
"""The same where the ask has hardly a word of its own."""
_TOLD = 0.4
"""What a matter counts that the message only tells of, beside one it asks about."""
_FIGURE = 0.25
"""Added where the question names a figure ("within 365 days?") and the sentence one of its kind."""
_DENIAL = 0.06
"""Taken off a denial when the question asks what, how or when: the affirmative answers first."""
_FOREIGN = 0.12
"""Taken off for each limit (express, UK, gold …) the question did not ask about."""

_ACTION = re.compile(
    r"\bwhat (?:should|shall|can|must|could|do|are|will|would) (?:i|we|you)"
    r"(?: (?:have|need|going|able) to)? do\b|\bwhat (?:now|next)\b|怎么办|该怎么做",
    re.IGNORECASE,
)
_NO_ACTION = 0.3
"""Kept of a sentence that tells nothing to do where that is asked."""
_VALUE_ASKED = re.compile(
    r"\b(?:what|which)(?:'s| is| are| was)? (?:the |your |our )?(?:\w+[ -]){0,4}"
    r"(?:window|period|deadline|time ?frame|duration|time limit|cut-?off|validity)\b"
    r"|\bhow (?:long|many \w*\s?(?:days|weeks|months|years|hours))\b|期限|有效期|几天|多久|多少天",
    re.IGNORECASE,
)
"""Asks for a length of time: where it starts and what it covers is said beside it, not instead."""
_NO_VALUE = 0.6
_TOPIC = 2
"""Matters a question must name before a heading alone can say all of them."""
_DISPLAY = re.compile(
    r"\b(?:show|list|display|give) (?:me |us )?\w|\bwhat are\b"
    r"|\bwhat is the .*\b(?:table|list|data)\b|列出|给我看|显示",
    re.IGNORECASE,
)
"""Asks to see something whole: one matter and a table under its name will do."""
_ALL = 0.99
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
    action = asks_what_to_do(question)
    kind = "how_to" if action else expected_type(question)
    wanted = matters(question)
    fits = 1.0 if is_steps and kind == "how_to" else fit(kind, question, sentence)
    both = shared(wanted, f"{sentence} {context}", weights)
    # Steps seldom name their subject: it stands in the heading above them.
    headed = is_steps and kind == "how_to"
    own = both if headed else shared(wanted, sentence, weights)
    if kind == "yes_no" and own >= _ALL:
        fits = 1.0  # "points expire after 12 months" affirms without an auxiliary verb
    score = _COVERAGE * own + _CONTEXT * both + _FIT * fits * (0.4 + 0.6 * both)
    score += figure_fit(question, sentence)
    if kind != "yes_no" and negated(sentence) and not negated(question):
        score -= _DENIAL
    if kind == "yes_no" and _denies_another(question, sentence):
        score -= _DENIAL
    if for_another_case(question, sentence):
        score -= _OTHER_CASE
    if not fits and _VALUE_ASKED.search(question):
        score *= _NO_VALUE
    if action and not fits:
        score *= _NO_ACTION
    if is_listing(sentence):
        # What is counted up limits nothing: "Visa, PayPal and gift cards" is no rule about gifts.
        return score
    return score - _FOREIGN * min(2, len(foreign_scope(question, sentence, context)))


def _denies_another(question: str, sentence: str) -> bool:
    """Whether all that the sentence denies is something else than what the question asks about:
    "expired points cannot be restored" does not say whether points expire."""
    denied = denials(sentence)
    asked = {stem(word) for word in words(question)}
    return bool(denied) and not any(d.stems & asked for d in denied)


def figure_fit(question: str, sentence: str) -> float:
    """What ``sentence`` gains for stating a figure of the kind that the question supposes."""
    supposes = expected_type(question) in ("yes_no", "open")
    return _FIGURE if supposes and _units(question) & _units(sentence) else 0.0


@lru_cache(maxsize=4096)
def _units(text: str) -> frozenset[str]:
    return frozenset(q.unit for q in find_quantities(text)) - {"number"}


@lru_cache(maxsize=256)
def matters(question: str) -> Mapping[str, float]:
    """What the question speaks of: what it asks counts in full, what it tells beside that less."""
    plain, _, regarding = question.partition(" (regarding:")
    plain = without_record(plain)
    names = [name for name in find_names(plain) if " " in name]
    for name in names:
        plain = re.sub(re.escape(name), " ", plain, flags=re.IGNORECASE)  # "Best Buy" buys nothing
    spoken = [c for ask in asks(plain) for c in concepts(_CLAUSE.sub(" ", ask))]
    spoken += [c for name in names for c in concepts(name) if not c.startswith("=")]
    kind = kinds(plain)
    asked = {c: 1.0 for c in spoken if not _RECORD.fullmatch(c) and c not in kind}
    dated = concepts(" ".join(d.text for d in absolute_dates(plain)))
    if any(c not in dated for c in asked):
        asked |= dict.fromkeys((c for c in dated if c in asked), _TOLD)  # a day is no subject
    # "What does it cost" is answered by the cost of what the rest is about, of nothing else.
    share = _TOLD if len(asked) > 1 else _LEANT_ON
    told = {c: share for c in concepts(f"{plain} {regarding}") if not _RECORD.fullmatch(c)}
    crux = {c: _CRUX[c] for c in (*told, *asked) if c in _CRUX}
    return {**told, **asked, **crux}


@lru_cache(maxsize=256)
def asked_matters(question: str) -> Mapping[str, float]:
    """Only what the question asks about; all it speaks of where the ask has no word of its own."""
    spoken = matters(question)
    asked = {c: w for c, w in spoken.items() if w >= 1.0} or spoken
    # A figure may be what is wrong with the question ("within 365 days, right?").
    return {c: w for c, w in asked.items() if not c[:1].isdigit()} or asked


def asks_what_to_do(question: str) -> bool:
    """Whether the question asks for an action: "what should I do", "what do you offer"."""
    return bool(_ACTION.search(question))


def is_closed_list(sentence: str) -> bool:
    """Whether the sentence says that what it names is all there is."""
    return bool(_CLOSED.search(sentence))


def excludes_by_list(question: str, text: str) -> bool:
    """Whether ``text`` lists all there is, and the question asks the same of a name beyond it:
    "do you ship to Australia?" is answered by "not to countries other than …"."""
    strangers = [n for n in find_names(question) if n.casefold() not in text.casefold()]
    if not strangers or expected_type(question) in ("person", "place", "reason"):
        return False
    wanted = set(concepts(question)) - {c for name in strangers for c in concepts(name)}
    wanted = {c for c in wanted if not c[:1].isdigit()}
    return any(
        is_closed_list(s.text)
        and bool(find_names(s.text))
        and 0 < len(wanted) <= 2 * len(wanted & set(concepts(s.text)))
        for s in split_sentences(text)
    )


def answers_by_heading(question: str, text: str, context: str) -> bool:
    """Whether ``text`` is steps or a table under a heading (``context``) that says all that is
    asked: the steps below "Return by post" never say "return by post" again."""
    wanted = {c for c in concepts(question) if not c[:1].isdigit()}
    enough = 1 if _DISPLAY.search(question) else _TOPIC
    if len(wanted) < enough or not wanted <= set(concepts(context)):
        return False
    kind = expected_type(question)
    found = [u.kind for u in units(text)]
    return (kind == "how_to" and "steps" in found) or (kind == "open" and "row" in found)


def states_all(question: str, text: str, context: str) -> bool:
    """Whether a sentence of ``text``, with what it stands under, speaks of all the question asks
    and holds the kind of answer it asks for."""
    wanted = set(concepts(question))
    kind = expected_type(question)
    return len(wanted) >= _TOPIC and any(
        wanted <= set(concepts(f"{context} {s.text}")) and fit(kind, question, s.text) > 0
        for s in split_sentences(text)
    )


def is_listing(sentence: str) -> bool:
    """Whether the sentence counts up several named things."""
    return bool(_LISTING.search(sentence))


def is_condition(sentence: str) -> bool:
    """Whether the sentence limits a rule: a condition, an exception, an exclusion."""
    return bool(_CONDITION.search(sentence))


def term_weights(texts: Sequence[str]) -> Mapping[str, float]:
    """Inverse document frequency of the matters over ``texts``; never below 0.2."""
    counts: dict[str, int] = {}
    for text in texts:
        for word in concepts(text):
            counts[word] = counts.get(word, 0) + 1
    total = len(texts)
    return {word: max(0.2, math.log(1 + total / n)) for word, n in counts.items()}
