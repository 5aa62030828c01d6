"""Which language a text is written in, by script alone."""

from __future__ import annotations

import re

from core.models.request import Language

CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f"
"""Character class body of Chinese characters, for use inside ``[…]``."""

_CJK = re.compile(f"[{CJK}]")
_KANA_OR_HANGUL = re.compile("[\u3040-\u30ff\uac00-\ud7af]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_ZH_SHARE = 0.15
"""One Chinese character says about as much as four Latin letters."""


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def cjk_share(text: str) -> float:
    """Share of the letters in ``text`` that are Chinese characters, 0..1 (0 without letters)."""
    if text.isascii():
        return 0.0
    letters = _letters(text)
    return len(_CJK.findall(text)) / letters if letters else 0.0


def detect_language(text: str) -> Language:
    """``zh`` for a notable share of Chinese characters, ``en`` for Latin script, else ``other``.

    A text without letters counts as ``en``: numbers and codes read the same to the English rules.
    """
    letters = _letters(text)
    if not letters:
        return "en"
    kana = len(_KANA_OR_HANGUL.findall(text))
    if kana / letters > 0.1:
        return "other"
    if cjk_share(text) >= _ZH_SHARE:
        return "zh"
    return "en" if len(_LATIN.findall(text)) / letters >= 0.5 else "other"
