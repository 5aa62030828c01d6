"""Letters in disguise, read as the plain letters they stand for.

Look-alikes of other alphabets, full-width and mathematical letters, digits for letters and letters
set apart are undone for the rules to read; what a person is shown is never changed by it.
"""

from __future__ import annotations

import re
import unicodedata

from core.text.concealed import Concealed
from core.text.language import CJK
from core.text.traditional import simplified

_LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕԁһӏոԛԝвмнткАВЕКМНОРСТХІЈЅҮѴαειονρτυχκΑΒΕΖΗΙΚΜΝΟΡΤΥΧɡıℓƖǃ",
    "aeopcyxijsdhlnqwbmhtkABEKMHOPCTXIJSYVaeiovptuxkABEZHIKMNOPTYXgillI",
)
_FOREIGN = re.compile("[\u0370-\u03ff\u0400-\u052f\u0570-\u0588]")
_ASCII_LETTER = re.compile("[A-Za-z]")
_WORD = re.compile(r"[^\W_]+")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
_LEET = str.maketrans("013457@$!", "oieastasi")
_LEET_WORD = re.compile(
    r"(?<![\w@.$/-])(?=[a-z0-9@$!]{0,15}[a-z])(?=[a-z0-9@$!]{0,15}[013457@$!])"
    r"[a-z0-9@$!]{3,16}(?![\w@./-])"
)
_APART = re.compile(r"(?<!\w)[a-z](?:[ .*_|-]{1,3}[a-z](?![a-z])){5,}")
_GAP = re.compile(r"[ .*_|-]")
_CJK = re.compile(f"[{CJK}]")
_PRESENTED = re.compile(
    "[\u2e80-\u2fdf\u2460-\u24ff\uf900-\ufaff\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]"
)
"""Radicals, circled and full-width letters. Full-width marks stay: the rules know them."""
_BLANK = r"[ \u3000\t.·・•*_|/~+,、\n-]{1,3}"
_MARK = r"[\u3001-\u303f\uff01-\uff0f\uff1a-\uff1f\u2018-\u201d]"
_CJK_APART = re.compile(
    rf"(?<![{CJK}])(?:[{CJK}](?:{_BLANK}|(?={_MARK})){_MARK}?(?:{_BLANK})?"
    rf"(?:[a-zA-Z0-9]{{1,20}}{_BLANK})?){{5,}}[{CJK}]?(?![{CJK}]){_MARK}?"
)
_ANY_BLANK = re.compile(_BLANK)
_MIN_LEET = 2


def plain_letters(text: str) -> str:
    """``text`` in lower case with disguises undone. Its length may differ from the text's."""
    if not text.isascii():
        text = _unicode(text)
    low = text.lower()
    return _closed_up(_without_leet(low))


def _chinese(text: str) -> str:
    """Simplified characters in their usual form, single ones set apart put together."""
    text = _PRESENTED.sub(lambda m: unicodedata.normalize("NFKC", m[0]), text)
    return _CJK_APART.sub(lambda m: _ANY_BLANK.sub("", m[0]), simplified(text))


def find_apart(text: str) -> tuple[Concealed, ...]:
    """Chinese characters set apart one by one, by blanks, dots or line breaks."""
    where = "in characters set apart"
    return tuple(
        Concealed(*found.span(), _ANY_BLANK.sub("", found[0]), where, shown=True)
        for found in _CJK_APART.finditer(text)
    )


def _unicode(text: str) -> str:
    text = _INVISIBLE.sub("", text)
    text = _chinese(text) if _CJK.search(text) else unicodedata.normalize("NFKC", text)
    if _FOREIGN.search(text):
        foreign = [word for word in _WORD.findall(text) if _FOREIGN.search(word)]
        # Where some word is truly of another language, the words around it are too.
        truly = any(not _doubles(word) for word in foreign)
        text = _WORD.sub(lambda m: _latin(m[0], truly=truly), text)
    return text.replace("’", "'")


def _doubles(word: str) -> bool:
    """Whether every letter is Latin or looks like one, or some of them are Latin."""
    return word.translate(_LOOK_ALIKES).isascii() or _ASCII_LETTER.search(word) is not None


def _latin(word: str, *, truly: bool) -> str:
    """A word that mixes alphabets in Latin letters; one of a foreign alphabet alone only in a text
    without words that are ``truly`` foreign."""
    if word.isascii() or not _FOREIGN.search(word):
        return word
    mixed = _ASCII_LETTER.search(word) is not None
    return word.translate(_LOOK_ALIKES) if mixed or not truly else word


def _without_leet(low: str) -> str:
    """Digits in words as letters, where several words have them: "1gn0r3 4ll", not "B2B" or "2nd".

    One word is enough where a letter stands on both sides: "ign0re".
    """
    found = [m[0] for m in _LEET_WORD.finditer(low) if not m[0].isalpha()]
    if not found:
        return low
    inner = [word for word in found if re.fullmatch(r"[a-z@$!]*[a-z][013457@$!][a-z]\w*", word)]
    if len(found) < _MIN_LEET and not inner:
        return low
    return _LEET_WORD.sub(lambda m: m[0].translate(_LEET), low)


def _closed_up(low: str) -> str:
    """Letters set apart put together; two blanks or more part words."""
    return _APART.sub(lambda m: _together(m[0]), low)


def _together(apart: str) -> str:
    if "  " in apart:
        return " ".join(_GAP.sub("", word) for word in re.split(r" {2,}", apart))
    if " " in apart and re.search(r"[-.*_|]", apart):
        return " ".join(_GAP.sub("", word) for word in apart.split(" "))
    return _GAP.sub("", apart)


def squashed(low: str) -> str:
    """Only the letters and digits: a wording can be looked for whatever stands between letters."""
    return "".join(ch for ch in low if ch.isalnum())


def is_disguised(text: str) -> bool:
    """Whether reading the text plainly changes more than its case."""
    return plain_letters(text) != simplified(text).lower().replace("’", "'")
