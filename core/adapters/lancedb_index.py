"""Passages in one LanceDB table: exact vectors and full text, filtered before top-k on both sides.

LanceDB runs its own threads: share one ``LanceIndex`` between threads freely, but never across a
fork (start worker processes with ``spawn``).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from lancedb.index import FTS, Bitmap, BTree, IvfSq

from core.adapters.lancedb_filter import document_condition
from core.adapters.lancedb_rows import (
    COLUMNS,
    FILTERED,
    SCHEMA_VERSION,
    read_text,
    schema,
    to_candidate,
    to_table,
)
from core.adapters.lancedb_search import LanceSearch
from core.adapters.lancedb_table import TABLE, OpenTable, connect, translated
from core.errors import IndexMismatch, IntegrityBroken
from core.models.evidence import EvidenceCandidate
from core.models.plan import RetrievalPlan
from core.models.source import Passage
from core.ports import Encoder, Vectors

ANALYSER = "icu-split/english-stem/positions"
_EXACT_UP_TO = 100_000  # rows; below it a vector index costs recall and saves nothing
_KEEP_ALL = timedelta(days=36_500)  # every version stays: answers are replayed on the index of then
_RANGES = {"valid_from_day", "valid_to_day", "document_key"}


class LanceIndex:
    """``PassageIndex`` in the folder ``folder``; opens or creates the table.

    ``chunker`` names the chunker version. Raises ``IndexMismatch`` when the table was built by
    another encoder, chunker, analyser or layout than these.
    """

    def __init__(self, folder: Path, encoder: Encoder, *, chunker: str) -> None:
        self._encoder = encoder
        self._built_by = {
            "encoder": encoder.fingerprint,
            "chunker": chunker,
            "analyser": ANALYSER,
            "schema": SCHEMA_VERSION,
        }
        self._writing = threading.Lock()
        self._folder = folder
        with translated(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._opened = OpenTable(folder, self._open())
            self._opened.has_vector_index()
        self._search = LanceSearch(lambda: self._opened, encoder)

    def search(self, plan: RetrievalPlan) -> tuple[EvidenceCandidate, ...]:
        """Best first, at most ``plan.top_k``."""
        return self._search.search(plan)

    def explain(self, plan: RetrievalPlan) -> str:
        """The filter of ``plan`` as SQL text."""
        return self._search.explain(plan)

    def explain_legs(self, plan: RetrievalPlan) -> tuple[str, ...]:
        """The physical plans of both sides, to see that the filter runs before top-k."""
        return self._search.explain_legs(plan)

    def replace_document(self, document_id: str, passages: Sequence[Passage]) -> None:
        """Swap a version's passages in one commit; readers never see half of it."""
        self.replace_documents([(document_id, passages)])

    def replace_documents(self, batch: Sequence[tuple[str, Sequence[Passage]]]) -> None:
        """``replace_document`` for many versions in one commit."""
        if not batch:
            return
        condition = document_condition([name for name, _ in batch])
        passages = [passage for _, group in batch for passage in group]
        if strays := {p.document_id for p in passages} - {name for name, _ in batch}:
            raise ValueError(f"passages of documents that are not in the batch: {sorted(strays)}")
        vectors = self._vectors(passages)
        with self._writing, translated(self._folder):
            if not passages:
                self._opened.table.delete(condition)
                return
            rows = to_table(passages, vectors, self._opened.table.schema)
            if self._opened.table.count_rows(condition) == 0:
                self._opened.table.add(rows)
                return
            (
                self._opened.table.merge_insert("chunk_id")
                .when_matched_update_all()
                .when_not_matched_insert_all()
                .when_not_matched_by_source_delete(condition)
                .execute(rows)
            )

    def remove_document(self, document_id: str) -> int:
        """Take a version's passages out and prove by a probe that none is left."""
        condition = document_condition([document_id])
        with self._writing, translated(self._folder):
            there = int(self._opened.table.count_rows(condition))
            if there:
                self._opened.table.delete(condition)
            left = int(self._opened.table.count_rows(condition))
        if left:
            raise IntegrityBroken(f"{left} passages of {document_id!r} are still in the index")
        return there

    def passages_of(self, document_id: str) -> tuple[EvidenceCandidate, ...]:
        """All passages of a version in order; not filtered by rights."""
        with translated(self._folder):
            rows = (
                self._opened.table.search()
                .where(document_condition([document_id]))
                .select(list(COLUMNS))
                .limit(max(1, self.count()))
                .to_list()
            )
        rows.sort(key=lambda row: int(row["ordinal"]))
        return tuple(to_candidate(row, rank=rank) for rank, row in enumerate(rows, start=1))

    def finish(self) -> None:
        """Fold new rows into the indexes, compact, and keep every version readable."""
        with self._writing, translated(self._folder):
            self._opened.table.optimize(cleanup_older_than=_KEEP_ALL)
            if (
                self._opened.table.count_rows() > _EXACT_UP_TO
                and not self._opened.has_vector_index()
            ):
                self._opened.table.create_index("vector", config=IvfSq(distance_type="cosine"))

    def version(self) -> str:
        """The table version an answer can be replayed on."""
        with translated(self._folder):
            return str(self._opened.table.version)

    def as_of(self, version: str) -> LanceIndex:
        """A read-only view of the index as it was at ``version``."""
        view = object.__new__(LanceIndex)
        view.__dict__.update(self.__dict__)
        with translated(self._folder):
            table = connect(self._folder).open_table(TABLE)
            table.checkout(int(version))
        view._opened = OpenTable(self._folder, table)
        view._search = LanceSearch(lambda: view._opened, self._encoder)
        return view

    def count(self) -> int:
        """Number of passages stored."""
        with translated(self._folder):
            return int(self._opened.table.count_rows())

    @staticmethod
    def discard(folder: Path) -> None:
        """Drop the table, so that the next opening starts anew. For a rebuild."""
        with translated(folder):
            if folder.is_dir():
                connect(folder).drop_table(TABLE, ignore_missing=True)

    def _open(self) -> Any:
        database = connect(self._folder)
        try:
            table = database.open_table(TABLE)
        except (ValueError, FileNotFoundError):
            return self._create(database)
        stored = {k.decode(): v.decode() for k, v in (table.schema.metadata or {}).items()}
        for what, wanted in self._built_by.items():
            if stored.get(what) != wanted:
                raise IndexMismatch(
                    f"the passage index in {self._folder} was built with {what} "
                    f"{stored.get(what, 'unknown')!r}, but {wanted!r} is configured; "
                    "run `countersign ingest --rebuild` to build it anew"
                )
        return table

    def _create(self, database: Any) -> Any:
        layout = schema(self._encoder.dimension, self._built_by)
        table = database.create_table(TABLE, schema=layout, exist_ok=True)
        table.create_index(
            "search_text", config=FTS(base_tokenizer="icu/split", with_position=True)
        )
        for column in FILTERED:
            table.create_index(column, config=BTree() if column in _RANGES else Bitmap())
        return table

    def _vectors(self, passages: Sequence[Passage]) -> Vectors:
        """Vectors of what the encoder knows; zeros, which no search returns, for the rest."""
        texts = [read_text(passage) for passage in passages]
        vectors = np.zeros((len(texts), self._encoder.dimension), dtype=np.float32)
        known = [number for number, text in enumerate(texts) if self._encoder.knows(text)]
        if known:
            vectors[known] = self._encoder.encode([texts[number] for number in known])
        return vectors
