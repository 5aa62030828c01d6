"""Folding new rows into the indexes: when it is worth it, and doing it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from lancedb.index import IvfSq

from core.adapters.lancedb_table import OpenTable

EXACT_UP_TO = 100_000
"""Rows; below it a vector index costs recall and saves nothing."""

KEEP_ALL = timedelta(days=36_500)
"""Every version stays: answers are replayed on the index of then."""

_SMALL = 5_000
_FEW, _MANY = 256, 1_000


def unindexed(table: Any) -> int:
    """Rows that some index does not hold yet; they are found all the same, only slower."""
    counts = [table.index_stats(index.name).num_unindexed_rows for index in table.list_indices()]
    return max(counts, default=0)


def worth_folding(table: Any) -> bool:
    """Whether enough rows wait: each costs a search some 0.05 ms, folding rewrites the table."""
    rows = int(table.count_rows())
    may_wait = 0 if rows <= _SMALL else min(_MANY, max(_FEW, rows // 200))
    return unindexed(table) > may_wait


def fold(opened: OpenTable, *, exact_up_to: int) -> int:
    """Fold all rows in, compact, index the vectors of a large table; returns how many waited."""
    waiting = unindexed(opened.table)
    opened.table.optimize(cleanup_older_than=KEEP_ALL)
    if opened.table.count_rows() > exact_up_to and not opened.has_vector_index():
        opened.table.create_index("vector", config=IvfSq(distance_type="cosine"))
    return waiting
