"""Text in another writing: what decodes to readable words is brought to light."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import urllib.parse
from collections.abc import Callable, Iterator

from core.text.concealed import Concealed
from core.text.language import CJK
from core.text.tokens import word_set
from core.text.traditional import simplified

_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{16,}={0,2}"
    r"(?:[ \t]*\r?\n[ \t]*[A-Za-z0-9+/_-]{4,}={0,2}(?![^\s=])){0,40}"
)
_HEX = re.compile(
    r"(?<![0-9A-Za-z])(?:0x)?(?:(?:\\x|%u00)?[0-9a-fA-F]{2}[ :,]?){12,}(?![0-9A-Za-z])"
)
_HEX_NOISE = re.compile(r"0x|\\x|%u00|[ :,]")
_PERCENT = re.compile(
    r"(?<![\w.~!*'()+%-])[\w.~!*'()+-]{0,200}(?:%[0-9A-Fa-f]{2}[\w.~!*'()+-]{0,200}){3,}"
)
_ENTITIES = re.compile(r"(?:&#(?:x[0-9a-fA-F]{1,6}|\d{1,7});[ ]?){8,}")
_BINARY = re.compile(r"(?<!\d)(?:[01]{8}[ ]?){8,}(?!\d)")
_ESCAPES = re.compile(r"(?:\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}){8,}")
_BASE32 = re.compile(r"(?<![A-Za-z0-9])[A-Z2-7]{24,}={0,6}(?![A-Za-z0-9])")
_BASE85 = re.compile(r"(?<!\S)(?:<~)?[!-~]{40,4000}(?:~>)?(?!\S)")
_MORSE = re.compile(r"(?<!\S)(?:[.\-·–−]{1,6}(?:[ ]{1,3}|[ ]?/[ ]?)){12,}[.\-·–−]{0,6}(?!\S)")
_MORSE_LETTERS = dict(
    zip(
        re.split(
            " ",
            ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- "
            "...- "
            ".-- -..- -.-- --..",
        ),
        "abcdefghijklmnopqrstuvwxyz",
        strict=True,
    )
)
_READABLE = re.compile(
    r"[A-Za-z0-9 .,:;!?'\"/()@<>=_&#\n\u3400-\u9fff\u00c0-\u024f"
    r"\u3000-\u303f\uff01-\uff5e\u2018-\u201d\u2026·-]"
)
_MARKS = re.compile(r"[aeiou]", re.IGNORECASE)
_LEAST, _LEAST_CHINESE, _SHARE = 10, 5, 0.92
_CHINESE_RUN = re.compile(f"[{CJK}]{{4,}}")
_BACKWARDS = re.compile(
    "略忽|视无|记忘|令指|则规|答回|复回|出输|统系|户用|诉告|示提|型模|手助|须必|准批|除删|"
    "送发|账转|行执|户客|何任|切一|话对|色角|式模|限权|款退|案答|码密"
)
"""Words of an order, from back to front."""
_LONGEST = 20_000
"""Decoded at most: a picture in a page is long, an order is not."""
_COMMON = word_set(
    "the and you your all this that with not for are any say tell user ignore from now rules "
    "instructions previous prompt assistant system answer reply send every please must to of "
    "policy never always is"
)
_FUNCTION = word_set(
    "in on at by if when as is are be it or we our can will have has was an their they who which "
    "may also more than other do no he she his her its there what how"
)
_WORD = re.compile(r"[A-Za-z]{1,20}")
_ENOUGH = 4
_PLAIN = 6
"""A sentence in which every sixth word is a common one is written as it is meant."""
_ORDER_WORDS = word_set(
    "ignore instructions previous prompt assistant system rules disregard user reveal answer "
    "reply "
    "send policy override forget tell"
)


def find_encoded(text: str) -> tuple[Concealed, ...]:
    """Pieces that decode to readable words, in order of kind; nested base64 one level deep."""
    found: list[Concealed] = []
    longest = max(map(len, text.split()), default=0)
    for least, sign, pattern, where, decode in _KINDS:
        if longest < least or not any(mark in text for mark in sign):
            continue
        for match in pattern.finditer(text):
            if plain := decode(match[0][:_LONGEST]):
                found.append(Concealed(match.start(), match.end(), _once_more(plain), where))
    return tuple(found)


def turned_around(sentence: str) -> Iterator[tuple[str, str]]:
    """How a sentence reads in rot13, backwards, and with each word backwards, with the name of the
    writing: only where it then has words of an order, and as it stands has few common ones."""
    if not sentence.isascii() and _BACKWARDS.search(simplified(sentence)):
        yield "reads backwards as an instruction", simplified(sentence[::-1])
    words = [w.lower() for w in _WORD.findall(sentence)]
    if len(words) < _ENOUGH - 1:
        return
    as_is = _common(words)
    if as_is * _PLAIN >= len(words):
        return
    for name, turn in _TURNS:
        turned = turn(sentence)
        theirs = [w.lower() for w in _WORD.findall(turned)]
        if _common(theirs) > as_is and any(w in _ORDER_WORDS for w in theirs):
            yield name, turned


def _common(words: list[str]) -> int:
    return sum(1 for w in words if w in _COMMON or w in _FUNCTION)


def _words_back(sentence: str) -> str:
    return _WORD.sub(lambda m: m[0][::-1], sentence)


_TURNS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("decodes from rot13 to an instruction", lambda s: codecs.encode(s, "rot13")),
    ("reads backwards as an instruction", lambda s: s[::-1]),
    ("reads backwards as an instruction", _words_back),
)


def readable(raw: bytes) -> str:
    """Bytes as text if they are words, else empty."""
    try:
        plain = raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    return plain if is_words(plain) else ""


def is_words(plain: str) -> bool:
    """Whether decoded text is words a person could have written, not a key or a picture."""
    chinese = bool(_CHINESE_RUN.search(plain))
    if len(plain) < (_LEAST_CHINESE if chinese else _LEAST):
        return False
    if not chinese and " " not in plain.strip():
        return False
    kept = sum(1 for _ in _READABLE.finditer(plain))
    return kept / len(plain) >= _SHARE and (not plain.isascii() or bool(_MARKS.search(plain)))


def _base64(blob: str) -> str:
    joined = re.sub(r"\s+", "", blob)
    for piece in dict.fromkeys((joined, re.split(r"\s", blob)[0])):
        bare = piece.rstrip("=").replace("-", "+").replace("_", "/")
        if len(bare) % 4 == 1:
            bare = bare[:-1]
        try:
            raw = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
        except (binascii.Error, ValueError):
            continue
        if plain := readable(raw):
            return plain
    return ""


def _hex(blob: str) -> str:
    digits = _HEX_NOISE.sub("", blob)
    try:
        return readable(bytes.fromhex(digits[: len(digits) // 2 * 2]))
    except ValueError:
        return ""


def _percent(blob: str) -> str:
    plain = urllib.parse.unquote_plus(blob) if "%20" not in blob else urllib.parse.unquote(blob)
    return plain if plain != blob and is_words(plain) else ""


def _entities(blob: str) -> str:
    plain = html.unescape(blob)
    return plain if is_words(plain) else ""


def _binary(blob: str) -> str:
    bits = blob.replace(" ", "")
    return readable(bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits) // 8 * 8, 8)))


def _escapes(blob: str) -> str:
    plain = re.sub(r"\\[ux]([0-9a-fA-F]{4}|[0-9a-fA-F]{2})", lambda m: chr(int(m[1], 16)), blob)
    return plain if is_words(plain) else ""


def _base32(blob: str) -> str:
    bare = blob.rstrip("=")
    try:
        return readable(base64.b32decode(bare + "=" * (-len(bare) % 8)))
    except (binascii.Error, ValueError):
        return ""


def _base85(blob: str) -> str:
    if "://" in blob or sum(ch.isalnum() for ch in blob) > 0.95 * len(blob):
        return ""
    for decode in (base64.b85decode, _ascii85):
        try:
            if plain := readable(decode(blob.encode("ascii"))):
                return plain
        except (ValueError, UnicodeEncodeError):
            continue
    return ""


def _ascii85(raw: bytes) -> bytes:
    return base64.a85decode(raw, adobe=raw.startswith(b"<~"))


def _morse(blob: str) -> str:
    plain = blob.translate(str.maketrans("·–−", ".--"))
    words = re.split(r"\s*/\s*|\s{2,}", plain.strip())
    letters = ["".join(_MORSE_LETTERS.get(code, "?") for code in word.split()) for word in words]
    read = " ".join(letters)
    return read if "?" not in read and is_words(read) else ""


def _once_more(plain: str) -> str:
    for match in _BASE64.finditer(plain):
        if inner := _base64(match[0]):
            return f"{plain}\n{inner}"
    return plain


_KINDS: tuple[tuple[int, tuple[str, ...], re.Pattern[str], str, Callable[[str], str]], ...] = (
    (16, ("",), _BASE64, "decodes from base64 to an instruction", _base64),
    (2, ("",), _HEX, "decodes from hexadecimal to an instruction", _hex),
    (9, ("%",), _PERCENT, "decodes from percent-encoding to an instruction", _percent),
    (4, ("&#",), _ENTITIES, "decodes from HTML entities to an instruction", _entities),
    (8, ("01",), _BINARY, "decodes from binary digits to an instruction", _binary),
    (16, ("\\u", "\\x"), _ESCAPES, "decodes from character escapes to an instruction", _escapes),
    (24, ("",), _BASE32, "decodes from base32 to an instruction", _base32),
    (40, ("",), _BASE85, "decodes from base85 to an instruction", _base85),
    (1, (".-", "-.", "·", "–"), _MORSE, "decodes from Morse code to an instruction", _morse),
)
"""Each with the longest run and the signs that a text must have for it to be there."""
