"""Negation, modality and quantifiers: the small words that turn a rule round."""

from __future__ import annotations

import re

NEGATORS = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|cannot|fail(?:s|ed)? to|refuse[sd]? to|"
    r"unable to|declined? to|lack(?:s|ed|ing)?(?: of)?|without|except|excluding|unless|"
    r"hardly|"
    r"(?:ca|wo|do|does|did|is|are|was|were|should|could|would|must|has|have|had|need|ai)n['’]t)\b"
    r"|n['’]t\b|不|没|无(?!论)|非(?!常)|未|禁止|勿|别(?=[^人的处])",
    re.IGNORECASE,
)
_NOT_NEGATION = re.compile(
    r"\bnot only\b|\bno later than\b|\bno (?:more|less|fewer|earlier) than\b|\bnot (?:more|"
    r"less) than\b"
    r"|\bno\.\s*\d|\bwhether or not\b|\bno (?:problem|worries|matter)\b|\bnot just\b"
    r"|不超过|不少于|不低于|不多于|不仅|不但|不论|不管|不得超过|不晚于|差不多",
    re.IGNORECASE,
)
_MODALS: dict[str, re.Pattern[str]] = {
    "must": re.compile(
        r"\b(?:must|shall|has to|have to|had to|required to|is required|are required|needs? to|"
        r"mandatory|obliged to|compulsory)\b|必须|务必|应当|须|需要",
        re.IGNORECASE,
    ),
    "may": re.compile(
        r"\b(?:may(?! \d)|might|optional|optionally|at (?:our|its|their) discretion)\b|可能|或许|"
        r"可选",
        re.IGNORECASE,
    ),
    "can": re.compile(
        r"\b(?:can|could|able to|eligible|allowed to|permitted to)\b|可以|能够|可(?=[^能选])"
    ),
    "should": re.compile(
        r"\b(?:should|ought to|recommended|advised)\b|应该|建议|最好", re.IGNORECASE
    ),
    "will": re.compile(r"\b(?:will|guaranteed?|always|certain to)\b|一定|保证|必将", re.IGNORECASE),
}
_QUANTIFIERS: dict[str, re.Pattern[str]] = {
    "all": re.compile(
        r"\b(?:all|every|everyone|everything|each|any|always|entire|whole)\b|所有|全部|一切|任何|"
        r"每|均|始终",
        re.IGNORECASE,
    ),
    "any": re.compile(r"\b(?:any|anyone|anything)\b|任何|任意", re.IGNORECASE),
    "only": re.compile(r"\b(?:only|solely|exclusively|just)\b|仅|只|唯一", re.IGNORECASE),
    "none": re.compile(
        r"\b(?:none|no one|nobody|never|nothing|neither)\b|没有任何|从不|绝不|永不", re.IGNORECASE
    ),
    "some": re.compile(
        r"\b(?:some|certain|several|selected|a few|sometimes|partly|partial)\b|部分|有些|某些|"
        r"一些|有时",
        re.IGNORECASE,
    ),
    "most": re.compile(
        r"\b(?:most|mostly|usually|generally|typically|majority)\b|大多|大部分|通常|一般",
        re.IGNORECASE,
    ),
}


def negators(sentence: str) -> tuple[tuple[int, int], ...]:
    """Spans of the words that deny; "no later than" and "not only" are none."""
    shields = [m.span() for m in _NOT_NEGATION.finditer(sentence)]
    return tuple(
        m.span()
        for m in NEGATORS.finditer(sentence)
        if not any(left <= m.start() < right for left, right in shields)
    )


def negated(sentence: str) -> bool:
    """Whether the sentence denies or excludes something."""
    return bool(negators(sentence))


def modality(sentence: str) -> frozenset[str]:
    """Which of must, may, can, should, will the sentence speaks in."""
    return frozenset(name for name, pattern in _MODALS.items() if pattern.search(sentence))


def quantifiers(sentence: str) -> frozenset[str]:
    """Which of all, any, only, none, some, most the sentence speaks of."""
    return frozenset(name for name, pattern in _QUANTIFIERS.items() if pattern.search(sentence))
