"""The difference of two versions: by line, and by word where lines changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import takewhile

from core.knowledge.views import DiffPart
from core.text.diff import word_diff

_WORDWISE_UP_TO = 6_000
"""Characters on either side of a changed stretch up to which words are compared."""

_LINES_UP_TO = 3_000
"""Lines on either side, between the first change and the last, up to which lines are compared."""


def version_diff(before: str, after: str) -> tuple[DiffPart, ...]:
    """What became of ``before``, as (operation, text) in reading order.

    The texts of ``same`` and ``removed`` joined give ``before``, those of ``same`` and ``added``
    give ``after``. Between the first and the last change of very long texts everything counts as
    changed.
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    head = _alike(old, new)
    tail = _alike(old[head:][::-1], new[head:][::-1])
    middle = old[head : len(old) - tail], new[head : len(new) - tail]
    parts = [
        ("same", "".join(old[:head])),
        *_between(*middle),
        ("same", "".join(old[len(old) - tail :])),
    ]
    return tuple(part for part in _joined(parts) if part[1])


def _between(old: Sequence[str], new: Sequence[str]) -> Iterator[DiffPart]:
    if max(len(old), len(new)) > _LINES_UP_TO:
        yield from _stretch("".join(old), "".join(new))
        return
    for _, a0, a1, b0, b1 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield from _stretch("".join(old[a0:a1]), "".join(new[b0:b1]))


def _stretch(old: str, new: str) -> tuple[DiffPart, ...]:
    if old == new:
        return (("same", old),)
    if old and new and max(len(old), len(new)) <= _WORDWISE_UP_TO:
        return word_diff(old, new)
    whole: tuple[DiffPart, ...] = (("removed", old), ("added", new))
    return tuple(part for part in whole if part[1])


def _alike(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines both begin with."""
    pairs = zip(old, new, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _joined(parts: Sequence[DiffPart]) -> Iterator[DiffPart]:
    """Neighbours of one kind as one."""
    held: DiffPart | None = None
    for part in parts:
        if held is not None and held[0] == part[0]:
            held = (held[0], held[1] + part[1])
            continue
        if held is not None:
            yield held
        held = part
    if held is not None:
        yield held
