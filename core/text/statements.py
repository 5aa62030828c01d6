"""A sentence made ready to be laid beside another: its words in order, its values, its denials."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from core.text.dates import PartialDate, absolute_dates
from core.text.language import CJK, detect_language
from core.text.opposites import OPPOSITES, SYNONYMS
from core.text.polarity import negators
from core.text.predicates import prefixed_base
from core.text.quantities import Quantity, find_quantities
from core.text.tokens import STOP_WORDS, content_words, stem, word_set

_LIGHT_WORDS = """
    take takes have has be get give make made go last allow allowed apply applies only just
    always ever still already currently usually normally actually within after before up
    least most per total set long time amount one two day days week weeks month months year
    years until till between during because both whether per via hour
    hours minute minutes business calendar dollar percent reason happen work
"""
LIGHT = frozenset(stem(w) for w in _LIGHT_WORDS.split())
"""Stems that do not say what a statement is about."""
_MEASURED = frozenset(map(stem, word_set("window period deadline limit duration length")))
"""What is measured; the words beside it say of what."""
_ZH_MEASURED = re.compile("期限|时限|期间|时间|时长|天数|金额")
_SLOT_WORDS = word_set(
    "by to from with in at on via through before after within until under over of for as"
)
"""Function words that say which part of a statement stands behind them."""
_TOKEN = re.compile(rf"[{CJK}]|\d+(?:[.,:]\d+)*|(?:(?![{CJK}])[^\W_])+(?:['’][^\W\d_]+)*")
_SKIPPED_ZH = frozenset("的了吗呢吧啊之其将把被就都也可以能会要需须得予应该必再还是有")
"""Characters that carry a mood, not a matter."""
_CONDITION = re.compile(
    r"\b(?:if|unless|whether|when|where|once|until|in case)\b|如果|若|除非", re.I
)
_RELATIVE = re.compile(r"\b(?:that|which|who|whose)\b\s*(?:\w+\s*){0,2}$", re.I)
_NOT_QUITE = re.compile(
    r"\s*(?:the only|the first|the same|always|necessarily|all|just|yet|only)\b", re.I
)
_BREAK = re.compile(
    r"[,，.;；:]|\b(?:because|so that|but|if|when|unless|until|which|that|who|and)\b", re.I
)
_NO_DENIAL_ZH = re.compile(
    "不(?:足|到|久|断|同|仅|但|过|管|论|满|少|良|动|锈)|未来|非常|无论|无线|没落"
)
_EMPHASIS = re.compile(r"\*|(?<!\w)_|_(?!\w)")
_OR = re.compile(r"\b(?:or|nor)\b", re.I)
_PASSED_OVER = frozenset(map(stem, word_set("longer yet ever even quite still be been also")))
_NEAR = 34
"""Characters between a negation and the word it denies, at most."""


class Statement(NamedTuple):
    """What can be compared of one sentence.

    ``about`` are the stems that say what it is about (no values, no light verbs); ``terms`` all
    its stems in order with ``#`` for a quantity and ``@`` for a date; ``denied`` what its
    negations reach.
    """

    text: str
    chinese: bool
    about: frozenset[str]
    terms: tuple[str, ...]
    denied: frozenset[str]
    quantities: tuple[Quantity, ...]
    dates: tuple[PartialDate, ...]

    @property
    def words(self) -> frozenset[str]:
        """All stems, in no order."""
        return frozenset(self.terms)


@lru_cache(maxsize=8192)
def read(text: str) -> Statement:
    """``text``, one sentence or clause, ready to be compared."""
    text = _EMPHASIS.sub(" ", text)
    chinese = detect_language(text) == "zh"
    dates = absolute_dates(text)
    quantities = tuple(q for q in find_quantities(text) if q.unit != "number")
    slots = [(q.start, q.end, "#") for q in quantities] + [(d.start, d.end, "@") for d in dates]
    bare = _blanked(text, slots)
    plain = _blanked(bare, [(start, end, "") for start, end in negators(bare)])
    return Statement(
        text=text,
        chinese=chinese,
        about=_about(plain),
        terms=_terms(bare, slots),
        denied=_denied(bare, chinese=chinese),
        quantities=quantities,
        dates=dates,
    )


def family(word: str) -> str:
    """The stem of ``word``, or the one that stands for words of the same meaning."""
    root = stem(word)
    return SYNONYMS.get(root, root)


@lru_cache(maxsize=8192)
def families(text: str) -> frozenset[str]:
    """The content words of ``text`` by family."""
    return frozenset(_base(SYNONYMS.get(word, word)) for word in content_words(text))


@lru_cache(maxsize=2048)
def core(text: str) -> frozenset[str]:
    """What ``text`` is about without the words that have an opposite."""
    statement = read(text)
    places = [(q.start, q.end, "") for q in statement.quantities]
    places += [(d.start, d.end, "") for d in statement.dates]
    places += [(start, end, "") for start, end in negators(text)]
    return _about(_blanked(text, places + _opposite_places(text)))


def _about(bare: str) -> frozenset[str]:
    if chinese := _ZH_MEASURED.sub(" ", bare).strip():
        bare = chinese
    kept = [w for w in content_words(bare) if w not in LIGHT and not w[0].isdigit()]
    # "The return window" is about returns; "the window" alone about the window.
    telling = [w for w in kept if w not in _MEASURED] or kept
    return frozenset(_base(SYNONYMS.get(w, w)) for w in telling)


def _base(word: str) -> str:
    return prefixed_base(word) or word


def _opposite_places(text: str) -> list[tuple[int, int, str]]:
    return [
        (*match.span(), "")
        for pair in OPPOSITES
        for pattern in pair
        for match in pattern.finditer(text)
    ]


def _blanked(text: str, slots: list[tuple[int, int, str]]) -> str:
    chars = list(text)
    for start, end, _ in slots:
        chars[start:end] = " " * (end - start)
    return "".join(chars)


def _terms(bare: str, slots: list[tuple[int, int, str]]) -> tuple[str, ...]:
    found = [(start, label) for start, _, label in slots]
    for match in _TOKEN.finditer(bare):
        word = match[0].lower().replace("’", "'").removesuffix("'s")
        if word in _SLOT_WORDS:
            found.append((match.start(), word))
        elif word not in STOP_WORDS and word not in _SKIPPED_ZH:
            found.append((match.start(), _base(family(word))))
    return tuple(term for _, term in sorted(found))


def _denied(bare: str, *, chinese: bool) -> frozenset[str]:
    """What the negations of ``bare`` reach, outside conditions and relative clauses."""
    reached = {b for w in re.findall(r"[a-z-]+", bare.lower()) if (b := prefixed_base(w))}
    for start, end in negators(bare):
        if chinese and _no_denial(bare, start):
            continue
        before = re.split(r"[,，]", bare[max(0, start - 60) : start])[-1]
        if _CONDITION.search(before) or _RELATIVE.search(before):
            continue
        ahead = _BREAK.split(bare[end : end + _NEAR])[0]
        if not _NOT_QUITE.match(ahead):
            reached |= _first_chinese(ahead) if chinese else _first_words(ahead)
    return frozenset(reached)


def _no_denial(text: str, at: int) -> bool:
    """Characters that deny nothing here: 不足, 特别, 非空调."""
    before = text[at - 1 : at]
    if text[at] == "别" and before in "特分类区个级性识辨差":
        return True
    return bool(_NO_DENIAL_ZH.match(text, at)) or (text[at] == "非" and before not in "并绝均皆而")


def _first_words(ahead: str) -> set[str]:
    """The word right behind the negation, and the next: "no membership fee" denies a fee."""
    reached: set[str] = set()
    for part in _OR.split(ahead):
        found = [_base(SYNONYMS.get(w, w)) for w in content_words(part) if w not in _PASSED_OVER]
        reached |= set(found[:2])
    return reached


def _first_chinese(ahead: str) -> set[str]:
    """The two characters behind the negation, moods aside: 不能退货 denies 退货."""
    kept = [ch for ch in ahead if ch not in _SKIPPED_ZH and ch.isalnum()]
    return {"".join(kept[:2])} if kept else set()
