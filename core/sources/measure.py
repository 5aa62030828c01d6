"""How long a text is and where its sentences end, for cutting it."""

from __future__ import annotations

import re

from core.ports import TokenCounter
from core.text.language import CJK
from core.text.sentences import split_sentences

_WINDOW = 10_000  # characters
_CHINESE_SAVING = 0.3
_CHARACTERS_A_WORD = 1.7  # Chinese: a target of 180 words is about 300 characters
_CJK = re.compile(f"[{CJK}]")
_WORD = re.compile(r"\S+")


class WordEstimate:
    """A ``TokenCounter`` for when no tokenizer is at hand; errs on the high side."""

    def count(self, text: str) -> int:
        """About 1.5 tokens a word, one a Chinese character, and at least one per four letters."""
        characters = len(_CJK.findall(text))
        words = len(_WORD.findall(_CJK.sub(" ", text)))
        return characters + max(round(words * 1.5), (len(text) - characters) // 4)


def size(text: str) -> float:
    """Length in words; Chinese characters count as parts of words."""
    characters = len(_CJK.findall(text))
    if not characters:
        return len(_WORD.findall(text))
    return len(_WORD.findall(_CJK.sub(" ", text))) + characters / _CHARACTERS_A_WORD


def weight_in(tokens: TokenCounter, text: str) -> float:
    """Tokens of ``text`` as an encoder that reads all of it counts them.

    The default encoder's vocabulary takes Chinese apart character by character and reads little
    of it; one that knows Chinese needs about seven tokens for ten characters.
    """
    return tokens.count(text) - _CHINESE_SAVING * len(_CJK.findall(text))


def sentence_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Sentences of ``text[start:end]`` as offsets into ``text``."""
    spans: list[tuple[int, int]] = []
    while start < end:
        stop = _window_end(text, start, end)
        spans += [(start + s.start, start + s.end) for s in split_sentences(text[start:stop])]
        start = stop
    return spans


def _window_end(text: str, start: int, end: int) -> int:
    """Splitting slows down with length, so endless paragraphs are split window by window."""
    if end - start <= _WINDOW:
        return end
    last = max(text.rfind(mark, start + 1, start + _WINDOW) for mark in (". ", "。", "\n", " "))
    return last + 1 if last > start else start + _WINDOW
