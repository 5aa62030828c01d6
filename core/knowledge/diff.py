"""The difference of two versions: by line, and by word where lines changed."""

from __future__ import annotations

from difflib import SequenceMatcher

from core.knowledge.views import DiffPart
from core.text.diff import word_diff

_WORDWISE_UP_TO = 6_000
"""Characters on either side of a changed stretch up to which words are compared."""


def version_diff(before: str, after: str) -> tuple[DiffPart, ...]:
    """What became of ``before``, as (operation, text) in reading order.

    The texts of ``same`` and ``removed`` joined give ``before``, those of ``same`` and ``added``
    give ``after``.
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    parts: list[DiffPart] = []
    for _, a0, a1, b0, b1 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        parts += _stretch("".join(old[a0:a1]), "".join(new[b0:b1]))
    return tuple(parts)


def _stretch(old: str, new: str) -> tuple[DiffPart, ...]:
    if old == new:
        return (("same", old),)
    if old and new and max(len(old), len(new)) <= _WORDWISE_UP_TO:
        return word_diff(old, new)
    whole: tuple[DiffPart, ...] = (("removed", old), ("added", new))
    return tuple(part for part in whole if part[1])
