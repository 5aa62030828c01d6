"""How long a text is, for cutting it."""

from __future__ import annotations

import re

from core.text.language import CJK

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


def mostly_chinese(text: str) -> bool:
    """Whether Chinese characters set the tone: a quarter of a text or more."""
    return len(_CJK.findall(text)) * 4 > len(text)
