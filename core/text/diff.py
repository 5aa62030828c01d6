"""Word by word difference of two texts, for showing what a person changed."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Literal

Operation = Literal["same", "added", "removed"]

# A word with the space behind it, one CJK character, or a run of space: joined again they are
# the text, so nothing is lost or added by showing a difference.
_PIECE = re.compile(r"[\u3400-\u9fff]|[^\s\u3400-\u9fff]+[^\S\n]*|\s+")


def word_diff(before: str, after: str) -> tuple[tuple[Operation, str], ...]:
    """What became of ``before``, as (operation, text) in reading order.

    The texts of ``same`` and ``removed`` joined give ``before``; those of ``same`` and ``added``
    give ``after``.
    """
    old, new = _PIECE.findall(before), _PIECE.findall(after)
    parts: list[tuple[Operation, str]] = []
    for tag, a0, a1, b0, b1 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            parts.append(("same", "".join(old[a0:a1])))
            continue
        if a1 > a0:
            parts.append(("removed", "".join(old[a0:a1])))
        if b1 > b0:
            parts.append(("added", "".join(new[b0:b1])))
    return tuple(parts)
