"""What the two sides of a search brought back, and the full rows of what is kept of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from lancedb.expr import col

from core.adapters.lancedb_rows import COLUMNS, ranked
from core.adapters.rank_fusion import Hit, Scored
from core.ports import Vectors


class Found:
    """Rows by words and rows by meaning, ``None`` for a side that was not asked."""

    def __init__(self, words: Any | None, meaning: Any | None, query: Vectors | None) -> None:
        self._sides = [side for side in (words, meaning) if side is not None]
        self._query = query
        self.lexical: Scored = ranked(words, "_score")
        """Ids and BM25 scores, best first."""
        self.nearest: Scored = [
            (name, 1.0 - far) for name, far in ranked(meaning, "_distance", rising=True)
        ]
        """Ids and cosines, nearest first."""

    @cached_property
    def vectors(self) -> dict[str, Vectors]:
        """The vector of each row that has one."""
        out: dict[str, Vectors] = {}
        for side in self._sides:
            if not side.num_rows:
                continue
            flat = np.asarray(side["vector"].combine_chunks().flatten(), dtype=np.float32)
            matrix = flat.reshape(side.num_rows, -1)
            for name, row, there in zip(
                side["chunk_id"].to_pylist(), matrix, _marked(matrix), strict=True
            ):
                if there:
                    out[name] = row
        return out

    @cached_property
    def cosines(self) -> dict[str, float]:
        """Cosine to the query of each row that has a vector; empty without a query vector."""
        if self._query is None:
            return {}
        return {name: float(row @ self._query) for name, row in self.vectors.items()}

    def texts(self, hits: Sequence[Hit]) -> dict[str, str]:
        """What was indexed of each hit: its context and its text."""
        wanted, out = {hit.chunk_id for hit in hits}, dict[str, str]()
        for side in self._sides:
            names = side["chunk_id"].to_pylist()
            rows = [row for row, name in enumerate(names) if name in wanted and name not in out]
            read = side.select(["chunk_id", "context", "text"]).take(pa.array(rows, pa.int64()))
            for name, above, text in zip(*read.to_pydict().values(), strict=True):
                out[name] = f"{above}\n{text}"
        return out


def _marked(matrix: Vectors) -> list[bool]:
    """Which rows hold a vector; rows of a script the encoder does not know hold zeros."""
    return [bool(row.any()) for row in matrix]


def full_rows(
    table: Any, condition: Any, words: Any | None, meaning: Any | None, hits: Sequence[Hit]
) -> list[tuple[Hit, dict[str, Any]]]:
    """All columns of the hits, in order.

    Rows are fetched by their place in the table, which is fast. A compaction by another process
    may have moved them since: what does not come back as itself is asked for again by name, under
    the same filter. What is gone by then is left out.
    """
    if not hits:
        return []
    wanted = {hit.chunk_id for hit in hits}
    places = _places(words, wanted) | _places(meaning, wanted)
    rows = _named(_taken(table, list(places.values())), wanted)
    if lost := wanted - rows.keys():
        again = table.search().where(condition & col("chunk_id").isin(sorted(lost)))
        rows |= _named(again.select(list(COLUMNS)).limit(len(lost)).to_list(), lost)
    return [(hit, rows[hit.chunk_id]) for hit in hits if hit.chunk_id in rows]


def _taken(table: Any, places: list[int]) -> list[dict[str, Any]]:
    try:
        rows: list[dict[str, Any]] = table.take_row_ids(places).select(list(COLUMNS)).to_list()
    except (OSError, RuntimeError):  # the part of the table they lay in is gone
        return []
    return rows


def _places(side: Any | None, wanted: set[str]) -> dict[str, int]:
    if side is None:
        return {}
    pairs = zip(side["chunk_id"].to_pylist(), side["_rowid"].to_pylist(), strict=True)
    return {name: place for name, place in pairs if name in wanted}


def _named(rows: Sequence[Mapping[str, Any]], wanted: set[str]) -> dict[str, dict[str, Any]]:
    return {row["chunk_id"]: dict(row) for row in rows if row["chunk_id"] in wanted}
