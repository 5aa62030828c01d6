"""Whether a sentence says that something costs nothing."""

from __future__ import annotations

import re

from core.text.quantities import find_quantities
from core.text.units import CURRENCIES

_FREE = re.compile(
    r"(?<!feel )(?<![-\w])free(?: of charge)?\b(?![- ](?:to\b|trial|time|choice|from|market))|"
    r"\b(?:at )?no (?:extra |additional )?(?:charge|cost|fee)s?\b|\bcosts? nothing\b|"
    r"\bwithout (?:any )?(?:charge|cost|fee)\b|免费|不收费|包邮|无需付费",
    re.IGNORECASE,
)
_NOT_FREE = re.compile(r"\bnot (?:\w+ )?free\b|\bno longer free\b|不免费|不包邮", re.IGNORECASE)


def says_free(sentence: str) -> bool:
    """Whether the sentence grants something for nothing."""
    return bool(_FREE.search(sentence)) and not _NOT_FREE.search(sentence)


def names_price(sentence: str) -> str:
    """The first sum of money in the sentence, as written; empty without one."""
    return next((q.text for q in find_quantities(sentence) if q.unit in CURRENCIES), "")
