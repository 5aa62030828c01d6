"""How a quantity is bounded: within, at least, more than, about."""

from __future__ import annotations

import re
from typing import Literal

Bound = Literal["exact", "at_most", "at_least", "less_than", "more_than", "approx"]
Side = Literal["before", "after", ""]

_I = re.IGNORECASE
_END = r"\s*(?:(?:an?|the|of|first|next|last|is|:)\s+){0,2}$"
_BEFORE: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    (
        "at_most",
        re.compile(
            r"(?:\bwithin|\bup to|\bat (?:the )?most|\bno (?:more|later|longer|greater|"
            r"higher) than|"
            r"\bnot (?:more|later|exceed(?:ing)?)(?: than)?|\b(?:not|n't|never) exceed|"
            r"\bmax(?:imum)?(?: of)?|\binside|\bas (?:much|many|long) as|"
            r"\bin (?:as little as )?(?:under|less than)|不超过|不得超过|不多于|不高于|最多|至多|"
            r"最长|最高|≤|<=)" + _END,
            _I,
        ),
    ),
    (
        "at_least",
        re.compile(
            r"(?:\bat (?:the )?least|\bno (?:less|fewer|earlier|lower) than|\bnot less than|"
            r"\bmin(?:imum)?(?: of)?|\bstarting (?:at|from)|至少|最少|最低|不少于|不低于|≥|>=)"
            + _END,
            _I,
        ),
    ),
    (
        "more_than",
        re.compile(
            r"(?:\b(?:more|greater|longer|higher|later|older) than|\bover|\babove|\bexceed(?:s|"
            r"ing)?|"
            r"\bbeyond|"
            r"\bupwards of|超过|多于|大于|高于|>)" + _END,
            _I,
        ),
    ),
    (
        "less_than",
        re.compile(
            r"(?:\b(?:less|fewer|shorter|lower|earlier|younger) than|\bunder|\bbelow|"
            r"少于|低于|不足|不到|小于|<)" + _END,
            _I,
        ),
    ),
    (
        "approx",
        re.compile(
            r"(?:\babout|\baround|\bapprox(?:imately|\.)?|\broughly|\bnearly|\balmost|\bsome|"
            r"\bcirca|"
            r"~|≈|"
            r"大约|大概|约|近)" + _END,
            _I,
        ),
    ),
)
_AFTER: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    (
        "at_least",
        re.compile(
            r"\s*(?:\+|(?:or|and) (?:more|above|over|up|higher|later|older|longer|greater)|"
            r"at (?:the )?least|minimum|以上|起)",
            _I,
        ),
    ),
    (
        "at_most",
        re.compile(
            r"\s*(?:(?:or|and) (?:less|fewer|under|below|lower|sooner|earlier|younger)|"
            r"at (?:the )?most|maximum|max\b|之内|以内|内|以下)",
            _I,
        ),
    ),
    ("approx", re.compile(r"\s*(?:or so|give or take|左右|上下)", _I)),
)
_SIDE: tuple[tuple[Side, re.Pattern[str]], ...] = (
    (
        "before",
        re.compile(
            r"(?:\bwithin|\bbefore|\bby|\buntil|\bup to|\bno later than|\bnot later than|不超过|"
            r"不晚于|在)" + _END,
            _I,
        ),
    ),
    (
        "after",
        re.compile(
            r"(?:\bafter|\bbeyond|\bpast|\bsince|\bno earlier than|\bmore than|\blater than|超过|"
            r"满)" + _END,
            _I,
        ),
    ),
)
_ZH_SIDE_AFTER: tuple[tuple[Side, re.Pattern[str]], ...] = (
    ("before", re.compile(r"\s*(?:之内|以内|内|之前|以前|前)")),
    ("after", re.compile(r"\s*(?:之后|以后|后)")),
)


def bound_of(text: str, start: int, end: int) -> tuple[Bound, int]:
    """The bound on the quantity at ``text[start:end]`` and where its wording ends."""
    before = text[max(0, start - 40) : start]
    for bound, pattern in _BEFORE:
        if pattern.search(before):
            return bound, end
    for bound, pattern in _AFTER:
        if match := pattern.match(text, end):
            return bound, match.end()
    return "exact", end


def side_of(text: str, start: int, end: int) -> Side:
    """Whether the words around a time put the matter before it or after it."""
    before = text[max(0, start - 40) : start]
    for side, pattern in _SIDE:
        if pattern.search(before):
            return side
    for side, pattern in _ZH_SIDE_AFTER:
        if pattern.match(text, end):
            return side
    return ""


def opposed(a: Bound, b: Bound) -> bool:
    """Whether two bounds on one value cannot both hold as rules."""
    up, down = {"at_least", "more_than"}, {"at_most", "less_than"}
    return (a in up and b in down) or (a in down and b in up)
