"""The noun a number counts or describes, found by position alone."""

from __future__ import annotations

import re

from core.text.language import CJK
from core.text.tokens import STOP_WORDS, content_words, stem, word_set

_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*(?:-[A-Za-z]+)*")
_GAP = re.compile(r"[\s\u00a0-]+")
_OF = re.compile(r"\s+(?:of\s+)?(?:the\s+|your\s+|our\s+|different\s+)?", re.IGNORECASE)
_ZH_COUNTED = re.compile(
    rf"\s?(?:个|次|件|张|份|位|名|人|条|项|部|台|种|家|笔|倍)?(?P<n>[{CJK}]{{0,2}})"
)
_NOT_NOUNS = STOP_WORDS | word_set(
    """per ago later earlier before after within between during until since least including
    excluding percent plus minus times"""
)


def noun_after(text: str, end: int) -> str:
    """Stem of the noun counted by the number ending at ``end``; empty when none follows."""
    if match := _ZH_COUNTED.match(text, end):
        counted = match[0].strip()
        if counted:
            return counted[-2:] if len(counted) > 2 else counted
    run = _run(text, end)
    plural = next((w for w in run if w.endswith("s") and not w.endswith("ss")), None)
    return stem(plural or run[0]) if run else ""


def _run(text: str, end: int) -> list[str]:
    """Up to three words that follow without punctuation or a function word."""
    out: list[str] = []
    position = end
    while len(out) < 3:
        gap = (_OF if not out else _GAP).match(text, position)
        word = _WORD.match(text, gap.end()) if gap else None
        if not word or word[0].lower() in _NOT_NOUNS:
            break
        out.append(word[0].lower())
        position = word.end()
    return out


def noun_near(text: str, start: int, end: int) -> str:
    """Stem of the last word of the noun phrase after a quantity, or of the nearest word before."""
    if run := _run(text, end)[:2]:
        return stem(run[-1])
    before = content_words(text[max(0, start - 60) : start])
    return next((w for w in reversed(before) if not w[0].isdigit()), "")
