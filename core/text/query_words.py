"""How a passage answers to the words of a query: which it holds, in which company, whose names."""

from __future__ import annotations

import re
from itertools import pairwise

from core.text.language import CJK
from core.text.names import find_names
from core.text.tokens import content_words

_WORD = re.compile(rf"[A-Za-z]{{1,4}}-\d{{3,}}|\d+(?:[.,:]\d+)*|(?:(?![{CJK}])[^\W_])+|[{CJK}]+")


class QueryWords:
    """The words of one query, made ready to be looked for in many passages.

    ``terms`` are stems (pairs of characters in Chinese), ``names`` those of them that belong to
    a name or hold a digit, ``pairs`` the neighbouring ones.
    """

    def __init__(self, query: str) -> None:
        ordered = content_words(query)
        self.terms = frozenset(ordered)
        self.pairs = frozenset(pairwise(ordered))
        named = content_words(" ".join(find_names(query)))
        self.names = frozenset(t for t in ordered if _has_digit(t)) | (self.terms & set(named))
        self._shown = _shown(query)

    def pair_share(self, text: str) -> float:
        """Share of the neighbouring words that the text has next to each other, 0..1.

        One word may stand between them.
        """
        if not self.pairs:
            return 0.0
        found = content_words(text)
        near = set(pairwise(found)) | set(zip(found, found[2:], strict=False))
        return len(self.pairs & near) / len(self.pairs)

    def name_share(self, text: str) -> float:
        """Share of the query's names and numbers that the text holds, 0..1; 0 without any."""
        if not self.names:
            return 0.0
        return len(self.names & set(content_words(text))) / len(self.names)

    def matched(self, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The query's words that the text holds, and those it lacks, as they were written."""
        there = set(content_words(text))
        held = [shown for shown, terms in self._shown.items() if terms & there]
        lacked = [shown for shown, terms in self._shown.items() if not terms & there]
        return tuple(held), tuple(lacked)


def _has_digit(term: str) -> bool:
    return any(ch.isdigit() for ch in term)


def _shown(query: str) -> dict[str, frozenset[str]]:
    """Each word of the query as it is written, with the terms it is looked for by."""
    words = dict.fromkeys(_WORD.findall(query))
    out = {word: frozenset(content_words(word)) for word in words}
    return {word: terms for word, terms in out.items() if terms}
