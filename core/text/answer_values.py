"""Do passages give different answers to one question? Which values, and who says which.

Rules of a policy (durations, money, yes or no) are compared strictly by unit, subject and scope;
other questions by the value each passage most likely gives; and two passages that are nearly the
same sentence with another number in it disagree whatever was asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from core.models.base import Model
from core.text.answer_type import expected_type
from core.text.dates import absolute_dates
from core.text.quantities import find_quantities, same_quantity
from core.text.sentences import split_sentences
from core.text.stated import Stated, disagreement, stated_values
from core.text.tokens import content_words
from core.text.value_ranking import best_value

_STRICT = ("yes_no", "money", "duration", "how_to", "reason")
_TWIN = 0.6
_MOST_SENTENCES = 60


class ValueGroup(Model):
    """One value and the passages that give it, in order."""

    value: str
    passage_ids: tuple[str, ...]


def find_value_conflicts(query: str, passages: Sequence[tuple[str, str]]) -> tuple[ValueGroup, ...]:
    """The groups of values that ``passages`` (id, text) disagree on; empty without a conflict.

    Two groups or more, the one with most passages first. Passages that state nothing are in none.
    """
    for groups in (_stated_groups(query, passages), _twin_groups(passages)):
        if len(groups) >= 2:
            return groups
    if expected_type(query) in _STRICT:
        return ()
    groups = _ranked_groups(query, passages)
    return groups if len(groups) >= 2 else ()


# ---- strictly compared ----------------------------------------------------------------------


def _stated_groups(query: str, passages: Sequence[tuple[str, str]]) -> tuple[ValueGroup, ...]:
    if expected_type(query) not in _STRICT:
        return ()
    stated = [(name, stated_values(query, text)) for name, text in passages]
    groups: dict[str, list[str]] = {}
    for (a, left), (b, right) in combinations(stated, 2):
        pair = disagreement(query, left, right)
        if pair:
            _add(groups, pair[0].value, a)
            _add(groups, pair[1].value, b)
    for value, names in groups.items():
        names.extend(n for n, found in stated if n not in names and _states(value, found))
    return _ordered(groups)


def _states(value: str, found: Sequence[Stated]) -> bool:
    return any(same_value(value, other.value) for other in found)


def _twin_groups(passages: Sequence[tuple[str, str]]) -> tuple[ValueGroup, ...]:
    """Sentences that are the same but for a value in the same unit."""
    cut = [
        (
            name,
            [(s.text, frozenset(_bare(s.text))) for s in split_sentences(text)[:_MOST_SENTENCES]],
        )
        for name, text in passages
    ]
    groups: dict[str, list[str]] = {}
    for (a, left), (b, right) in combinations(cut, 2):
        for pair in _twins(left, right):
            _add(groups, pair[0], a)
            _add(groups, pair[1], b)
    return _ordered(groups)


_Sentences = Sequence[tuple[str, frozenset[str]]]


def _twins(left: _Sentences, right: _Sentences) -> list[tuple[str, str]]:
    found = []
    for text_a, words_a in left:
        for text_b, words_b in right:
            union = words_a | words_b
            same = len(union) >= 2 and words_a == words_b
            if same or (len(union) >= 4 and len(words_a & words_b) >= _TWIN * len(union)):
                found += _different(text_a, text_b)
    return found


def _different(a: str, b: str) -> list[tuple[str, str]]:
    left, right = find_quantities(a), find_quantities(b)
    if len(left) != len(right):
        return []
    return [
        (x.text, y.text)
        for x, y in zip(left, right, strict=True)
        if x.unit == y.unit and same_quantity(x, y) == "different"
    ]


def _bare(text: str) -> list[str]:
    return [word for word in content_words(text) if not word[0].isdigit()]


# ---- the value each most likely gives -------------------------------------------------------


def _ranked_groups(query: str, passages: Sequence[tuple[str, str]]) -> tuple[ValueGroup, ...]:
    groups: dict[str, list[str]] = {}
    for name, text in passages:
        best = best_value(query, text)
        if best is not None:
            _add(groups, best.value, name)
    return _ordered(groups)


def _add(groups: dict[str, list[str]], value: str, name: str) -> None:
    for known, names in groups.items():
        if same_value(known, value):
            if name not in names:
                names.append(name)
            return
    groups[value] = [name]


def same_value(a: str, b: str) -> bool:
    """Whether two wordings give one value: equal amounts, dates that agree as far as both are
    named, or names of which one contains the other."""
    dates_a, dates_b = absolute_dates(a), absolute_dates(b)
    if dates_a and dates_b:
        x, y = dates_a[0], dates_b[0]
        return all(
            p is None or q is None or p == q
            for p, q in ((x.year, y.year), (x.month, y.month), (x.day, y.day))
        )
    left, right = find_quantities(a), find_quantities(b)
    if left and right and len(left) == len(right) == 1:
        alike = same_quantity(left[0], right[0])
        if alike != "incomparable":
            return alike == "same"
    words_a, words_b = set(content_words(a)), set(content_words(b))
    if not words_a or not words_b:
        return a.casefold() == b.casefold()
    return words_a <= words_b or words_b <= words_a


def _ordered(groups: dict[str, list[str]]) -> tuple[ValueGroup, ...]:
    ranked = sorted(groups.items(), key=lambda item: -len(item[1]))
    return tuple(ValueGroup(value=value, passage_ids=tuple(names)) for value, names in ranked)
