"""Passages in a LanceDB table: opened, written, kept whole. ``lancedb_search`` searches it.

LanceDB runs its own threads: share one ``LanceIndex`` between threads freely, but never across a
fork (start worker processes with ``spawn``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from core.adapters.lancedb_filter import document_condition
from core.adapters.lancedb_fold import EXACT_UP_TO, fold, worth_folding
from core.adapters.lancedb_generations import Generations, Place, place_of
from core.adapters.lancedb_lock import FileLock
from core.adapters.lancedb_probe import probe, spread
from core.adapters.lancedb_rows import (
    COLUMNS,
    SCHEMA_VERSION,
    read_text,
    to_candidate,
    to_table,
)
from core.adapters.lancedb_search import LanceSearch
from core.adapters.lancedb_table import OpenTable, translated
from core.adapters.lancedb_vectors import VectorSource
from core.errors import BadInput, IntegrityBroken
from core.models.evidence import EvidenceCandidate
from core.models.index import RemovalProof
from core.models.plan import RetrievalPlan
from core.models.source import Passage
from core.ports import Encoder

ANALYSER = "icu-split/english-stem/positions"
_BUSY = "another process is writing the passage index; try again when it is done"
_READ_TOGETHER = 10_000


class LanceIndex:
    """``PassageIndex`` in the folder ``folder``; opens or creates the table.

    ``chunker`` names the chunker version. Raises ``IndexMismatch`` when the table was built by
    another encoder, chunker, analyser or layout than these.
    """

    def __init__(
        self, folder: Path, encoder: Encoder, *, chunker: str, exact_up_to: int = EXACT_UP_TO
    ) -> None:
        self._setup(folder, encoder, chunker, exact_up_to)
        with translated(folder):
            folder.mkdir(parents=True, exist_ok=True)
        self._table()

    @classmethod
    def beside(
        cls, folder: Path, encoder: Encoder, *, chunker: str, exact_up_to: int = EXACT_UP_TO
    ) -> LanceIndex:
        """A new, empty index beside the one in use, which goes on answering until ``take_over``.

        Vectors of the same encoder are taken over from the other tables, also from a rebuild that
        was cut short.
        """
        index = object.__new__(cls)
        index._setup(folder, encoder, chunker, exact_up_to)
        with translated(folder):
            folder.mkdir(parents=True, exist_ok=True)
            index._pinned = index.generations.create(index.generations.next_number())
        return index

    def _setup(self, folder: Path, encoder: Encoder, chunker: str, exact_up_to: int) -> None:
        built_by = {
            "encoder": encoder.fingerprint,
            "chunker": chunker,
            "analyser": ANALYSER,
            "schema": SCHEMA_VERSION,
        }
        self._folder, self._encoder, self._exact_up_to = folder, encoder, exact_up_to
        self.generations = Generations(folder, built_by, encoder.dimension)
        self._lock = FileLock(folder / "writer.lock", busy=_BUSY)
        self._current: OpenTable | None = None
        self._pinned: OpenTable | None = None
        self._past: Place | None = None
        self._search = LanceSearch(self._table, encoder)
        self._vectors = VectorSource(encoder, self._vector_tables)

    # -- searching ------------------------------------------------------------------------------

    def search(self, plan: RetrievalPlan) -> tuple[EvidenceCandidate, ...]:
        """Best first, at most ``plan.top_k``."""
        return self._search.search(plan)

    def explain(self, plan: RetrievalPlan) -> str:
        """The filter of ``plan`` as SQL text."""
        return self._search.explain(plan)

    def explain_legs(self, plan: RetrievalPlan) -> tuple[str, ...]:
        """The physical plans of both sides, to see that the filter runs before top-k."""
        return self._search.explain_legs(plan)

    def passages_of(self, document_id: str) -> tuple[EvidenceCandidate, ...]:
        """All passages of a version in order; not filtered by rights."""
        rows = self._rows_of(document_id, COLUMNS)
        return tuple(to_candidate(row, rank=rank) for rank, row in enumerate(rows, start=1))

    def version(self) -> str:
        """The version an answer can be replayed on."""
        if self._past is not None:
            return str(self._past)
        with translated(self._folder):
            opened = self._table()
            return str(Place(opened.number, int(opened.table.version)))

    def as_of(self, version: str) -> LanceIndex:
        """A read-only view of the index as it was at ``version``.

        Raises ``NotFound`` when that version is not kept, ``BadInput`` for what is no version,
        ``IndexMismatch`` when another encoder or chunker built it.
        """
        view = object.__new__(LanceIndex)
        view.__dict__.update(self.__dict__)
        view._past = place_of(version)
        view._pinned = self.generations.past(view._past)
        view._search = LanceSearch(view._table, self._encoder)
        return view

    def count(self) -> int:
        """Number of passages stored."""
        with translated(self._folder):
            return int(self._table().table.count_rows())

    # -- writing --------------------------------------------------------------------------------

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One writer at a time, among all processes; a second one waits its turn.

        Raises ``TryAgainLater`` when the other takes too long, ``BadInput`` for a past version.
        """
        if self._past is not None:
            raise BadInput(f"index version {self._past} is past: it can be searched, not changed")
        with self._lock.held(), translated(self._folder):
            yield

    def prepare(self, passages: Sequence[Passage]) -> int:
        """Have vectors at hand before writing, so that writing is short; counts the new ones."""
        with translated(self._folder):
            return self._vectors.prepare(passages)

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
        with translated(self._folder):
            vectors = self._vectors.of(passages)
        with self.writing():
            table = self._table().table
            if not passages:
                table.delete(condition)
                return
            rows = to_table(passages, vectors, table.schema)
            if table.count_rows(condition) == 0:
                table.add(rows)
                return
            (
                table.merge_insert("chunk_id")
                .when_matched_update_all()
                .when_not_matched_insert_all()
                .when_not_matched_by_source_delete(condition)
                .execute(rows)
            )

    def remove_document(self, document_id: str) -> int:
        """Take a version's passages out and prove by probe queries that none can be found."""
        condition = document_condition([document_id])
        with self.writing():
            rows = self._rows_of(document_id, ("chunk_id", "ordinal", "search_text", "vector"))
            table = self._table().table
            if rows:
                table.delete(condition)
            left = int(table.count_rows(condition))
            tried = spread(rows)
            texts = [str(row["search_text"]) for row in tried]
            vectors = np.asarray([row["vector"] for row in tried], dtype=np.float32)
            proof = probe(self._table(), document_id, texts, vectors, passages=len(rows))
        if left or proof.hits:
            raise IntegrityBroken(
                f"{max(left, proof.hits)} passages of {document_id!r} are still in the index"
            )
        return len(rows)

    def probe(self, document_id: str, passages: Sequence[Passage]) -> RemovalProof:
        """Search for the exact text of ``passages``; count what comes back of the document."""
        with translated(self._folder):
            tried = spread(passages)
            texts = [read_text(passage) for passage in tried]
            vectors = self._vectors.of(tried)
            return probe(self._table(), document_id, texts, vectors, passages=len(passages))

    def forget_vectors(self) -> None:
        """Let go of vectors kept in memory, whose texts may have been erased."""
        self._vectors.forget()

    def finish(self) -> None:
        """Fold new rows into the indexes once there are enough to slow searching down."""
        with self.writing():
            if worth_folding(self._table().table):
                self.fold()

    def fold(self) -> int:
        """Fold all new rows into the indexes and compact; every version stays readable.

        Returns how many rows were not folded in before.
        """
        with self.writing():
            return fold(self._table(), exact_up_to=self._exact_up_to)

    def rewrite(self) -> None:
        """Copy every row into a new table and use that. For leaving older versions behind."""
        with self.writing():
            old = self._table()
            fresh = self.generations.create(self.generations.next_number())
            for batch in old.table.search().to_batches(batch_size=_READ_TOGETHER):
                fresh.table.add(pa.Table.from_batches([batch]).cast(fresh.table.schema))
            fold(fresh, exact_up_to=self._exact_up_to)
            self.generations.use(fresh.number)

    def take_over(self) -> None:
        """From now on this index answers for everybody. Leftovers of cut-short rebuilds go."""
        if self._pinned is None or self._past is not None:
            raise ValueError("only an index built beside the one in use can take over")
        with self.writing():
            mine, before = self._pinned.number, self.generations.current()
            self.generations.use(mine)
            for number in self.generations.numbers():
                if before < number < mine:
                    self.generations.drop(number)
            self._current, self._pinned = self._pinned, None

    # -- the table in use -----------------------------------------------------------------------

    def table(self) -> OpenTable:
        """The table this index reads and writes. For maintenance."""
        return self._table()

    @property
    def folder(self) -> Path:
        """Where the index lies."""
        return self._folder

    def _table(self) -> OpenTable:
        if self._pinned is not None:
            return self._pinned
        number = self.generations.current()
        opened = self._current
        if opened is None or opened.number != number:
            with translated(self._folder):
                opened = self.generations.open(number)
                if opened is None:
                    with self._lock.held():
                        opened = self.generations.create(number)
            self._current = opened
        return opened

    def _vector_tables(self) -> Iterator[Any]:
        opened = self._table()
        yield opened.table
        if self._pinned is not None:
            yield from self.generations.of_same_encoder(but=opened.number)

    def _rows_of(self, document_id: str, columns: Sequence[str]) -> list[dict[str, Any]]:
        with translated(self._folder):
            query = self._table().table.search().where(document_condition([document_id]))
            rows: list[dict[str, Any]] = query.select(list(columns)).to_list()
        return sorted(rows, key=lambda row: int(row["ordinal"]))
