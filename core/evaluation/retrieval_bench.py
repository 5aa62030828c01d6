"""Measures retrieval on public sets: word side, vector side, both, and a plain peer.

The sets lie outside the project (see their own README files). A set that is absent is skipped and
named. Wall times belong to the machine they were taken on; its facts ride along.
"""

from __future__ import annotations

import json
import os
import platform
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import Field

from core.evaluation.peer_bm25 import PeerBm25
from core.evaluation.retrieval_metrics import distinct, ndcg_at, percentile, recall_at
from core.models.base import Model
from core.models.plan import Fusion, RetrievalFilters, RetrievalMode, RetrievalPlan
from core.ports import Clock, DocumentRegistry, PassageIndex, TokenCounter
from core.sources.ingest import ingest

Mode = Literal["peer", "lexical", "vector", "hybrid_rrf", "hybrid"]
MODES: tuple[Mode, ...] = ("peer", "lexical", "vector", "hybrid_rrf", "hybrid")
SETS = ("supabase_auth", "clapnq", "cmrc2018_zh")
_TENANT = "bench"
_CHINESE_QUERIES = 300
_PACKAGES = ("lancedb", "onnxruntime", "numpy", "pyarrow", "tokenizers")


class Question(NamedTuple):
    """A query and the ids of the documents that answer it."""

    query: str
    gold: frozenset[str]


class BenchSet(NamedTuple):
    """Documents as JSON rows and the questions asked of them."""

    name: str
    rows: list[dict[str, str]]
    questions: list[Question]


class BenchRow(Model):
    """One set in one mode. Times are milliseconds of one warm search."""

    dataset: str
    mode: Mode
    documents: int
    queries: int
    recall_at_5: float
    ndcg_at_10: float
    ms_p50: float
    ms_p95: float


class BenchReport(Model):
    """All rows, what was skipped and why, ingest speed, and the machine."""

    rows: tuple[BenchRow, ...]
    skipped: tuple[str, ...] = ()
    passages_per_second: dict[str, float] = Field(default_factory=dict)
    machine: dict[str, str] = Field(default_factory=dict)

    def table(self) -> str:
        """The rows as aligned text."""
        head = f"{'set':<14} {'mode':<8} {'docs':>5} {'queries':>7} {'R@5':>6} {'nDCG@10':>8} "
        lines = [head + f"{'p50 ms':>7} {'p95 ms':>7}"]
        lines += [
            f"{r.dataset:<14} {r.mode:<8} {r.documents:>5} {r.queries:>7} {r.recall_at_5:>6.3f} "
            f"{r.ndcg_at_10:>8.3f} {r.ms_p50:>7.1f} {r.ms_p95:>7.1f}"
            for r in self.rows
        ]
        return "\n".join(lines + [f"skipped: {reason}" for reason in self.skipped])


def run_retrieval_bench(
    data: Path,
    *,
    open_index: Callable[[Path], PassageIndex],
    open_registry: Callable[[Path], DocumentRegistry],
    clock: Clock,
    tokens: TokenCounter | None = None,
    sets: Sequence[str] = SETS,
) -> BenchReport:
    """Ingest each set into a home of its own that is deleted again, and search it in every mode.

    ``open_index`` and ``open_registry`` open what they make in the folder they are given.
    """
    rows: list[BenchRow] = []
    skipped: list[str] = []
    speeds: dict[str, float] = {}
    for name in sets:
        bench_set = load_set(data, name)
        if bench_set is None:
            skipped.append(f"{name} is not in {data}")
            continue
        with tempfile.TemporaryDirectory(prefix="countersign-bench-") as folder:
            home = Path(folder)
            index = open_index(home / "index")
            file = home / "rows.jsonl"
            file.write_text("\n".join(json.dumps(row) for row in bench_set.rows), encoding="utf-8")
            report = ingest(
                [file],
                tenant_id=_TENANT,
                actor="bench",
                registry=open_registry(home),
                index=index,
                clock=clock,
                tokens=tokens,
            )
            speeds[name] = round(report.passages / max(report.seconds, 1e-9), 1)
            rows += _measured(bench_set, index, clock)
    return BenchReport(
        rows=tuple(rows),
        skipped=tuple(skipped),
        passages_per_second=speeds,
        machine=machine_facts(),
    )


def load_set(data: Path, name: str) -> BenchSet | None:
    """One of ``SETS`` as documents and questions; ``None`` where its files are absent."""
    folder = data / name
    if name == "clapnq":
        return _pooled(name, _lines(folder / "clapnq.jsonl"))
    corpus = "corpus_sections.jsonl" if name == "supabase_auth" else "corpus.jsonl"
    rows, queries = _lines(folder / corpus), _lines(folder / "queries.jsonl")
    if not rows or not queries:
        return None
    if name == "cmrc2018_zh":
        random.Random(7).shuffle(queries)  # noqa: S311 - a fixed sample, not a secret
        queries = queries[:_CHINESE_QUERIES]
    return BenchSet(name, [_row(row) for row in rows], [_question(query) for query in queries])


def machine_facts() -> dict[str, str]:
    """What the wall times were taken on."""
    facts = {
        "cpus": str(os.cpu_count() or 0),
        "machine": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
    }
    for package in _PACKAGES:
        try:
            facts[package] = version(package)
        except PackageNotFoundError:
            facts[package] = "absent"
    return facts


def _measured(bench_set: BenchSet, index: PassageIndex, clock: Clock) -> Iterator[BenchRow]:
    peer = PeerBm25({row["id"]: f"{row['title']} {row['text']}" for row in bench_set.rows})
    today = clock.now().date()
    filters = RetrievalFilters(
        tenant_id=_TENANT,
        acl_policy_ids=("public",),
        classifications=("public",),
        valid_on=today,
    )

    def ranked(query: str, mode: Mode) -> tuple[str, ...]:
        if mode == "peer":
            return peer.search(query, limit=10)
        chosen: RetrievalMode = "hybrid" if mode == "hybrid_rrf" else mode
        fusion: Fusion = "rrf" if mode == "hybrid_rrf" else "scores"
        plan = RetrievalPlan(query=query, mode=chosen, filters=filters, top_k=40, fusion=fusion)
        return distinct(hit.document_id for hit in index.search(plan))

    for mode in MODES:
        ranked(bench_set.questions[0].query, mode)  # the first search pays for opening things
        yield _scored(bench_set, mode, ranked)


def _scored(
    bench_set: BenchSet, mode: Mode, ranked: Callable[[str, Mode], tuple[str, ...]]
) -> BenchRow:
    recalls, gains, times = [], [], []
    for question in bench_set.questions:
        started = time.perf_counter()
        ranking = ranked(question.query, mode)
        times.append((time.perf_counter() - started) * 1000)
        recalls.append(recall_at(ranking, question.gold, 5))
        gains.append(ndcg_at(ranking, question.gold, 10))
    return BenchRow(
        dataset=bench_set.name,
        mode=mode,
        documents=len(bench_set.rows),
        queries=len(bench_set.questions),
        recall_at_5=round(sum(recalls) / len(recalls), 4),
        ndcg_at_10=round(sum(gains) / len(gains), 4),
        ms_p50=round(percentile(times, 0.5), 2),
        ms_p95=round(percentile(times, 0.95), 2),
    )


def _pooled(name: str, tasks: list[dict[str, Any]]) -> BenchSet | None:
    """All passages of all tasks are the documents; only answerable tasks are asked."""
    rows = {p["id"]: _row(p) for task in tasks for p in task["passages"]}
    questions = [_question(task) for task in tasks if task["answerable"] and task["gold_ids"]]
    return BenchSet(name, list(rows.values()), questions) if questions else None


def _row(row: Mapping[str, Any]) -> dict[str, str]:
    return {"id": str(row["id"]), "title": str(row.get("title", "")), "text": str(row["text"])}


def _question(row: Mapping[str, Any]) -> Question:
    return Question(str(row["query"]), frozenset(row["gold_ids"]))


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8") as stream:
        return [json.loads(line) for line in stream if line.strip()]
