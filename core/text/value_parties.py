# ruff: noqa: E501 - word lists and patterns read better unbroken
"""Who decides, pays or answers: the party a sentence names for what is asked."""

from __future__ import annotations

import re
from typing import NamedTuple

from core.text.polarity import negated
from core.text.scope import foreign_scope, scope_words
from core.text.sentences import split_sentences
from core.text.tokens import content_words, stem

_ROLES = (
    "customer|buyer|seller|sender|recipient|merchant|employee|employer|tenant|landlord|shopper|member|patient|student|company|shop|store|"
    "(?:store|shift|duty|branch|team|regional|area|department|line|product|general)? ?manager|supervisor|team lead(?:er)?|director|"
    "(?:\\w+ )?(?:team|department|desk|office|committee|board)|agent|cashier|controller|administrator|owner|courier|carrier|warehouse|"
    "manufacturer|supplier|insurer|bank|accountant|auditor"
)
_ASKS = re.compile(
    r"\bwho\b|\bwhose\b|\bby whom\b|\bwhich (?:team|department|role|person|manager|party)\b|谁|由哪",
    re.I,
)
_ACT = r"(?:pays?|bears?|covers?|decides?|approves?|signs?(?: off)?|authori[sz]es?|handles?|answers?|owns?|reviews?|confirms?|grants?|issues?|is (?:liable|responsible)|are (?:liable|responsible)|must (?:pay|bear|cover|decide|approve|sign|confirm))"
_SUBJECT = re.compile(
    rf"\b(?:the|a|an|our|your|each|any)\s+(?P<role>{_ROLES})s?\s+(?:\w+ )?{_ACT}\b", re.I
)
_AGENT = re.compile(
    rf"\b(?:by|with|from|to|at the expense of|charged to|responsibility of|up to)\s+(?:the|a|an|our|your)\s+(?P<role>{_ROLES})s?\b",
    re.I,
)
_WE_ACT = re.compile(rf"\bwe\s+(?:\w+ )?{_ACT.replace('s?', '')}\b", re.I)
_ASKED = 0.4


class _Named(NamedTuple):
    role: str
    quote: str
    words: frozenset[str]


def party_disagreement(
    query: str, left: str, right: str
) -> tuple[tuple[str, str], tuple[str, str]] | None:
    """(party, sentence) of each text where ``query`` asks who, both name one for the same cases,
    and neither names the other's."""
    if not _ASKS.search(query):
        return None
    one, other = _parties(query, left), _parties(query, right)
    if not one or not other or {p.words for p in one} & {p.words for p in other}:
        return None
    for a in one:
        for b in other:
            alike = scope_words(a.quote) - a.words == scope_words(b.quote) - b.words
            if alike and not (a.words <= b.words or b.words <= a.words):
                return (a.role, a.quote), (b.role, b.quote)
    return None


def _parties(query: str, text: str) -> list[_Named]:
    wanted = {word for word in content_words(query) if word != stem("who")}
    found = []
    for sentence in split_sentences(text):
        held = wanted & set(content_words(sentence.text))
        if not wanted or len(held) < _ASKED * len(wanted) or negated(sentence.text):
            continue
        named = {word for role in _roles(sentence.text) for word in content_words(role)}
        if foreign_scope(query, sentence.text) - named:
            continue
        found += [_Named(role, sentence.text, frozenset(content_words(role)) or frozenset({role}))
                  for role in _roles(sentence.text)]  # fmt: skip
    return found


def _roles(sentence: str) -> list[str]:
    named = [m["role"].strip() for m in (*_SUBJECT.finditer(sentence), *_AGENT.finditer(sentence))]
    return [*named, "we"] if _WE_ACT.search(sentence) else named
