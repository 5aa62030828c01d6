"""Joins the word side and the vector side of a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

RRF_K = 60


class Hit(NamedTuple):
    """A row with its place on both sides (from 1) and the fused score."""

    row: dict[str, Any]
    lexical_rank: int | None
    vector_rank: int | None
    similarity: float | None
    score: float


def fuse(
    query: str,
    *,
    lexical: Sequence[dict[str, Any]],
    vector: Sequence[dict[str, Any]],
) -> list[Hit]:
    """Reciprocal rank fusion, best first; equal scores keep the order of ids."""
    rows = {row["chunk_id"]: row for row in (*lexical, *vector)}
    lexical_ranks = {row["chunk_id"]: rank for rank, row in enumerate(lexical, start=1)}
    vector_ranks = {row["chunk_id"]: rank for rank, row in enumerate(vector, start=1)}
    similarity = {row["chunk_id"]: 1.0 - float(row["_distance"]) for row in vector}
    hits = [
        Hit(
            row=row,
            lexical_rank=lexical_ranks.get(name),
            vector_rank=vector_ranks.get(name),
            similarity=similarity.get(name),
            score=_share(lexical_ranks.get(name)) + _share(vector_ranks.get(name)),
        )
        for name, row in rows.items()
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.row["chunk_id"]))


def _share(rank: int | None) -> float:
    return 1.0 / (RRF_K + rank) if rank is not None else 0.0
