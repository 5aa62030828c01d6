"""Quotes untrusted text in a prompt, so that it cannot pass for anything else.

A fence carries a name that nobody who wrote the text could know, and what looks like a fence inside
the text is turned into other characters, one for one, so that places in the text stay the same.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable

_RUN = re.compile(r"<{3,}|>{3,}")
_ODD = re.compile(
    # controls, line and paragraph separators, reversed writing, halves of characters, and the tag
    # characters that no reader sees and every model reads
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]"
)
_SPACE = re.compile(r"\s+")
_LONGEST_QUOTE = 1200


def new_name() -> str:
    """Eight random bytes: nothing a text could hold but by a chance of 1 in 2 to the 64th."""
    return secrets.token_hex(8)


def tame(text: str) -> str:
    """``text`` without what could pass for a fence, break a line or an encoding, or go unseen.

    Of the same length, and each character in its place: a span of one is the span of the other.
    """
    quiet = _RUN.sub(lambda run: ("‹" if run[0][0] == "<" else "›") * len(run[0]), text)
    return _ODD.sub(lambda odd: "\ufffd" if odd[0] >= "\ud800" else " ", quiet)


class Fence:
    """The fence of one request. Every text in it is quoted by ``around``."""

    def __init__(self, texts: Iterable[str], *, name: Callable[[], str] = new_name) -> None:
        held = "\n".join(texts)
        self.name = name()
        while self.name in held:
            self.name = name()

    def around(self, label: str, text: str) -> str:
        """``text`` between two lines that only we can write. ``label`` must be our own word."""
        return f"<<<{self.name} {label}\n{tame(text)}\n{label} {self.name}>>>"


def one_line(text: str) -> str:
    """``text`` on one line, for titles and headings."""
    return _SPACE.sub(" ", tame(text)).strip()


def exact_span(quote: object, text: str) -> str:
    """The words of ``text`` that ``quote`` copies, spacing apart; empty where it copies none.

    What a model wrote reaches nobody; only words that stand in ``text`` do.
    """
    if not isinstance(quote, str) or len(quote) > _LONGEST_QUOTE:
        return ""
    words = tame(quote).split()
    if not words:
        return ""
    found = re.search(r"\s+".join(re.escape(word) for word in words), tame(text))
    return text[found.start() : found.end()] if found else ""
