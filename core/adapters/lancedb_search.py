"""Searching the passage table: exact vectors and full text, filtered before top-k on both sides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lancedb.query import MatchQuery

from core.adapters.lancedb_filter import as_sql, search_condition
from core.adapters.lancedb_rows import COLUMNS, cosines, ranked, rows_of, to_candidate
from core.adapters.lancedb_table import OpenTable, translated
from core.adapters.rank_fusion import fuse, word_share
from core.models.evidence import EvidenceCandidate
from core.models.plan import RetrievalPlan
from core.ports import Encoder, Vectors


class LanceSearch:
    """Searches whatever table ``opened`` gives: the current one, or one at a past version."""

    def __init__(self, opened: Callable[[], OpenTable], encoder: Encoder) -> None:
        self._opened = opened
        self._encoder = encoder

    def search(self, plan: RetrievalPlan) -> tuple[EvidenceCandidate, ...]:
        """Best first, at most ``plan.top_k``.

        A side without a vote is left out: the vector side when the encoder does not know the
        words of the query. Then the other side answers, whatever the mode.
        """
        condition = search_condition(plan.filters)
        query = plan.query.strip()
        if condition is None or not query or plan.mode == "none":
            return ()
        heard = plan.mode != "lexical" and self._encoder.knows(query)
        vector = self._encoder.encode([query])[0] if heard else None
        words = plan.mode != "vector" or vector is None
        limit = plan.candidate_k
        opened = self._opened()
        with translated(opened.folder):
            by_words = _word_leg(opened, query, condition, limit).to_arrow() if words else None
            by_vector = (
                None if vector is None else _vector_leg(opened, vector, condition, limit).to_arrow()
            )
        found = fuse(
            lexical=ranked(by_words, "_score"),
            vector=[(name, 1.0 - far) for name, far in ranked(by_vector, "_distance", rising=True)],
            cosines=cosines(by_words, vector),
            share=word_share(query),
            method=plan.fusion,
        )[: plan.top_k]
        rows = rows_of([hit.chunk_id for hit in found], by_words, by_vector)
        return tuple(
            to_candidate(
                row,
                rank=rank,
                score=hit.score,
                lexical_rank=hit.lexical_rank,
                vector_rank=hit.vector_rank,
                similarity=hit.similarity,
            )
            for rank, (hit, row) in enumerate(zip(found, rows, strict=True), start=1)
        )

    def explain(self, plan: RetrievalPlan) -> str:
        """The filter of ``plan`` as SQL text."""
        return as_sql(search_condition(plan.filters))

    def explain_legs(self, plan: RetrievalPlan) -> tuple[str, ...]:
        """The physical plans of both sides, to see that the filter runs before top-k."""
        condition = search_condition(plan.filters)
        if condition is None:
            return ()
        opened = self._opened()
        legs = (
            _word_leg(opened, plan.query, condition, plan.candidate_k),
            _vector_leg(opened, self._encoder.encode([plan.query])[0], condition, plan.candidate_k),
        )
        return tuple(str(leg.explain_plan(True)) for leg in legs)  # noqa: FBT003 - vendor's signature


def _word_leg(opened: OpenTable, query: str, condition: Any, limit: int) -> Any:
    return (
        opened.table.search(MatchQuery(query, "search_text"), query_type="fts")
        .where(condition, prefilter=True)
        .select([*COLUMNS, "vector", "_score"])
        .limit(limit)
    )


def _vector_leg(opened: OpenTable, vector: Vectors, condition: Any, limit: int) -> Any:
    leg = (
        opened.table.search(vector, vector_column_name="vector")
        .distance_type("cosine")
        .where(condition, prefilter=True)
        .select([*COLUMNS, "_distance"])
        .limit(limit)
    )
    # Under a filter the default number of probes loses most of the recall.
    return leg.nprobes(1_000) if opened.has_vector_index() else leg
