"""The same sentence with a small word in or out: "cannot be closed without" and "can be closed
without" share every word of weight and say the opposite."""

from __future__ import annotations

import re
from collections import Counter

from core.text.polarity import NEGATORS
from core.text.similarity import overlap

_SAME_WORDS = 0.8
_PLAIN_NOT = re.compile(r"^(?:not|cannot|.*n['’]t|不|没|未|非)$", re.IGNORECASE)


def turned(claim: str, sentence: str) -> bool:
    """Whether the two are nearly the same words with other negations in them."""
    return overlap(claim, sentence) >= _SAME_WORDS and _negators(claim) != _negators(sentence)


def said_alike(claim: str, sentence: str) -> bool:
    """Whether the two are nearly the same words with the same negations in them."""
    return overlap(claim, sentence) >= _SAME_WORDS and _negators(claim) == _negators(sentence)


def _negators(text: str) -> Counter[str]:
    found = (m.group(0).lower() for m in NEGATORS.finditer(text))
    return Counter("not" if _PLAIN_NOT.match(word) else word for word in found)
