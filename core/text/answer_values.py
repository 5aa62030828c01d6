"""Do passages give different answers to one question? Which values, and who says which.

The probes' view of ``disagreement``: passages without governance, every value with its passages.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from core.models.base import Model
from core.text.disagreement import Account, Disagreement, disagree
from core.text.same_value import same_value
from core.text.stated import stated_values
from core.text.twins import all_twins


class ValueGroup(Model):
    """One value and the passages that give it, in order."""

    value: str
    passage_ids: tuple[str, ...]


def find_value_conflicts(query: str, passages: Sequence[tuple[str, str]]) -> tuple[ValueGroup, ...]:
    """The groups of values that ``passages`` (id, text) disagree on; empty without a conflict.

    Two groups or more, the one with most passages first. Passages that state nothing are in none.
    Sentences that are the same but for a value disagree whatever was asked.
    """
    found = disagree(query, tuple(Account(name, text) for name, text in passages))
    if found.pairs or found.readings:
        return _groups(query, found, passages)
    groups: dict[str, list[str]] = {}
    for (a, left), (b, right) in combinations(passages, 2):
        if " ".join(left.split()) == " ".join(right.split()):
            continue
        for one, other in all_twins(left, right):
            _add(groups, one[0], a)
            _add(groups, other[0], b)
    return _ordered(groups)


def _groups(
    query: str, found: Disagreement, passages: Sequence[tuple[str, str]]
) -> tuple[ValueGroup, ...]:
    groups: dict[str, list[str]] = {}
    for group in found.values:
        for said in group.said:
            _add(groups, said.value, said.name)
    for name, text in passages:
        for stated in stated_values(query, text):
            if any(same_value(stated.value, value) for value in groups):
                _add(groups, stated.value, name)
    return _ordered(groups)


def _add(groups: dict[str, list[str]], value: str, name: str) -> None:
    for known, names in groups.items():
        if same_value(known, value):
            if name not in names:
                names.append(name)
            return
    groups[value] = [name]


def _ordered(groups: dict[str, list[str]]) -> tuple[ValueGroup, ...]:
    ranked = sorted(groups.items(), key=lambda item: -len(item[1]))
    found = tuple(ValueGroup(value=value, passage_ids=tuple(names)) for value, names in ranked)
    return found if len(found) >= 2 else ()
