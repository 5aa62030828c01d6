"""How long the gate takes for the passages of one search, and what memory it holds.

Passages are runs of policy prose of about 220 words, those nearest to the question by words, as a
search would bring them. In each run every sentence carries a number of its own, so that nothing the
gate remembers from an earlier run helps it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

from core.evaluation.bench_machine import peak_memory_mb, resident_memory_mb
from core.evaluation.gate_bench_aims import speed_aim
from core.evaluation.gate_bench_models import GateSpeed, SpeedRow
from core.evaluation.gate_sets import nearest
from core.evaluation.retrieval_metrics import percentile
from core.models.evidence import EvidenceCandidate
from core.ports import Gate
from core.text.sentences import split_sentences
from core.text.tokens import content_words

WORDS = 220
RUNS = {16: 12, 60: 6}
QUICK_RUNS = {16: 2, 60: 1}
_NUMBERED = 2
"""Words that the number adds to a sentence. It comes first: the gate may cut a long one."""
_QUERIES = (
    "How long do I have to return a coat that I bought in the spring sale?",
    "Who pays for the parcel when a damaged lamp has to go back?",
    "Can I pay half of the order with a gift card and the rest by card?",
    "My parcel has not moved for a week: when do you send it again?",
    "Why was the price adjustment refused although the item is cheaper today?",
    "Do reward points come back when I return part of an order?",
)


class Timed(NamedTuple):
    """Milliseconds of one call: by the clock, and of the processor over all threads."""

    wall: float
    cpu: float


def measure_speed(
    open_gate: Callable[[], Gate], texts: Sequence[str], runs: dict[int, int]
) -> GateSpeed:
    """Times a gate opened here, so run this in a process of its own.

    ``runs`` says how often each number of pairs is gated; ``texts`` is prose to cut passages from.
    """
    before = resident_memory_mb()
    passages = windows(texts)
    number = count(1_000)
    rows: list[SpeedRow] = []
    gate: Gate | None = None
    for pairs, times in runs.items():
        new: list[Timed] = []
        again: list[Timed] = []
        for run in range(times):
            query = _QUERIES[run % len(_QUERIES)]
            candidates = _candidates(query, passages, pairs, number)
            if gate is None:
                first, gate = _opened(open_gate, query, candidates)
                rows.append(_row(pairs, "cold", [first]))
                candidates = _candidates(query, passages, pairs, number)
            new.append(_timed(gate, query, candidates))
            again.append(_timed(gate, query, candidates))
        rows += [_row(pairs, "new", new), _row(pairs, "again", again)]
    return GateSpeed(
        rows=tuple(rows),
        words=WORDS,
        memory_mb=resident_memory_mb(),
        memory_peak_mb=peak_memory_mb(),
        before_mb=before,
    )


def windows(texts: Sequence[str]) -> list[list[str]]:
    """Runs of whole sentences of about ``WORDS`` words, each run half over the one before."""
    sentences = [span.text for text in texts for span in split_sentences(text)]
    found: list[list[str]] = []
    start = 0
    while start < len(sentences):
        run: list[str] = []
        words = 0
        for sentence in sentences[start:]:
            run.append(sentence)
            words += len(sentence.split()) + _NUMBERED
            if words >= WORDS:
                found.append(run)
                break
        start += max(1, len(run) // 2)
    return found


def _candidates(
    query: str, passages: Sequence[Sequence[str]], pairs: int, number: Iterator[int]
) -> list[EvidenceCandidate]:
    held = [frozenset(content_words(" ".join(passage))) for passage in passages]
    near = nearest(frozenset(content_words(query)), held, range(len(held)), pairs)
    chosen = [passages[near[at % len(near)]] for at in range(pairs)]
    return [
        EvidenceCandidate(
            chunk_id=f"speed-{at}",
            source_id="speed",
            document_id=f"speed-{at}",
            tenant_id="bench",
            text="\n".join(f"Note {next(number)}: {sentence}" for sentence in passage),
            source_title="Policy",
            authority="official_policy",
        )
        for at, passage in enumerate(chosen)
    ]


def _opened(
    open_gate: Callable[[], Gate], query: str, candidates: Sequence[EvidenceCandidate]
) -> tuple[Timed, Gate]:
    """The gate and what its first answer cost, opening included."""
    wall, cpu = time.perf_counter(), time.process_time()
    gate = open_gate()
    gate.score(query, candidates)
    return Timed((time.perf_counter() - wall) * 1e3, (time.process_time() - cpu) * 1e3), gate


def _timed(gate: Gate, query: str, candidates: Sequence[EvidenceCandidate]) -> Timed:
    wall, cpu = time.perf_counter(), time.process_time()
    gate.score(query, candidates)
    return Timed((time.perf_counter() - wall) * 1e3, (time.process_time() - cpu) * 1e3)


def _row(pairs: int, state: str, timed: Sequence[Timed]) -> SpeedRow:
    wall = [one.wall for one in timed]
    p50 = percentile(wall, 0.5)
    return SpeedRow(
        pairs=pairs,
        state=state,
        runs=len(timed),
        ms_p50=round(p50, 1),
        ms_p95=round(percentile(wall, 0.95), 1),
        cpu_ms_p50=round(percentile([one.cpu for one in timed], 0.5), 1),
        aim=speed_aim(pairs, p50) if state == "new" else None,
    )
