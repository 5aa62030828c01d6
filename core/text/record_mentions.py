"""Order and customer numbers as they stand in a question: asked about, or named in passing."""

from __future__ import annotations

import re

_MENTION = re.compile(
    r"\s*(?:\b(?:from|of|in|for|with|on|about)\s+)?(?:\b(?:my|the|this)\s+)?"
    r"\b(?:order|customer|订单)\s*(?:number|no\.?|号)?\s*[#:：]?\s*[A-Za-z]{0,4}-?\d{2,}\b|"
    r"\(\s*[A-Za-z]{1,4}-\d{3,}\s*\)",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"\b(?:from|of|in|for|with|on|about)\s+(?:my\s+|the\s+|this\s+)?order\b|\(\s*(?:order\b)?[^)]*\d",
    re.IGNORECASE,
)


def without_record(part: str) -> str:
    """``part`` without the number it names: a rule names no order."""
    return _MENTION.sub("", part)


def named_in_passing(value: str, parts: tuple[str, ...]) -> bool:
    """Whether a record is only named beside what is asked: "the coat from order A-10293"."""
    naming = [part for part in parts if value in part.upper()]
    return all(_BESIDE.search(part) for part in naming)
