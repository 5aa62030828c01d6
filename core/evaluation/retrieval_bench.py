"""Measures retrieval on public sets, ours and its peers in one run over one encoder.

Scored by document: each system returns its 40 best passages, and documents rank by their best one.
Wall times belong to the machine they were taken on; its facts ride along.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pydantic import Field

from core.evaluation.bench_peer import Peers
from core.evaluation.bench_sets import SETS, BenchSet, load_set
from core.evaluation.bench_stats import Verdict, interval, paired, verdict
from core.evaluation.bench_systems import (
    OWN_HALVES,
    PRODUCT,
    Home,
    System,
    own_systems,
    passages_of,
    peer_systems,
)
from core.evaluation.retrieval_metrics import ndcg_at, percentile, recall_at, reciprocal_rank
from core.models.base import Model
from core.ports import Clock


class BenchRow(Model):
    """One system on one set. Times are milliseconds of one warm search."""

    dataset: str
    system: str
    kind: str
    documents: int
    pieces: int
    queries: int
    recall_at_5: float
    ndcg_at_10: float
    ndcg_low: float
    ndcg_high: float
    mrr: float
    ms_p50: float
    ms_p95: float


class Comparison(Model):
    """The product against another system on one set, by nDCG@10 question by question."""

    dataset: str
    other: str
    ours: float
    theirs: float
    low: float
    high: float
    verdict: Verdict
    recall_ours: float
    recall_theirs: float


class BenchReport(Model):
    """All rows, the comparisons, what was skipped and why, and ingest speed."""

    rows: tuple[BenchRow, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    skipped: tuple[str, ...] = ()
    peers: dict[str, str] = Field(default_factory=dict)
    passages_per_second: dict[str, float] = Field(default_factory=dict)


class _Scores:
    """What one system reached on one set, question by question."""

    def __init__(self, bench_set: BenchSet, system: System) -> None:
        self.bench_set, self.system = bench_set, system
        self.gains: list[float] = []
        self.recalls: list[float] = []
        self.ranks: list[float] = []
        self.times: list[float] = []

    def run(self) -> _Scores:
        """Ask every question once, after one that pays for opening things."""
        self.system.search(self.bench_set.questions[0])
        for question in self.bench_set.questions:
            started = time.perf_counter()
            ranking = self.system.search(question)
            self.times.append((time.perf_counter() - started) * 1000)
            self.gains.append(ndcg_at(ranking, question.gold, 10))
            self.recalls.append(recall_at(ranking, question.gold, 5))
            self.ranks.append(reciprocal_rank(ranking, question.gold))
        return self

    def row(self) -> BenchRow:
        """The figures for the table."""
        low, high = interval(self.gains)
        return BenchRow(
            dataset=self.bench_set.name,
            system=self.system.name,
            kind=self.system.kind,
            documents=len(self.bench_set.rows),
            pieces=self.system.pieces,
            queries=len(self.gains),
            recall_at_5=_mean(self.recalls),
            ndcg_at_10=_mean(self.gains),
            ndcg_low=round(low, 4),
            ndcg_high=round(high, 4),
            mrr=_mean(self.ranks),
            ms_p50=round(percentile(self.times, 0.5), 2),
            ms_p95=round(percentile(self.times, 0.95), 2),
        )


def run_retrieval_bench(
    data: Path,
    *,
    open_home: Callable[[Path], Home],
    peers: Peers,
    clock: Clock,
    sets: Sequence[str] = SETS,
    all_chinese: bool = False,
    before: Callable[[str], None] = lambda _name: None,
    after: Callable[[BenchReport], None] = lambda _found: None,
) -> BenchReport:
    """Ingest each set into a home of its own that is deleted again, and search it in every way.

    ``open_home`` opens a Countersign in the folder it is given. ``before`` is called with a set's
    name, ``after`` with what was found on it.
    """
    rows: list[BenchRow] = []
    comparisons: list[Comparison] = []
    skipped: list[str] = []
    speeds: dict[str, float] = {}
    abouts: dict[str, str] = {}
    for name in sets:
        found = load_set(data, name, all_chinese=all_chinese)
        if found is None:
            skipped.append(f"{name} is not in {data}")
            continue
        before(name)
        with tempfile.TemporaryDirectory(prefix="countersign-bench-") as folder:
            home, speeds[name] = _ingested(found, open_home(Path(folder)), Path(folder))
            scores = [
                _Scores(found, system).run()
                for system in _systems(found, home, peers, clock, skipped, abouts)
            ]
        here = BenchReport(
            rows=tuple(score.row() for score in scores), comparisons=tuple(_compared(scores))
        )
        after(here)
        rows += here.rows
        comparisons += here.comparisons
    return BenchReport(
        rows=tuple(rows),
        comparisons=tuple(comparisons),
        skipped=tuple(skipped),
        peers=abouts,
        passages_per_second=speeds,
    )


def _ingested(bench_set: BenchSet, home: Home, folder: Path) -> tuple[Home, float]:
    file = folder / "rows.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in bench_set.rows), encoding="utf-8")
    report = home.ingest([file])
    return home, round(report.passages / max(report.seconds, 1e-9), 1)


def _systems(
    bench_set: BenchSet,
    home: Home,
    peers: Peers,
    clock: Clock,
    skipped: list[str],
    abouts: dict[str, str],
) -> Iterator[System]:
    passages = passages_of(home.index, bench_set)
    yield from peer_systems(peers, bench_set, passages, skipped, abouts)
    yield from own_systems(home, bench_set, clock)


def _compared(scores: Sequence[_Scores]) -> Iterator[Comparison]:
    """The product against each peer, and against the better of its own halves."""
    ours = next(s for s in scores if s.system.name == PRODUCT)
    halves = [s for s in scores if s.system.name in OWN_HALVES]
    better = max(halves, key=lambda s: sum(s.gains))
    for other in [*(s for s in scores if s.system.kind == "peer"), better]:
        low, high = paired(ours.gains, other.gains)
        own = other is better
        yield Comparison(
            dataset=ours.bench_set.name,
            other=f"own better half ({other.system.name})" if own else other.system.name,
            ours=_mean(ours.gains),
            theirs=_mean(other.gains),
            low=round(low, 4),
            high=round(high, 4),
            verdict=verdict(paired(ours.gains, other.gains)),
            recall_ours=_mean(ours.recalls),
            recall_theirs=_mean(other.recalls),
        )


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0
