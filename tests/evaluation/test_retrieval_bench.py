"""The bench measures what it says, skips what is absent, and names it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.evaluation.peer_bm25 import PeerBm25
from core.evaluation.retrieval_bench import run_retrieval_bench
from core.evaluation.retrieval_metrics import (
    distinct,
    ndcg_at,
    percentile,
    precision_at,
    recall_at,
    reciprocal_rank,
)
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.memory_index import MemoryIndex
from tests.fakes.memory_registry import MemoryRegistry


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row) for row in rows))


def test_metrics_have_their_textbook_values() -> None:
    ranking, gold = ("x", "a", "b"), {"a", "c"}
    assert recall_at(ranking, gold, 2) == 0.5
    assert precision_at(ranking, gold, 2) == 0.5
    assert recall_at(ranking, {"a", "b", "c"}, 1) == 0
    assert reciprocal_rank(ranking, gold) == 0.5
    assert reciprocal_rank((), gold) == 0
    assert ndcg_at(("a", "c"), gold, 10) == 1
    assert ndcg_at(ranking, gold, 10) == pytest.approx(0.3869, abs=1e-4)
    assert recall_at(ranking, set(), 5) == ndcg_at(ranking, set(), 5) == 0
    assert distinct(["a", "b", "a"]) == ("a", "b")
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([], 0.5) == 0


def test_the_peer_ranks_by_words() -> None:
    peer = PeerBm25({"a": "coats come back in thirty days", "b": "gift cards", "c": "退货政策"})
    assert peer.search("when do coats come back", limit=5) == ("a",)
    assert peer.search("退货", limit=5) == ("c",)
    assert peer.search("nothing of it", limit=5) == ()


def test_sets_that_are_there_are_measured_and_the_others_named(tmp_path: Path) -> None:
    write(
        tmp_path / "supabase_auth" / "corpus_sections.jsonl",
        [
            {"id": "s#a", "title": "Coats", "text": "Coats come back within thirty days."},
            {"id": "s#b", "title": "Cards", "text": "Gift cards never expire."},
        ],
    )
    write(
        tmp_path / "supabase_auth" / "queries.jsonl",
        [{"query": "when do coats come back", "gold_ids": ["s#a"]}],
    )
    write(
        tmp_path / "clapnq" / "clapnq.jsonl",
        [
            {
                "query": "do gift cards expire",
                "answerable": True,
                "gold_ids": ["p"],
                "passages": [{"id": "p", "title": "Cards", "text": "Gift cards never expire."}],
            },
            {
                "query": "who made it",
                "answerable": False,
                "gold_ids": [],
                "passages": [{"id": "q", "title": "Sale", "text": "A sale is final."}],
            },
        ],
    )
    report = run_retrieval_bench(
        tmp_path,
        open_index=lambda _: MemoryIndex(),
        open_registry=lambda _: MemoryRegistry(),
        clock=FixedClock(),
    )
    assert [(row.dataset, row.mode, row.queries) for row in report.rows] == [
        (name, mode, 1)
        for name in ("supabase_auth", "clapnq")
        for mode in ("peer", "lexical", "vector", "hybrid_rrf", "hybrid")
    ]
    assert all(row.recall_at_5 == row.ndcg_at_10 == 1 for row in report.rows)
    assert report.skipped == (f"cmrc2018_zh is not in {tmp_path}",)
    assert "skipped: cmrc2018_zh" in report.table()
    assert report.machine["python"]
