"""Proof that nothing of a removed document can be found any more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from lancedb.query import MatchQuery

from core.adapters.lancedb_filter import document_key
from core.adapters.lancedb_table import OpenTable
from core.models.index import RemovalProof
from core.ports import Vectors

T = TypeVar("T")

_MOST_QUERIES = 20
_LOOKED_AT = 10


def probe(
    opened: OpenTable, document_id: str, texts: Sequence[str], vectors: Vectors, *, passages: int
) -> RemovalProof:
    """Search for the exact ``texts`` of the document, by words and by vector, without a filter.

    ``passages`` is how many it has in all; ``spread`` chooses those that are tried.
    """
    key = document_key(document_id)
    hits = queries = 0
    for text, vector in zip(texts, vectors, strict=True):
        for leg, score in _legs(opened.table, text, vector):
            queries += 1
            found = leg.select(["document_key", score]).limit(_LOOKED_AT).to_arrow()
            hits += found["document_key"].to_pylist().count(key)
    return RemovalProof(document_id=document_id, passages=passages, queries=queries, hits=hits)


def spread(things: Sequence[T]) -> list[T]:
    """At most twenty of them, from the first to the last."""
    length = len(things)
    if length <= _MOST_QUERIES:
        return list(things)
    places = {round(n * (length - 1) / (_MOST_QUERIES - 1)) for n in range(_MOST_QUERIES)}
    return [things[place] for place in sorted(places)]


def _legs(table: Any, text: str, vector: Vectors) -> list[tuple[Any, str]]:
    """Searches by words and, where the encoder knew the text, by vector; with their scores."""
    legs = [(table.search(MatchQuery(text, "search_text"), query_type="fts"), "_score")]
    if np.any(vector):
        near = table.search(vector, vector_column_name="vector").distance_type("cosine")
        legs.append((near, "_distance"))
    return legs
