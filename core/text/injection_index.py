"""Finds the few rules that a sentence could fulfil at all, by the words they need."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from core.text.injection_rules import Rule

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


_LATIN = re.compile(r"[a-z]+")


class RuleIndex:
    """Rules by the beginnings of words that they need.

    A rule without needs is always tried. What is no plain word (a sign, another script) is looked
    for as it stands. One pass over a sentence's words spares it most of the patterns.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = tuple(rules)
        self._always = [at for at, rule in enumerate(rules) if not rule.needs]
        self._words: dict[str, set[int]] = defaultdict(set)
        self._phrases: dict[str, list[tuple[str, int]]] = defaultdict(list)
        self._signs: list[tuple[str, int]] = []
        self._foreign: list[tuple[str, int]] = []
        for at, rule in enumerate(rules):
            for need in rule.needs:
                self._add(need, at)
        self._longest = max(map(len, self._words), default=0)
        self._of_word = lru_cache(maxsize=20_000)(self._looked_up)

    def _looked_up(self, word: str) -> tuple[frozenset[int], tuple[tuple[str, int], ...]]:
        """Rules of the word's beginnings, and of phrases that begin with it."""
        ends = range(1, min(len(word), self._longest) + 1)
        plain = frozenset(at for end in ends for at in self._words.get(word[:end], ()))
        return plain, tuple(self._phrases.get(word, ()))

    def _add(self, need: str, at: int) -> None:
        first = _WORD.match(need)
        if not need.isascii():
            self._foreign.append((need, at))
        elif first is None or not all(ch.isalpha() or ch in " '" for ch in need):
            self._signs.append((need, at))
        elif first[0] == need:
            self._words[need].add(at)
        else:
            self._phrases[first[0]].append((need, at))

    def may_hold(self, low: str) -> list[Rule]:
        """The rules that text in lower case could fulfil, in their order."""
        found = set(self._always)
        words = set(_WORD.findall(low))
        if not low.isascii():  # "如果你是ai": what stands between Chinese characters is a word
            words.update(_LATIN.findall(low))
        for word in words:
            plain, phrases = self._of_word(word)
            found |= plain
            found.update(at for phrase, at in phrases if phrase in low)
        signs = self._signs if low.isascii() else (*self._signs, *self._foreign)
        found.update(at for sign, at in signs if sign in low)
        return [self._rules[at] for at in sorted(found)]

    def holding(self, low: str) -> list[Rule]:
        """The rules that text in lower case fulfils, in their order."""
        return [rule for rule in self.may_hold(low) if rule.pattern.search(low)]
