"""How much of the exact nearest passages the vector index finds, measured on stored vectors."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from core.adapters.lancedb_index import LanceIndex
from core.adapters.lancedb_search import exact_distances
from core.adapters.lancedb_table import translated
from core.models.index import RecallCheck
from core.ports import Vectors

_RECORD = "recall.json"
_NEAREST = 10
_QUERIES = 50
_NOISE = 0.05
_FEW = "document_key < '1'"
"""A filter that one document in sixteen passes, whatever the documents are."""


def check_recall(
    index: LanceIndex, *, now: datetime, queries: int = _QUERIES
) -> RecallCheck | None:
    """Measure and record it; ``None`` while vectors are searched exactly, for then it is 1."""
    with translated(index.folder):
        opened = index.table()
        if not opened.has_vector_index():
            return None
        vectors = _sample(opened.table, queries)
        check = RecallCheck(
            queries=len(vectors),
            k=_NEAREST,
            plain=_recall(opened.table, vectors, None),
            filtered=_recall(opened.table, vectors, _FEW),
            at=now,
        )
    (index.folder / _RECORD).write_text(check.model_dump_json(), encoding="utf-8")
    return check


def last_recall(folder: Path) -> RecallCheck | None:
    """The recall as it was last measured."""
    try:
        return RecallCheck.model_validate(json.loads((folder / _RECORD).read_text("utf-8")))
    except (OSError, ValueError):
        return None


def _sample(table: Any, queries: int) -> Vectors:
    """Stored vectors spread over the table, each pushed a little: a question is never a copy."""
    rows = int(table.count_rows())
    offsets = sorted({round(n * (rows - 1) / max(1, queries - 1)) for n in range(queries)})
    found = table.take_offsets(offsets).select(["vector"]).to_arrow()
    flat = np.asarray(found["vector"].combine_chunks().flatten(), dtype=np.float32)
    vectors = flat.reshape(found.num_rows, -1)
    vectors = vectors[np.abs(vectors).sum(axis=1) > 0]
    noise = np.random.default_rng(0).standard_normal(vectors.shape) * _NOISE
    pushed = vectors + noise / np.sqrt(vectors.shape[1])
    return np.asarray(pushed / np.linalg.norm(pushed, axis=1, keepdims=True), dtype=np.float32)


def _recall(table: Any, vectors: Vectors, condition: str | None) -> float:
    found = wanted = 0
    for vector in vectors:
        exact = _nearest(table, vector, condition, exactly=True)
        found += len(exact & _nearest(table, vector, condition, exactly=False))
        wanted += len(exact)
    return round(found / wanted, 4) if wanted else 1.0


def _nearest(table: Any, vector: Vectors, condition: str | None, *, exactly: bool) -> set[str]:
    leg = table.search(vector, vector_column_name="vector").distance_type("cosine")
    leg = leg.bypass_vector_index() if exactly else exact_distances(leg)
    if condition:
        leg = leg.where(condition, prefilter=True)
    found = leg.select(["chunk_id", "_distance"]).limit(_NEAREST).to_arrow()
    return set(found["chunk_id"].to_pylist())
