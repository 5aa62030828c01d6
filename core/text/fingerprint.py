"""What a text says, without the way it is written: the words and values to compare texts by."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from core.text.language import CJK
from core.text.numerals import CHINESE, parse_number
from core.text.tokens import word_set

# --- Writing that carries no meaning: width, marks of Markdown and HTML, invisible characters.
_WIDE = re.compile("[\uff00-\uffef\ufb00-\ufb06]+")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff]")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_STRUCK = re.compile(r"</?(?:s|del|strike)>", re.IGNORECASE)
_INLINE_TAG = re.compile(r"</?(?:b|i|em|strong|u|span|a|code|font|mark)(?:\s[^<>]*)?>", re.I)
_BLOCK_TAG = re.compile(
    r"</?(?:p|br|div|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|td|th|h[1-6]|pre)(?:\s[^<>]*)?/?>", re.I
)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\((?:[^()\s]|\([^)]*\))*(?:\s+\"[^\"]*\")?\)")
_AUTOLINK = re.compile(r"<(https?://[^>\s]+)>")
_FOOTNOTE = re.compile(r"\[\^[^\]]+\]:?")
_ASTERISKS = re.compile(r"(?<!\d)\*+|\*+(?!\d)")
_DRAWN = re.compile(r"^[-=*_|:~` \t]{2,}$", re.MULTILINE)
_LINE_MARK = re.compile(
    r"^[ \t]*(?:>(?![ \t]*\d)[ \t]?)*(?:#{1,6}[ \t]+|[-*•▪◦·–][ \t]+|\+[ \t]+(?!\d))?", re.MULTILINE
)
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_RANGE = re.compile(r"(?<=\d)[ \t]*[-‐-―][ \t]*(?=\d)")

# --- Writing that does: a box ticked or not, a cell left empty, a "no" that stands for itself.
_KEPT: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\[[xX]\](?!\()"), " ☑ "),
    (re.compile(r"\[ \](?!\()"), " ☐ "),
    (re.compile(r"\|[ \t]*(?=\|)"), "| ∅ "),
    (re.compile(r"\b(no|not|never|none)[ \t]*[,;:.!](?=\s*\w)", re.IGNORECASE), r"\1 ¬ "),
    (re.compile(r"([不没否无非未别勿])[ \t]*[,;:!。、](?=\s*\w)"), r"\1 ¬ "),
)

_DROPPED = (
    r"!\"&'()*,\-./:;@\[\\\]^_`{|}¡¿«»·"
    "\u2010-\u2027\u2039-\u203b\u3001-\u3003\u3008-\u3011\u3014-\u301f"
)
_TOKEN = re.compile(
    r"(?:(?<![A-Za-z0-9_%])[-+])?\.?\d+(?:[.,:/^*-]\d+)*"
    rf"|[{CJK}〇]"
    rf"|[^\W\d{CJK}_]+[#+]{{1,2}}(?![\w+#])"  # C# and C++
    rf"|(?:(?![{CJK}])[^\s\d{_DROPPED}$%<>=+?#~¬])+(?:'[^\W\d_]+)*"
    r"|!=|~~|[$%<>=+?~¬]"
)
_NUMBER_WORD = re.compile(
    r"(?<!\w)(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
    r"(?:[\s-](?:one|two|three|four|five|six|seven|eight|nine)(?![\s-](?:hundred|thousand)))?"
    r"|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen)(?!\w)"
)
_ZH_NUMBER = re.compile(CHINESE)
_FURNITURE = word_set("a an the please kindly that is are")
_NOTE_THAT = re.compile(r"\b(?:please )?note(?: that|:)|\bimportant:")
_SPELLINGS = (
    (re.compile(r"(?<=[a-z]{3})is(?=e[ds]?$|ing$|ation)"), "iz"),
    (re.compile(r"(?<=[a-z]{2})our(?=s?$|ed$|ing$|able$|ite)"), "or"),
    (re.compile(r"ll(?=ed$|ing$|ation)"), "l"),
    (re.compile(r"(?<=[a-z]{3}t)re(?=s?$)"), "er"),
)


@lru_cache(maxsize=4096)
def written_tokens(text: str) -> tuple[str, ...]:
    """The words, numbers and signs of a text in order, whatever its spacing, case and marks.

    Nothing that can tell two statements apart is left out: no small word, sign, currency, ticked
    box, empty cell or question mark. A full stop after "no" or "不" counts, as in "No, it is".
    """
    return tuple(_TOKEN.findall(_unmarked(text)))


@lru_cache(maxsize=4096)
def text_key(text: str) -> str:
    """Equal for texts that say the same in other spacing, case, punctuation, marks and width.

    Never equal over different words, numbers, dates, money, names or negations. Empty for a text
    without a word, which is the same as nothing.
    """
    return _hashed(written_tokens(text))


@lru_cache(maxsize=4096)
def meaning_tokens(text: str) -> tuple[str, ...]:
    """``written_tokens`` without plurals, spelling habits, articles and polite words.

    Numbers in words become digits. Every other word stays, in its place and tense.
    """
    spelled = _NUMBER_WORD.sub(_digits, _NOTE_THAT.sub(" ", _unmarked(text)))
    tokens = _TOKEN.findall(_ZH_NUMBER.sub(_zh_digits, spelled))
    return tuple(_root(token) for token in tokens if token not in _FURNITURE)


@lru_cache(maxsize=4096)
def meaning_key(text: str) -> str:
    """Equal for texts with the same ``meaning_tokens``; empty where there are none."""
    return _hashed(meaning_tokens(text))


def _unmarked(text: str) -> str:
    text = _folded(text)
    text = _STRUCK.sub("~~", _COMMENT.sub(" ", text)) if "<" in text else text
    text = _BLOCK_TAG.sub(" ", _INLINE_TAG.sub("", text)) if "<" in text else text
    for pattern, replacement in _KEPT:
        text = pattern.sub(replacement, text)
    if "[" in text:
        text = _FOOTNOTE.sub("", _LINK.sub(r"\1", text))
    text = _AUTOLINK.sub(r"\1", text)
    text = _LINE_MARK.sub("", _DRAWN.sub("", text))
    text = _RANGE.sub("-", _THOUSANDS.sub(lambda match: match[0].replace(",", ""), text))
    return _ASTERISKS.sub("", text).casefold()


def _folded(text: str) -> str:
    """Full and half width forms alike; fractions and raised digits stay what they are."""
    if text.isascii():
        return text
    text = _WIDE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    text = _INVISIBLE.sub("", unicodedata.normalize("NFC", text))
    return text.replace("’", "'").replace("−", "-")


def _digits(match: re.Match[str]) -> str:
    value = parse_number(match[0])
    return match[0] if value is None else f"{value.normalize():f}"


def _zh_digits(match: re.Match[str]) -> str:
    """Only what can be nothing but a number: 十分 and 一定 count nothing."""
    value = parse_number(match[0]) if len(match[0]) > 1 else None
    return match[0] if value is None else f" {value.normalize():f} "


def _root(token: str) -> str:
    if not token.isascii() or not token.isalpha():
        return token
    for pattern, replacement in _SPELLINGS:
        token = pattern.sub(replacement, token)
    if token.endswith("ies") and len(token) > 4:
        return token[:-3] + "y"
    plural = token.endswith("s") and not token.endswith(("ss", "us", "is"))
    return token[:-1] if plural and len(token) > 3 else token


def _hashed(tokens: Sequence[str]) -> str:
    if not any(ch.isalnum() for token in tokens for ch in token):
        return ""
    joined = " ".join(tokens).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(joined, digest_size=16).hexdigest()
