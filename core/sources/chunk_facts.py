"""What is known of a passage besides its text: its pages, and the key it shares with copies."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from core.text.near_duplicates import text_key

_SPEAKS_FOR_ITSELF = 12  # words or characters of Chinese
"""A shorter text ("30 days.") says what its headings make of it."""


def page_of(page_starts: Sequence[int], offset: int) -> int | None:
    """The page, from 1, that the character at ``offset`` is on; ``None`` without pages."""
    return max(1, bisect_right(page_starts, offset)) if page_starts else None


def key_of(text: str, path: Sequence[str], beside: str) -> str:
    """The passage's ``text_key``. Rows count with their header, a short text with its headings."""
    alone = text_key(text)
    if not alone:
        return ""
    said = [beside] if beside else []
    if len(text) < _SPEAKS_FOR_ITSELF * 6 and len(text.split()) < _SPEAKS_FOR_ITSELF:
        said += path
    return text_key("\n".join([*said, text])) if said else alone
