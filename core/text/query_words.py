"""How a passage answers to the words of a query: which it holds, in which company, whose names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from core.text.language import CJK
from core.text.names import find_names
from core.text.tokens import STOP_WORDS, content_words, stem

_CHINESE = re.compile(f"[{CJK}]")
_LATIN = re.compile(r"[a-z]{1,4}-\d{3,}|\d+(?:[.,:]\d+)*|[^\W_]+(?:'[^\W\d_]+)*")
_WORD = re.compile(rf"[A-Za-z]{{1,4}}-\d{{3,}}|\d+(?:[.,:]\d+)*|(?:(?![{CJK}])[^\W_])+|[{CJK}]+")


class Shares(NamedTuple):
    """Shares 0..1 of the query's ``pairs`` of neighbouring words, which stand next to each other
    in the text or with one word between, and of its ``names`` and numbers; 0 without any."""

    pairs: float
    names: float


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

    def shares(self, text: str) -> Shares:
        """How much of the query's neighbouring words, names and numbers the text holds."""
        found = _terms(text)
        return Shares(self._pairs_in(found), self._names_in(found))

    def _pairs_in(self, found: Sequence[str]) -> float:
        if not self.pairs:
            return 0.0
        near = set(pairwise(found)) | set(zip(found, found[2:], strict=False))
        return len(self.pairs & near) / len(self.pairs)

    def _names_in(self, found: Sequence[str]) -> float:
        return len(self.names.intersection(found)) / len(self.names) if self.names else 0.0

    def matched(self, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The query's words that the text holds, and those it lacks, as they were written."""
        there = set(_terms(text))
        held = [shown for shown, terms in self._shown.items() if terms & there]
        lacked = [shown for shown, terms in self._shown.items() if not terms & there]
        return tuple(held), tuple(lacked)


def _terms(text: str) -> Sequence[str]:
    """``content_words`` of a text, faster: a search reads some forty texts a question.

    Their words repeat, so each is looked up once; only Chinese needs the whole machinery.
    """
    if _CHINESE.search(text):
        return content_words(text)
    words = _LATIN.findall(text.lower().replace("’", "'"))
    return [term for word in words if (term := _term(word))]


@lru_cache(maxsize=65536)
def _term(word: str) -> str:
    """The stem of one lower-case word; empty for a word that carries no meaning."""
    if word[0].isdigit():
        return word.replace(",", "")
    word = word.removesuffix("'s")
    return "" if word in STOP_WORDS or len(word) < 2 else stem(word)


def _has_digit(term: str) -> bool:
    return any(ch.isdigit() for ch in term)


def _shown(query: str) -> dict[str, frozenset[str]]:
    """Each word of the query as it is written, with the terms it is looked for by."""
    words = dict.fromkeys(_WORD.findall(query))
    out = {word: frozenset(content_words(word)) for word in words}
    return {word: terms for word, terms in out.items() if terms}
