"""Whether a question stands on its own or needs what was said before it."""

from __future__ import annotations

import re

from core.text.intent import too_vague
from core.text.language import detect_language
from core.text.tokens import content_words, stem, word_set

_I = re.IGNORECASE
_DEPENDENT = re.compile(
    r"\b(?:it|its|they|them|their|theirs|this|these|those|he|she|him|her|the same(?! as)|the other|"
    r"the latter|ones?|(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )there|such|both|either|neither|"
    r"(?:is|was|does|did|about|of|for|like|with|do|how|to|on|in) that|that(?=\s*(?:[?.!]|$|is\b|"
    r"was\b)))\b"
    r"|[它他她]们?|这个?|那个?|该|此|其",
    _I,
)
_OPENER = re.compile(
    r"^\W*(?:(?:and|but|so|or|also|then|still|even|sure|ok(?:ay)?|yes|no|really|well|now|"
    r"by the way)\b[,，!]?\s*)+",
    _I,
)
_ELLIPTIC = re.compile(
    r"^(?:and|but|so|or|also|then|what about|how about|what if|why not|any|only|still|even|same|"
    r"in that case|other|how come|really|sure|ok(?:ay)?|yes|no)\b",
    _I,
)
_ZH_ELLIPTIC = re.compile(r"^(?:那么?|还有|如果是?|要是|另外)(?=[^些个里])|呢\s*[?？]?$")
_CLAUSE = re.compile(
    r"^\W*(?:(?:what|which|who|how|when|where|why)\b.*\b(?:is|are|do|does|did|can|will|was|were|"
    r"may|must|should|has|have)\b|(?:is|are|do|does|did|can|could|may|will|would|should|must|was|"
    r"were|has|have)\s+(?:i|we|you|the|a|an|my|your|our|[a-z]+s)\b)",
    _I,
)
_WHAT_IS = re.compile(
    r"^\W*(?:what|who) (?:is|are|was|were) (?!it\b|that\b|this\b|they\b|these\b)", _I
)
_NAMED_AFTER = re.compile(r"(?:[Tt]his|[Tt]hese|[Tt]hose) (?:[A-Z][\w-]* ?){2,}")
""""this Vulnerability Advisor" says by itself what it is."""
_POSSESSIVE = re.compile(r"its|theirs?|his|her|there|such|both|either|neither|ones?", _I)
_CLAUSE_BREAK = re.compile(
    r"\b(?:if|when|after|before|because|since|and|but|or|that|which|who|as|while|so|than)\b|[,;:]",
    _I,
)
_WEIGHTLESS = frozenset(
    stem(w)
    for w in word_set(
        """until till long soon still much many first also by now actually really exactly else
        only even when before after within per old far best most possible able again back"""
    )
)
"""Words that say nothing of what a question is about."""


def leans_on_context(question: str) -> bool:
    """Whether the question needs what came before it: a pronoun without its noun, an ellipsis,
    or too few words of its own."""
    terms = set(content_words(question))
    if too_vague(question):
        return True
    if is_ellipsis(question):
        return True
    if len(terms) <= 1:
        return not _WHAT_IS.match(question) and not _chinese(question)
    pronoun = _DEPENDENT.search(question)
    if pronoun is None or len(terms) > 5 or _NAMED_AFTER.match(question[pronoun.start() :]):
        return False
    opening = question[: pronoun.start()]
    if len(set(content_words(opening)) - _WEIGHTLESS) < 2 or _chinese(question):
        return True
    # In "Can women play it?" nothing of the same clause can be what "it" stands for.
    return not _POSSESSIVE.fullmatch(pronoun[0]) and not _CLAUSE_BREAK.search(opening)


def is_ellipsis(question: str) -> bool:
    """Whether the question leaves its clause out: "And for Canada?", "Any exceptions?".

    "And how do gift cards work?" only opens with such a word.
    """
    if _chinese(question):
        return (
            bool(_ZH_ELLIPTIC.search(question.strip())) and len(set(content_words(question))) <= 4
        )
    if not _ELLIPTIC.search(question.strip()) or len(set(content_words(question))) > 6:
        return False
    rest = _OPENER.sub("", question.strip())
    whole = rest != question.strip() and _CLAUSE.match(rest) and not _DEPENDENT.search(rest)
    return not (whole and len(set(content_words(rest)) - _WEIGHTLESS) >= 2)


def _chinese(text: str) -> bool:
    return detect_language(text) == "zh"
