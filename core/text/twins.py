"""Two sentences that are the same but for a value, or but for a "not"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.text.acts import Actor, actor
from core.text.answer_type import AnswerType, expected_type
from core.text.dates import PartialDate, absolute_dates
from core.text.polarity import negated
from core.text.quantities import find_quantities, same_quantity
from core.text.same_value import same_value
from core.text.scope import scope_words
from core.text.sentences import split_sentences
from core.text.tokens import content_words

Twin = tuple[str, str]
"""A value and the sentence it stands in."""

_BOTH = {"customer", "company"}
_ALIKE = 0.6
_ENOUGH, _MANY = 3, 4
_MOST_SENTENCES = 60
_ASKED = 0.3


class _Sentence(NamedTuple):
    text: str
    words: frozenset[str]
    scope: frozenset[str]
    by: Actor


def twin_values(query: str, left: str, right: str) -> tuple[Twin, Twin] | None:
    """The first pair of twins of two texts that differ in what ``query`` asks for, if there is
    one."""
    wanted = set(content_words(query))
    kind = expected_type(query)
    for one, other in all_twins(left, right):
        held = set(content_words(f"{one[1]} {other[1]}"))
        if wanted and len(wanted & held) >= _ASKED * len(wanted) and _asked_for(kind, one[0]):
            return one, other
    return None


def _asked_for(kind: AnswerType, value: str) -> bool:
    if kind in ("person", "place"):
        return False
    if kind in ("number", "money", "duration", "date"):
        return (kind == "date") == bool(absolute_dates(value)) and value not in ("yes", "no")
    return True


def all_twins(left: str, right: str) -> Iterator[tuple[Twin, Twin]]:
    """Every pair of twin sentences with the values in which they differ, whatever is asked."""
    for a in _sentences(left):
        for b in _sentences(right):
            if a.scope == b.scope and {a.by, b.by} != _BOTH and _same_but(a.words, b.words):
                yield from _different(a.text, b.text)


@lru_cache(maxsize=512)
def _sentences(text: str) -> tuple[_Sentence, ...]:
    return tuple(
        _Sentence(s.text, frozenset(_bare(s.text)), scope_words(s.text), actor(s.text))
        for s in split_sentences(text)[:_MOST_SENTENCES]
    )


def _same_but(a: frozenset[str], b: frozenset[str]) -> bool:
    union = a | b
    if a == b:
        return len(union) >= 2
    return len(union) >= _MANY and len(a & b) >= _ALIKE * len(union)


def _different(a: str, b: str) -> Iterator[tuple[Twin, Twin]]:
    left, right = find_quantities(a), find_quantities(b)
    if len(left) == len(right):
        for x, y in zip(left, right, strict=True):
            if x.unit == y.unit and same_quantity(x, y) == "different":
                yield (x.text, a), (y.text, b)
    days = absolute_dates(a), absolute_dates(b)
    if len(days[0]) == len(days[1]):
        yield from _other_days(a, b, *days)
    if negated(a) != negated(b) and len(_bare(a)) >= _ENOUGH and set(_bare(a)) == set(_bare(b)):
        yield ("no" if negated(a) else "yes", a), ("no" if negated(b) else "yes", b)


def _other_days(
    a: str, b: str, left: Sequence[PartialDate], right: Sequence[PartialDate]
) -> Iterator[tuple[Twin, Twin]]:
    for x, y in zip(left, right, strict=True):
        if not same_value(x.text, y.text):
            yield (x.text, a), (y.text, b)


def _bare(text: str) -> list[str]:
    return [word for word in content_words(text) if not word[0].isdigit()]
