"""Texts that say the same: when two do, how two differ, and one passage for all that do.

Alike in words but not in value is never "the same": that is a conflict or another version, for a
person to see.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from difflib import SequenceMatcher
from heapq import nsmallest
from itertools import combinations
from typing import Literal, NamedTuple, get_args
from zlib import crc32

from core.models.evidence import EvidenceCandidate, SamePassage
from core.models.source import Authority
from core.models.standing import standing
from core.text.dates import absolute_dates
from core.text.fingerprint import meaning_key, meaning_tokens, text_key, written_tokens
from core.text.identifiers import find_identifiers
from core.text.language import CJK
from core.text.names import find_names
from core.text.polarity import modality, negators, quantifiers
from core.text.quantities import find_quantities
from core.text.units import base

__all__ = [
    "Difference",
    "collapse",
    "differences",
    "likeness",
    "nearly_same",
    "same_values",
    "shingle_overlap",
    "shingles",
    "text_key",
]

Likeness = Literal["same", "nearly_same", "differs_in_values", "reworded", "different"]

ALIKE = 0.6
"""Share of three-word runs in common from which two texts are versions of one another."""
_RUN = 3
_AUTHORITIES: tuple[str, ...] = get_args(Authority)
_NOT_PASSAGES = ("record", "case_file")
_LONG_WORD = re.compile(rf"[{CJK}]|[^\W\d_{CJK}]{{6,}}")
_BETWEEN_CJK = re.compile(rf"(?<=[{CJK}]) (?=[{CJK}])")
_SKETCH = 16
_SHORT = 20
"""Words up to which a text of the same frame with another value is a version of it."""


class Difference(NamedTuple):
    """What one text says in place of the other, each in few words; empty where it says nothing."""

    left: str
    right: str


def shingles(text: str) -> frozenset[str]:
    """All runs of three words, or the whole of a shorter text."""
    tokens = meaning_tokens(text)
    if len(tokens) <= _RUN:
        return frozenset({" ".join(tokens)} if tokens else ())
    return frozenset(" ".join(tokens[at : at + _RUN]) for at in range(len(tokens) - _RUN + 1))


def shingle_overlap(a: str, b: str) -> float:
    """Jaccard similarity of the two texts' shingles, 0..1."""
    left, right = shingles(a), shingles(b)
    union = left | right
    return len(left & right) / len(union) if union else 0.0


def same_values(a: str, b: str) -> bool:
    """Whether both state the same quantities, dates, names, denials and modal words."""
    return _values(a) == _values(b)


def nearly_same(a: str, b: str) -> bool:
    """Whether one stands for the other: every word that can carry a rule agrees, in order.

    Spelling, plurals, articles, polite words and numbers in words or digits may differ.
    """
    return bool(text_key(a)) and (text_key(a) == text_key(b) or meaning_key(a) == meaning_key(b))


def likeness(a: str, b: str) -> Likeness:
    """How alike two texts are; ``differs_in_values`` is what an owner should look at first."""
    if not text_key(a) or not text_key(b):
        return "different"
    if text_key(a) == text_key(b):
        return "same"
    if nearly_same(a, b):
        return "nearly_same"
    if shingle_overlap(a, b) < ALIKE and not _one_value_apart(a, b):
        return "different"
    return "reworded" if same_values(a, b) else "differs_in_values"


def differences(a: str, b: str) -> tuple[Difference, ...]:
    """Where two texts part, in order, with a word around a bare number to show what it counts."""
    left, right = written_tokens(a), written_tokens(b)
    parts = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return tuple(
        Difference(_shown(left, a0, a1), _shown(right, b0, b1))
        for tag, a0, a1, b0, b1 in parts
        if tag != "equal"
    )


def collapse(
    candidates: Sequence[EvidenceCandidate], *, on: date | None = None
) -> tuple[EvidenceCandidate, ...]:
    """One candidate for each thing said, best first as given; the copies are in its ``also_in``.

    The copy kept is one in force (on the day ``on``, where given) before any other, then the one
    with the highest authority, then the newest reviewed, then the best ranked. It takes the best
    ranks and scores of its group. Tenants and regions never mix, nor special cases with the general
    one; records and case files are never merged.
    """
    twins = _with_a_twin(candidates)
    groups: dict[tuple[str, ...], list[EvidenceCandidate]] = {}
    for place, candidate in enumerate(candidates):
        said = _said(candidate) if place in twins else ()
        groups.setdefault(said or (str(place),), []).append(candidate)
    return tuple(_merged(group, on) for group in groups.values())


def _with_a_twin(candidates: Sequence[EvidenceCandidate]) -> set[int]:
    """Places of candidates that share most long words with another: only they can say the same.

    Keys cost a millisecond for a few texts, and most of a result has no twin.
    """
    rough = [_sketch(candidate.text) for candidate in candidates]
    found: set[int] = set()
    for (left, ours), (right, theirs) in combinations(enumerate(rough), 2):
        if 2 * len(ours & theirs) >= max(len(ours), len(theirs)):
            found |= {left, right}
    return found


def _sketch(text: str) -> frozenset[str]:
    """A few of the text's long words, the same few in every text that has them."""
    words = set(_LONG_WORD.findall(text.casefold()))
    return frozenset(nsmallest(_SKETCH, words, key=lambda word: crc32(word.encode())))


def _said(candidate: EvidenceCandidate) -> tuple[str, ...]:
    """Equal for candidates that may be merged; empty for one that never is."""
    said = meaning_key(candidate.text)
    if candidate.retrieval_source in _NOT_PASSAGES or not said:
        return ()
    scope = (candidate.region.casefold(), candidate.scope_note.casefold())
    return (candidate.tenant_id, said, _own_words(candidate), *scope)


def _own_words(candidate: EvidenceCandidate) -> str:
    """A stored key may know more than the text, such as the header of a table's rows."""
    key = candidate.text_key
    return key if key and key != text_key(candidate.text) else ""


def _merged(group: Sequence[EvidenceCandidate], on: date | None) -> EvidenceCandidate:
    if len(group) == 1:
        return group[0]
    ordered = sorted(group, key=lambda candidate: _precedence(candidate, on))
    kept = ordered[0]
    sources = {c.retrieval_source for c in group}
    return kept.model_copy(
        update={
            "rank": min(c.rank for c in group),
            "score": max(c.score for c in group),
            "lexical_rank": min((c.lexical_rank for c in group if c.lexical_rank), default=None),
            "vector_rank": min((c.vector_rank for c in group if c.vector_rank), default=None),
            "similarity": max(
                (c.similarity for c in group if c.similarity is not None), default=None
            ),
            "retrieval_source": "hybrid" if len(sources) > 1 else kept.retrieval_source,
            "also_in": _others(ordered),
        }
    )


def _precedence(candidate: EvidenceCandidate, on: date | None) -> tuple[object, ...]:
    reviewed = candidate.last_reviewed or candidate.valid_from or date.min
    return (
        not _in_force(candidate, on),
        standing(candidate, on=on).rank,
        _AUTHORITIES.index(candidate.authority),
        -reviewed.toordinal(),
        candidate.rank,
        candidate.chunk_id,
    )


def _in_force(candidate: EvidenceCandidate, on: date | None) -> bool:
    """Active today; on a day that was asked for, whatever was valid then and never a draft."""
    if on is None:
        return candidate.status == "active"
    begun = candidate.valid_from is None or candidate.valid_from <= on
    ended = candidate.valid_to is not None and candidate.valid_to <= on
    closed = candidate.status in ("superseded", "archived") and candidate.valid_to is None
    return candidate.status != "draft" and begun and not ended and not closed


def _others(ordered: Sequence[EvidenceCandidate]) -> tuple[SamePassage, ...]:
    """Where else it stands, without the copy that is kept; a chunk is named once."""
    named: dict[str, SamePassage] = {}
    for candidate in ordered[1:]:
        named.setdefault(
            candidate.chunk_id,
            SamePassage(
                chunk_id=candidate.chunk_id,
                document_id=candidate.document_id,
                source_id=candidate.source_id,
                source_title=candidate.source_title,
                authority=candidate.authority,
                status=candidate.status,
            ),
        )
    for candidate in ordered:
        for other in candidate.also_in:
            named.setdefault(other.chunk_id, other)
    named.pop(ordered[0].chunk_id, None)
    return tuple(sorted(named.values(), key=lambda same: _AUTHORITIES.index(same.authority)))


def _values(text: str) -> tuple[object, ...]:
    quantities = sorted(
        (base(q.unit)[0], q.value * base(q.unit)[1], q.upper or 0, q.bound)
        for q in find_quantities(text)
    )
    denied = sorted(text[start:end].casefold() for start, end in negators(text))
    return (
        tuple(quantities),
        tuple(sorted((d.year or 0, d.month or 0, d.day or 0) for d in absolute_dates(text))),
        tuple(denied),
        modality(text),
        quantifiers(text),
        frozenset(name.casefold() for name in find_names(text)),
        frozenset((item.kind, item.value) for item in find_identifiers(text)),
    )


def _one_value_apart(a: str, b: str) -> bool:
    """A short sentence with another number shares few runs of words; its frame is what counts."""
    left, right = meaning_tokens(a), meaning_tokens(b)
    if not left or not right or max(len(left), len(right)) > _SHORT:
        return False
    framed = [tuple("0" if t[0].isdigit() else t for t in tokens) for tokens in (left, right)]
    return framed[0] == framed[1]


def _shown(tokens: Sequence[str], start: int, end: int) -> str:
    """The words of a difference; a number is shown with the word behind it."""
    if start == end:
        return ""
    bare = tokens[end - 1][0].isdigit() and end < len(tokens)
    return _BETWEEN_CJK.sub("", " ".join(tokens[start : end + bare]))
