"""Takes out of a question what only a record could know: the customer's own order number."""

from __future__ import annotations

import re

from core.text.identifiers import find_identifiers

_FROM = r"\s*\b(?:from|for|of|with|in|on|about|under|regarding)\s+"
_THING = (
    r"(?:(?:my|the|our|this|your)\s+)?(?:order|case|ticket|account|customer|client)"
    r"(?:\s+(?:number|no\.?|id|nr\.?))?\s*[:#＃]?\s*"
)


def without_own_numbers(question: str, passage: str) -> str:
    """``question`` without "from order A-10293" and the like, where ``passage`` does not name it.

    "How long can I return the coat from order A-10293?" asks a policy "How long can I return the
    coat?"; over that order's record it stays as it is. What the question itself is about stays too:
    "Can order A-10293 be cancelled?"
    """
    left = question
    for found in find_identifiers(question):
        if found.value.casefold() not in passage.casefold():
            value = rf"{re.escape(found.value)}(?!\w)"
            left = re.sub(rf"{_FROM}(?:{_THING}|[#＃]?){value}", "", left, flags=re.I)
    return left if left.strip() else question
