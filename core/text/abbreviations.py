"""Abbreviations and other names that a text itself explains: "Return Merchandise Authorisation
(RMA)", "退货授权（以下简称“退授”）", "gift cards, also called gift certificates"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.text.language import CJK
from core.text.tokens import STOP_WORDS, word_set

_LONGEST = 60
"""Characters of a name; what is longer is a sentence."""
_WORDS = 5
_SHORT = r"[A-Z][A-Za-z0-9&.-]{1,9}"
_BEHIND = re.compile(rf"\((?:the |an? )?[\"“']?({_SHORT})[\"”']?\)")
"""The short form in brackets behind the long one."""
_BEFORE = re.compile(rf"(?<![\w-])({_SHORT}) \(([A-Za-z][A-Za-z0-9&' -]{{4,{_LONGEST}}})\)")
"""The long form in brackets behind the short one."""
_ALSO = re.compile(
    r"(?P<x>[A-Za-z][\w'’ -]{1,60}?)(?:,| \()\s?(?:(?:which (?:is|are) )?(?:also|sometimes|often) "
    r"(?:called|known as|referred to as)|also|formerly|or simply|in short|abbreviated(?: to| as)?) "
    r"(?:the |an? )?[\"“'‘]?(?P<y>[A-Za-z][\w-]*(?: [A-Za-z][\w-]*){0,3})[\"”'’]?(?=[,.;:)]|$)",
    re.MULTILINE,
)
_ZH = rf"[{CJK}]"
_ZH_SHORT = re.compile(
    rf"(?P<x>{_ZH}{{2,14}})[（(](?:(?P<say>以下)?(?:统一)?(?:简称|缩写)(?:为|：|:)?|即)?"
    rf"[“\"「]?(?P<y>{_ZH}{{2,6}}|[A-Z][A-Za-z0-9-]{{1,9}})[”\"」]?[）)]"
)
_ZH_ALSO = re.compile(
    rf"(?P<x>{_ZH}{{2,10}}?)[，,（(]?(?:又称|也称|亦称|又叫|也叫|俗称|简称)(?:为|作)?[“\"「]?"
    rf"(?P<y>{_ZH}{{2,8}}?|[A-Z][A-Za-z0-9-]{{1,9}})[”\"」]?(?=[，。；、）)]|$)",
    re.MULTILINE,
)
_ZH_BREAK = re.compile(
    "以下|[的了是在和与及或将把对为由向从给请按可须应需不也又都就即指]|我们|本店|公司|可以|需要|所有|任何"
)
_SLASHED = re.compile(r"^([A-Za-z][A-Za-z -]{2,30}) / ([A-Za-z][A-Za-z -]{2,30})$")
_BRACKETED = re.compile(r"^([A-Za-z][A-Za-z -]{2,40}) \(([A-Za-z][A-Za-z -]{2,30})\)$")
_NO_NAME = STOP_WORDS | word_set(
    """see note notes optional new old draft final part page section version annex appendix table
    figure step steps example examples only required"""
)
_GLOSSARY_TITLE = re.compile(r"(?:\bglossary\b|术语表|词汇表|用语表)", re.IGNORECASE)

Pair = tuple[str, str]


def other_names(text: str) -> tuple[Pair, ...]:
    """Each thing that ``text`` gives two names, as (the longer, the other), each once."""
    found: dict[Pair, None] = {}
    for pair in (*_english(text), *_chinese(text)):
        found[pair] = None
    return tuple(found)


def heading_names(heading: str) -> tuple[Pair, ...]:
    """The two names in a heading such as "Returns / send-backs" or "Pickup (click and collect)"."""
    for pattern in (_SLASHED, _BRACKETED):
        if match := pattern.match(heading.strip()):
            pair = (match[1].strip(), match[2].strip())
            return (pair,) if _named(pair) else ()
    return ()


def is_glossary(title: str) -> bool:
    """Whether a document calls itself a glossary."""
    return _GLOSSARY_TITLE.search(title) is not None


def lists_names(title: str, text: str) -> bool:
    """Whether a passage is a piece of a glossary's list: it says how things are called, and
    nothing of the things."""
    return is_glossary(title) and bool(glossary_lines(text))


def glossary_lines(text: str) -> tuple[tuple[str, ...], ...]:
    """The groups of a glossary: one thing a line, its ways to be said parted by ``=``.

    List marks and emphasis are taken off; a line without ``=`` is prose and says nothing here.
    """
    groups: dict[tuple[str, ...], None] = {}
    for line in text.splitlines():
        parts = [_plain(part) for part in line.lstrip(" -*+•\t").split("=")]
        words = tuple({part.casefold(): part for part in parts if part}.values())
        if len(words) > 1 and all(len(word) <= _LONGEST for word in words):
            groups[words] = None
    return tuple(groups)


def _plain(part: str) -> str:
    return part.strip().strip('*_`"“”').strip()


# ---- English ------------------------------------------------------------------------------------


def _english(text: str) -> Iterator[Pair]:
    for match in _BEHIND.finditer(text):
        before = text[max(0, match.start() - 2 * _LONGEST) : match.start()]
        long = _long_form(match[1], before)
        if long:
            yield long, match[1]
    for match in _BEFORE.finditer(text):
        if _long_form(match[1], match[2]) == match[2]:
            yield match[2], match[1]
    for match in _ALSO.finditer(text):
        pair = (_last_words(match["x"]), match["y"].strip())
        if pair[0] and _named(pair):
            yield pair


def _long_form(short: str, before: str) -> str:
    """The words before that the letters of ``short`` stand for, by their first letters in order.

    Each capital of ``short`` opens a word; small words may be skipped ("Department of Labor").
    """
    letters = [letter.casefold() for letter in short if letter.isalpha()]
    if sum(letter.isupper() for letter in short) < 2 or len(letters) < 2:
        return ""
    words = re.findall(r"[A-Za-z][\w'’]*", re.split(r"[.;:!?()\n]", before)[-1])
    at, left = len(words), list(letters)
    while left and at > 0 and len(words) - at < 2 * len(letters) + 2:
        at -= 1
        if words[at][0].casefold() == left[-1]:
            left.pop()
        elif words[at].casefold() not in STOP_WORDS:
            return ""
    return "" if left else _between(before, words[at:])


def _between(before: str, words: list[str]) -> str:
    pattern = r"[\s-]+".join(re.escape(word) for word in words) + r"\s*$"
    match = re.search(pattern, before)
    return " ".join(match[0].split()) if match else ""


def _last_words(clause: str) -> str:
    """The name that a clause ends in: its last words back to the first small one."""
    kept: list[str] = []
    for word in reversed(clause.split()):
        if word.casefold() in _NO_NAME or len(kept) == _WORDS:
            break
        kept.insert(0, word)
    return " ".join(kept)


def _named(pair: Pair) -> bool:
    long, other = (name.casefold() for name in pair)
    plain = not any(set(name.split()) <= _NO_NAME for name in (long, other))
    return plain and long != other and long.rstrip("s") != other.rstrip("s")


# ---- Chinese ------------------------------------------------------------------------------------


def _chinese(text: str) -> Iterator[Pair]:
    for match in _ZH_SHORT.finditer(text):
        long, short = _own_name(match["x"]), match["y"]
        if "简称" in match[0] or "缩写" in match[0]:
            long = _from_first(long, short)
        elif not short.isascii():
            long = _from_first(long, short) if _picks(short, long) else ""
        if len(long) > 1 and long != short:
            yield long, short
    for match in _ZH_ALSO.finditer(text):
        long = _own_name(match["x"])
        if len(long) > 1 and long != match["y"]:
            yield long, match["y"]


def _own_name(run: str) -> str:
    """The name at the end of a run of characters: what follows its last function word."""
    return _ZH_BREAK.split(run)[-1]


def _picks(short: str, long: str) -> bool:
    """Whether the characters of ``short`` stand in ``long`` in this order."""
    rest = iter(long)
    return len(short) < len(long) and all(character in rest for character in short)


def _from_first(long: str, short: str) -> str:
    """``long`` from the character that ``short`` begins with, where it picks from it."""
    at = long.find(short[0])
    return long[at:] if at > 0 and _picks(short, long[at:]) else long
