"""Joins the word side and the vector side of a search.

Two ways. ``rrf`` is reciprocal rank fusion with k = 60 (Cormack, Clarke and Büttcher, SIGIR 2009):
ranks alone count. ``scores`` divides each side's scores by its best one and averages the two, so a
clear winner of one side keeps its lead (compare Bruch, Gai and Ingber, TOIS 2023); the bench prints
both, and it did at least as well on every set tried.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.models.plan import Fusion
from core.text.identifiers import find_identifiers

RRF_K = 60
_EVEN = 0.5
_LITERAL = 0.7
_QUOTED_OR_CODE = re.compile(
    r"[\"“「『`][^\"”」』`]{2,}[\"”」』`]"  # a phrase in quotes
    r"|\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{4,}\b"  # letters and digits in one word
    r"|\b\w+(?:_\w+)+\b|\b\w+\.\w+\(\)?"  # names from code
)


Scored = Sequence[tuple[str, float]]
"""Ids and scores of one side, best first."""


class Hit(NamedTuple):
    """An id with its place on both sides (from 1), its cosine to the query and the fused score."""

    chunk_id: str
    lexical_rank: int | None
    vector_rank: int | None
    similarity: float | None
    score: float


def word_share(query: str) -> float:
    """How much the word side counts, 0..1: more when the query names something literally."""
    literal = bool(find_identifiers(query)) or bool(_QUOTED_OR_CODE.search(query))
    return _LITERAL if literal else _EVEN


def fuse(
    *,
    lexical: Scored,
    vector: Scored,
    cosines: Mapping[str, float] | None = None,
    share: float = _EVEN,
    method: Fusion = "scores",
) -> list[Hit]:
    """Both sides as one list, best first; equal scores keep the order of ids.

    ``vector`` holds cosines; ``cosines`` may add those of ids that only the word side found, so
    that none loses for not having been among the nearest. ``share`` is the word side's weight.
    """
    lexical_ranks = {name: rank for rank, (name, _) in enumerate(lexical, start=1)}
    vector_ranks = {name: rank for rank, (name, _) in enumerate(vector, start=1)}
    words = dict(lexical)
    near = dict(cosines or {}) | dict(vector)
    best_word = max(words.values(), default=0.0)
    best_cosine = max(near.values(), default=0.0)
    hits = [
        Hit(
            chunk_id=name,
            lexical_rank=lexical_ranks.get(name),
            vector_rank=vector_ranks.get(name),
            similarity=near.get(name),
            score=_by_rank(lexical_ranks.get(name), vector_ranks.get(name), share)
            if method == "rrf"
            else _joined(
                _part(words.get(name), best_word) if lexical else None,
                _part(near.get(name), best_cosine) if vector else None,
                share,
            ),
        )
        for name in dict.fromkeys([*lexical_ranks, *vector_ranks])
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))


def _by_rank(lexical: int | None, vector: int | None, share: float) -> float:
    """Weighted reciprocal ranks, 1 for the best place on both sides."""
    parts = ((lexical, share), (vector, 1.0 - share))
    return sum(weight * (RRF_K + 1) / (RRF_K + rank) for rank, weight in parts if rank)


def _part(value: float | None, best: float) -> float:
    return max(value, 0.0) / best if value is not None and best > 0 else 0.0


def _joined(words: float | None, cosine: float | None, share: float) -> float:
    if words is None or cosine is None:
        return (words if words is not None else cosine) or 0.0
    return share * words + (1.0 - share) * cosine
