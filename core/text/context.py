"""What a value in a sentence is about: the words of its own clause."""

from __future__ import annotations

import re
from functools import lru_cache

from core.text.contrast import contrasted, narrower
from core.text.dates import absolute_dates
from core.text.polarity import NEGATORS
from core.text.quantities import find_quantities
from core.text.tokens import content_words, word_set

_CLAUSE = re.compile(
    r"[;；。，！？!?|—–()（）\n]|,(?!\d)|(?<!\d)[.:：](?!\d)|\s(?:and|but|while|whereas|or|"
    r"although|though)\s|而|但是?|并且|以及",
    re.IGNORECASE,
)
_SAME_WORD = {"purchas": "buy", "deliveri": "deliver"}
_BETWEEN = re.compile(r"\bbetween\b[^.;!?]{1,40}?\sand\s", re.IGNORECASE)
_LIGHT = word_set("tak last need giv get requir allow cost pay mak")
"""Stems that say nothing of the matter: "it takes 5 days"."""
_NOISE = word_set("within after before until least most more less than maximum minimum")


def clause_at(text: str, start: int, end: int) -> tuple[int, int]:
    """The clause around ``text[start:end]``, as offsets."""
    left, right = 0, len(text)
    joined = [m.span() for m in _BETWEEN.finditer(text)]
    for match in _CLAUSE.finditer(text):
        if any(a <= match.start() and match.end() <= b for a, b in joined):
            continue
        if match.end() <= start:
            left = match.end()
        elif match.start() >= end:
            right = match.start()
            break
    return left, right


@lru_cache(maxsize=4096)
def about(text: str) -> frozenset[str]:
    """Content words without quantities, negators and bound words."""
    terms = content_words(_without_values(text))
    return frozenset(_SAME_WORD.get(term, term) for term in terms) - _NOISE


def _without_values(text: str) -> str:
    spans = [(q.start, q.end) for q in find_quantities(text)]
    spans += [(d.start, d.end) for d in absolute_dates(text)]
    spans += [m.span() for m in NEGATORS.finditer(text)]
    chars = list(text)
    for start, end in spans:
        chars[start:end] = " " * (end - start)
    return "".join(ch if not ch.isdigit() else " " for ch in chars)


def context_of(text: str, start: int, end: int) -> frozenset[str]:
    """What the value at ``text[start:end]`` is about; the whole sentence if its clause is bare."""
    left, right = clause_at(text, start, end)
    words = about(text[left:right])
    return words if len(words) >= 2 else about(text)


def same_matter(a: str, mine: tuple[int, int], b: str, other: tuple[int, int]) -> bool:
    """Whether the value at ``a[mine]`` and that at ``b[other]`` are about the same thing.

    Their clauses must share most of the words of the shorter and a good part of the longer one
    (a claim of few words may lie wholly in the other). Neither may name a different case of one
    kind, or a special case the other does not name.
    """
    left, right = context_of(a, *mine), context_of(b, *other)
    both, low, high = len(left & right), *sorted((len(left), len(right)))
    if not both or contrasted(_clause(a, mine), _clause(b, other)):
        return False
    here, there = _clause(a, mine), _clause(b, other)
    if narrower(there, here) or narrower(here, there):
        return False
    if (low <= 2 and high <= 3) or (left <= right and left - _LIGHT):
        return True
    return both >= 2 and 2 * both >= low and 3 * both >= high


def _clause(text: str, place: tuple[int, int]) -> str:
    left, right = clause_at(text, *place)
    return text[left:right]


def shared(a: frozenset[str], b: frozenset[str]) -> float:
    """Share of the smaller set found in the other, 0..1."""
    smaller = min(len(a), len(b))
    return len(a & b) / smaller if smaller else 0.0
