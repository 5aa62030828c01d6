"""How cost grows with the number of passages: load, disk, memory, filtered search, recall."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from core.evaluation.bench_machine import folder_mb, peak_memory_mb
from core.evaluation.bench_tables import aligned
from core.evaluation.retrieval_metrics import percentile
from core.evaluation.scale_corpus import FILTERS, Batch, ScaleCorpus
from core.evaluation.scale_topics import TopicEncoder
from core.models.base import Model
from core.models.plan import RetrievalMode, RetrievalPlan
from core.ports import Encoder, PassageIndex, Vectors

SIZES = (1_000, 10_000, 100_000, 1_000_000)
PANELS = (
    ("search under the filter, ms", ("hybrid p95", "hybrid p50", "lexical p50", "vector p50")),
    ("cost of keeping, s and MB", ("load and index, s", "disk, MB", "peak memory, MB")),
)
"""What the plot shows: a unit and its lines, named as in ``ScaleReport.points``."""

_QUERIES, _WARM = 50, 10
_K = 10


class ScaleRow(Model):
    """One size. Seconds, MiB and milliseconds of warm searches under the filter.

    ``load_seconds`` is the writing of rows whose vectors are given, ``finish_seconds`` folding
    them into the indexes; ``recall_at_10`` compares the vector side with a plain scan of all
    passages that the filter lets pass.
    """

    passages: int
    visible: int
    load_seconds: float
    finish_seconds: float
    disk_mb: float
    peak_mb: float
    hybrid_p50: float
    hybrid_p95: float
    lexical_p50: float
    vector_p50: float
    recall_at_10: float


class ScaleReport(Model):
    """All sizes measured in one run."""

    rows: tuple[ScaleRow, ...]

    def table(self) -> str:
        """The figures for a terminal."""
        head = ("passages", "pass filter", "load s", "rows/s", "index s", "disk MB", "peak MB")
        more = ("hybrid p50 ms", "p95 ms", "lexical p50", "vector p50", "recall@10")
        return aligned(head + more, (_cells(row) for row in self.rows))

    def points(self) -> list[tuple[int, dict[str, float]]]:
        """What the plot of growth is drawn from."""
        return [
            (
                row.passages,
                {
                    "hybrid p50": row.hybrid_p50,
                    "hybrid p95": row.hybrid_p95,
                    "lexical p50": row.lexical_p50,
                    "vector p50": row.vector_p50,
                    "load and index, s": max(row.load_seconds + row.finish_seconds, 0.01),
                    "disk, MB": row.disk_mb,
                    "peak memory, MB": row.peak_mb,
                },
            )
            for row in self.rows
        ]


def measure_size(
    passages: int,
    folder: Path,
    open_index: Callable[[Path, Encoder], PassageIndex],
    *,
    rounds: int = 3,
) -> ScaleRow:
    """Load ``passages`` made-up passages through the index's own door and search them.

    Fifty questions are asked ``rounds`` times on each side and on both.

    Meant for a process of its own: ``peak_mb`` is the most that process ever held. What a question
    costs the encoder (a few milliseconds) is not in the times.
    """
    encoder, corpus = TopicEncoder(), ScaleCorpus(passages)
    index = open_index(folder, encoder)
    queries = corpus.queries(_QUERIES)
    exact = _Exact(encoder, queries)
    loading = 0.0
    for batch in corpus.batches():
        exact.add(batch)
        started = time.perf_counter()
        index.replace_documents(batch.documents)
        loading += time.perf_counter() - started
    started = time.perf_counter()
    index.finish()
    finishing = time.perf_counter() - started
    hybrid = _timed(index, queries, "hybrid", rounds)
    return ScaleRow(
        passages=passages,
        visible=exact.seen,
        load_seconds=round(loading, 2),
        finish_seconds=round(finishing, 2),
        disk_mb=folder_mb(folder),
        peak_mb=peak_memory_mb(),
        hybrid_p50=round(percentile(hybrid, 0.5), 2),
        hybrid_p95=round(percentile(hybrid, 0.95), 2),
        lexical_p50=round(percentile(_timed(index, queries, "lexical", rounds), 0.5), 2),
        vector_p50=round(percentile(_timed(index, queries, "vector", rounds), 0.5), 2),
        recall_at_10=round(_recall(index, queries, exact), 4),
    )


class _Exact:
    """The nearest passages by a plain scan, kept while the corpus streams by."""

    def __init__(self, encoder: TopicEncoder, queries: Sequence[str]) -> None:
        self._encoder, self._vectors = encoder, encoder.encode(queries)
        self._best: list[list[tuple[float, str]]] = [[] for _ in queries]
        self.seen = 0

    def add(self, batch: Batch) -> None:
        """Compare every visible passage of the batch with every query."""
        if not batch.visible:
            return
        self.seen += len(batch.visible)
        near: Vectors = self._vectors @ self._encoder.encode([p.text for p in batch.visible]).T
        for number, row in enumerate(near):
            top = np.argsort(-row)[:_K]
            # What is turned away from a question (cosine below 0) answers it no better than chance.
            fresh = [
                (float(row[place]), batch.visible[place].chunk_id)
                for place in top
                if row[place] > 0
            ]
            self._best[number] = sorted([*self._best[number], *fresh], reverse=True)[:_K]

    def best(self, number: int) -> set[str]:
        """Ids of the ``_K`` nearest to a query, fewer where fewer are visible."""
        return {name for _, name in self._best[number]}


def _plan(query: str, mode: RetrievalMode, top_k: int = 16) -> RetrievalPlan:
    return RetrievalPlan(query=query, mode=mode, filters=FILTERS, top_k=top_k)


def _timed(
    index: PassageIndex, queries: Sequence[str], mode: RetrievalMode, rounds: int
) -> list[float]:
    for query in queries[:_WARM]:
        index.search(_plan(query, mode))
    times = []
    for query in [*queries] * rounds:
        started = time.perf_counter()
        index.search(_plan(query, mode))
        times.append((time.perf_counter() - started) * 1000)
    return times


def _recall(index: PassageIndex, queries: Sequence[str], exact: _Exact) -> float:
    shares = []
    for number, query in enumerate(queries):
        wanted = exact.best(number)
        found = {hit.chunk_id for hit in index.search(_plan(query, "vector", _K))}
        shares.append(len(found & wanted) / len(wanted) if wanted else 1.0)
    return sum(shares) / len(shares)


def _cells(row: ScaleRow) -> tuple[str, ...]:
    return (
        f"{row.passages:,}",
        f"{row.visible:,}",
        f"{row.load_seconds:.1f}",
        f"{row.passages / max(row.load_seconds, 1e-9):,.0f}",
        f"{row.finish_seconds:.1f}",
        f"{row.disk_mb:,.0f}",
        f"{row.peak_mb:,.0f}",
        f"{row.hybrid_p50:.1f}",
        f"{row.hybrid_p95:.1f}",
        f"{row.lexical_p50:.1f}",
        f"{row.vector_p50:.1f}",
        f"{row.recall_at_10:.3f}",
    )
