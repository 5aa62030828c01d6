"""The bench measures what it says, skips what is absent, and names it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from core.errors import Unavailable
from core.evaluation.bench_peer import SharedEncoder
from core.evaluation.bench_sets import OWN_QUESTIONS, load_set
from core.evaluation.bench_stats import interval, paired, verdict
from core.evaluation.bench_tables import retrieval_text
from core.evaluation.peer_bm25 import PeerBm25
from core.evaluation.retrieval_bench import BenchReport, run_retrieval_bench
from core.evaluation.retrieval_metrics import (
    distinct,
    ndcg_at,
    percentile,
    precision_at,
    recall_at,
    reciprocal_rank,
)
from core.models.evidence import EvidenceCandidate
from core.models.plan import RetrievalFilters, RetrievalPlan
from core.models.request import UserRequest
from core.models.source import IngestReport
from core.sources.ingest import ingest
from core.text.near_duplicates import collapse
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.memory_index import MemoryIndex
from tests.fakes.memory_registry import MemoryRegistry
from tests.fakes.word_encoder import WordEncoder

TODAY = date(2026, 11, 30)


class FakeHome:
    """A home in memory whose whole search is its index's."""

    tenant = "bench"

    def __init__(self) -> None:
        self.index = MemoryIndex()
        self.requests: list[UserRequest] = []

    def ingest(self, paths: Sequence[Path]) -> IngestReport:
        return ingest(
            paths,
            tenant_id=self.tenant,
            actor="bench",
            registry=MemoryRegistry(),
            index=self.index,
            clock=FixedClock(),
        )

    def search(
        self, request: UserRequest, *, k: int, reranked: bool = False
    ) -> tuple[EvidenceCandidate, ...]:
        self.requests.append(request)
        filters = RetrievalFilters(
            tenant_id=self.tenant,
            acl_policy_ids=("public",),
            classifications=("public",),
            valid_on=TODAY,
        )
        return self.index.search(
            RetrievalPlan(query=request.raw_query, mode="hybrid", filters=filters, top_k=k)
        )


class FirstPeer:
    """Answers everything with the first documents it was given."""

    about = "the first documents"

    def __init__(self) -> None:
        self.loaded: list[tuple[str, bool]] = []
        self._ids: list[str] = []

    def load(self, texts: Sequence[tuple[str, str, str]], *, split: bool, chinese: bool) -> int:
        self._ids = [name for name, _, _ in texts]
        self.loaded.append((texts[0][2], split))
        return len(texts)

    def search(self, query: str, *, limit: int) -> list[str]:
        return self._ids[:limit]


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row) for row in rows))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write(
        tmp_path / "supabase_auth" / "corpus_sections.jsonl",
        [
            {"id": "s#b", "title": "Cards", "text": "Gift cards never expire."},
            {"id": "s#a", "title": "Coats", "text": "Coats come back within thirty days."},
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
    write(
        tmp_path / "mtrag_human_eval" / "tasks.jsonl",
        [
            {
                "query": "And how long does it take?",
                "answerable": True,
                "gold_ids": ["w"],
                "history": [
                    {"speaker": "user", "text": "Who repairs a broken lantern clock?"},
                    {"speaker": "agent", "text": "The workshop repairs a lantern clock."},
                ],
                "passages": [{"id": "w", "text": "A lantern clock is repaired in ten days."}],
            }
        ],
    )
    return tmp_path


def report_of(data: Path, peers: dict[str, Callable[[], Any]]) -> BenchReport:
    return run_retrieval_bench(
        data, open_home=lambda _: FakeHome(), peers=peers, clock=FixedClock()
    )


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


def test_a_difference_counts_only_when_it_is_clear_of_chance() -> None:
    always, often = [1.0] * 40, [1.0, 0.0] * 20
    assert interval([]) == (0.0, 0.0)
    assert interval(often) == interval(often)
    low, high = interval(often)
    assert 0.3 < low < 0.5 < high < 0.7
    assert verdict(paired(always, often)) == "ahead"
    assert verdict(paired(often, always)) == "behind"
    assert verdict(paired(often, often[::-1])) == "tie"


def test_the_textbook_peer_ranks_by_words() -> None:
    peer = PeerBm25({"a": "coats come back in thirty days", "b": "gift cards", "c": "退货政策"})
    assert peer.search("when do coats come back", limit=5) == ("a",)
    assert peer.search("退货", limit=5) == ("c",)
    assert peer.search("nothing of it", limit=5) == ()


def test_sets_that_are_there_are_measured_and_the_others_named(data: Path) -> None:
    report = report_of(data, {})
    ours = {(row.dataset, row.system): row for row in report.rows}
    assert {name for name, _ in ours} == {"supabase_auth", "clapnq", "mtrag_human_eval"}
    assert ours["clapnq", "countersign"].queries == 1
    assert ours["clapnq", "hybrid"].recall_at_5 == ours["clapnq", "hybrid"].mrr == 1
    assert report.skipped == (
        f"cmrc2018_zh is not in {data}",
        f"abcd_guidelines is not in {data}",
    )
    assert "skipped: cmrc2018_zh" in retrieval_text(report)


def test_without_any_peer_a_textbook_ranking_stands_in(data: Path) -> None:
    names = {row.system for row in report_of(data, {}).rows if row.kind == "peer"}
    assert names == {"textbook"}


def test_a_peer_is_measured_on_the_documents_and_on_our_passages(data: Path) -> None:
    peer = FirstPeer()
    report = report_of(data, {"first": lambda: peer})
    rows = [r for r in report.rows if r.dataset == "supabase_auth" and r.kind == "peer"]
    assert [row.system for row in rows] == ["first", "first, our passages", "textbook"]
    assert rows[0].ndcg_at_10 == pytest.approx(0.6309, abs=1e-4)  # second of two
    assert [split for _, split in peer.loaded[:2]] == [True, False]
    assert report.peers == {"first": "the first documents"}
    against = next(c for c in report.comparisons if c.other == "first")
    assert against.verdict == "ahead"
    assert "against first: ahead (+0.369 nDCG" in retrieval_text(report)


def test_the_product_is_held_against_the_better_of_its_own_halves(data: Path) -> None:
    report = report_of(data, {})
    own = [c for c in report.comparisons if c.other.startswith("own better half")]
    # The fake product does not complete a question from its conversation, its halves are given it.
    assert {c.dataset: c.verdict for c in own} == {
        "supabase_auth": "tie",
        "clapnq": "tie",
        "mtrag_human_eval": "behind",
    }


def test_a_peer_that_is_not_installed_is_named_once(data: Path) -> None:
    def absent() -> Any:
        raise Unavailable("first is not installed")

    report = report_of(data, {"first": absent})
    assert report.skipped.count("first is not installed") == 1


def test_a_conversation_is_asked_as_our_rewriting_completes_it(data: Path) -> None:
    found = load_set(data, "mtrag_human_eval")
    assert found is not None
    (question,) = found.questions
    assert question.query == "And how long does it take?"
    assert "lantern" in question.asked
    assert question.asked.startswith(question.query)
    systems = [r.system for r in report_of(data, {}).rows if r.dataset == "mtrag_human_eval"]
    assert "hybrid, raw turn" in systems


def test_the_product_gets_the_conversation_itself(data: Path) -> None:
    homes: list[FakeHome] = []

    def opened(_: Path) -> FakeHome:
        homes.append(FakeHome())
        return homes[-1]

    run_retrieval_bench(
        data, open_home=opened, peers={}, clock=FixedClock(), sets=("mtrag_human_eval",)
    )
    request = homes[0].requests[-1]
    assert request.raw_query == "And how long does it take?"
    assert [turn.role for turn in request.history] == ["customer", "agent"]


def test_a_document_that_holds_the_same_text_as_a_result_counts_right_behind_it(
    tmp_path: Path,
) -> None:
    class SayingOnce(FakeHome):
        def search(
            self, request: UserRequest, *, k: int, reranked: bool = False
        ) -> tuple[EvidenceCandidate, ...]:
            return collapse(super().search(request, k=k, reranked=reranked), on=TODAY)

    same = "Coats come back within thirty days of the day they were bought."
    rows = [{"id": name, "title": "Coats", "text": same} for name in ("s#a", "s#b")]
    write(tmp_path / "supabase_auth" / "corpus_sections.jsonl", rows)
    asked = [{"query": "when do coats come back", "gold_ids": ["s#a", "s#b"]}]
    write(tmp_path / "supabase_auth" / "queries.jsonl", asked)
    home = SayingOnce()
    report = run_retrieval_bench(
        tmp_path, open_home=lambda _: home, peers={}, clock=FixedClock(), sets=("supabase_auth",)
    )
    (found,) = home.search(home.requests[-1], k=40)
    assert len(found.also_in) == 1
    (row,) = [row for row in report.rows if row.system == "countersign"]
    assert row.recall_at_5 == row.ndcg_at_10 == 1.0


def test_our_questions_name_guidelines_by_id_and_never_twice() -> None:
    lines = (OWN_QUESTIONS / "abcd_questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) >= 60
    assert len({row["id"] for row in rows}) == len({row["query"] for row in rows}) == len(rows)
    assert all(row["gold_ids"] and all("/" in name for name in row["gold_ids"]) for row in rows)


def test_the_shared_encoder_remembers_passages_and_no_question() -> None:
    inner = WordEncoder()
    shared = SharedEncoder(inner)
    both = shared.encode(["coats come back", "gift cards"])
    again = shared.encode(["gift cards", "coats come back"])
    assert (both[::-1] == again).all()
    assert inner.encoded == ["coats come back", "gift cards"]
    shared.encode_queries(["gift cards"])
    assert inner.encoded[-1] == "gift cards"
    shared.forget()
    shared.encode(["gift cards", "sale"])
    assert inner.encoded[-2:] == ["gift cards", "sale"]
    assert shared.encode([]).shape == (0, inner.dimension)
