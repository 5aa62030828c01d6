"""The gate on labelled pairs it was never fitted on, beside plainer ways to answer the same.

Every row goes through the gate as a retrieved passage would, and is routed at the shipped
thresholds. A set that is absent, a baseline that cannot be opened and a pair that could not be
judged are told in the report; the rest goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from core.errors import Unavailable
from core.evaluation.gate_baselines import (
    CosineOnly,
    Likeness,
    Scanner,
    Scanners,
    TermOverlap,
    judged_by_likeness,
    judged_by_scanner,
)
from core.evaluation.gate_bench_calibration import calibrated, calibration_figures
from core.evaluation.gate_bench_figures import Scored, baseline_figures, gate_figures
from core.evaluation.gate_bench_models import GateFigure, GateReport, GateSetStatus
from core.evaluation.gate_bench_pooled import chinese_figures, floor_figures, quiet_figures
from core.evaluation.gate_bench_routes import details, routes
from core.evaluation.gate_metrics import RESAMPLES
from core.evaluation.gate_sets import GateRow, GateSet, SetSource, Sources, load_gate_set
from core.evaluation.gate_sets_planted import PLANTED_SETS
from core.evaluation.gate_sets_questions import QUESTION_SETS
from core.evaluation.gate_sets_risks import RISK_SETS
from core.models.evidence import EvidenceCandidate, GatedPassage, GateThresholds
from core.ports import Encoder, Gate
from core.stages.gate import gate as gated

GATE_SETS: tuple[SetSource, ...] = (*QUESTION_SETS, *RISK_SETS, *PLANTED_SETS)
_AT_ONCE = 64
"""Passages of one question that are judged together, as many as a wide search would bring."""


class GateBench(NamedTuple):
    """What the bench needs: the gate with its shipped thresholds, and what stands beside it.

    ``seconds`` is a running clock; ``tell`` hears of each set before it is measured. Where the gate
    was fitted on held-back rows fold by fold, ``unseen`` gives, for the name a set is fitted under
    and a group of it, the same gate as fitted without that group.
    """

    gate: Gate
    encoder: Encoder
    thresholds: GateThresholds
    seconds: Callable[[], float]
    scanners: Scanners = MappingProxyType({})
    sets: Sequence[SetSource] = GATE_SETS
    tell: Callable[[str], None] = lambda _words: None
    resamples: int = RESAMPLES
    unseen: Callable[[str, str], Gate] | None = None

    def judge(self, loaded: GateSet, row: GateRow) -> Gate:
        """The gate that never saw the row."""
        if self.unseen is None or not loaded.fitted_as:
            return self.gate
        return self.unseen(loaded.fitted_as, row.group)


def run_gate_bench(
    bench: GateBench, data: Path, documents: Path, *, limit: int | None = None
) -> GateReport:
    """Measure the gate on every set found under ``data``, and on twins made from ``documents``.

    ``limit`` groups of each set at most, always the same ones.
    """
    sources = Sources(data, documents, limit)
    opened, skipped = _opened(bench.scanners)
    likenesses: tuple[Likeness, ...] = (TermOverlap(), CosineOnly(bench.encoder))
    sets: list[GateSet] = []
    scored: list[Scored] = []
    figures: list[GateFigure] = []
    for chosen in bench.sets:
        bench.tell(f"gate: {chosen.name}")
        loaded = load_gate_set(chosen, sources)
        sets.append(loaded)
        if loaded.rows:
            one = score_set(bench, loaded)
            scored.append(one)
            figures += gate_figures(one, bench.thresholds)
            figures += _beside(one, likenesses, opened)
    found = calibrated(bench.gate.name, scored, figures)
    figures += [
        *floor_figures(scored, bench.thresholds),
        *quiet_figures(scored, bench.thresholds),
        *chinese_figures(figures),
        *calibration_figures(found),
    ]
    return GateReport(
        model=bench.gate.name,
        thresholds=bench.thresholds,
        sets=tuple(_status(one, scored) for one in sets),
        figures=tuple(figures),
        routes=tuple(row for one in scored for row in routes(one)),
        details=tuple(row for one in scored for row in details(one, bench.thresholds)),
        calibration=found,
        baselines={
            **{likeness.name: likeness.about for likeness in likenesses},
            **{name: scanner.about for name, scanner in opened.items()},
        },
        skipped=tuple(skipped),
    )


def score_set(bench: GateBench, loaded: GateSet) -> Scored:
    """The gate's verdict on each row, all passages of a question together."""
    started = bench.seconds()
    verdicts: dict[int, GatedPassage] = {}
    together: dict[tuple[str, str], list[int]] = {}
    gates: dict[str, Gate] = {}
    for at, row in enumerate(loaded.rows):
        judge = bench.judge(loaded, row)
        gates[judge.name] = judge
        together.setdefault((row.query, judge.name), []).append(at)
    for (query, name), places in together.items():
        for some in _batches(places):
            candidates = [_candidate(at, loaded.rows[at]) for at in some]
            judged = gated(query, candidates, gate=gates[name], thresholds=bench.thresholds)
            verdicts |= dict(zip(some, judged, strict=True))
    passages = tuple(verdicts[at] for at in range(len(loaded.rows)))
    return Scored(loaded, passages, bench.seconds() - started, bench.resamples)


def _candidate(at: int, row: GateRow) -> EvidenceCandidate:
    return EvidenceCandidate(
        chunk_id=f"row-{at}",
        source_id="set",
        document_id=f"row-{at}",
        tenant_id="bench",
        text=row.text,
        source_title=row.title,
        heading_path=row.heading,
        authority="faq",
        language=row.language,
    )


def _batches(places: Sequence[int]) -> Iterator[list[int]]:
    running = iter(places)
    while some := list(islice(running, _AT_ONCE)):
        yield some


def _beside(
    scored: Scored, likenesses: Sequence[Likeness], scanners: dict[str, Scanner]
) -> Iterator[GateFigure]:
    for question in scored.questions():
        rows = [row for row, _ in scored.labelled(question)]
        if question == "injection":
            for name, scanner in scanners.items():
                yield from baseline_figures(
                    scored, question, name, judged_by_scanner(scanner, rows)
                )
            continue
        for likeness in likenesses:
            judged = judged_by_likeness(likeness, question, rows)
            yield from baseline_figures(scored, question, likeness.name, judged)


def _opened(scanners: Scanners) -> tuple[dict[str, Scanner], list[str]]:
    opened: dict[str, Scanner] = {}
    skipped: list[str] = []
    for name, open_scanner in scanners.items():
        try:
            opened[name] = open_scanner()
        except Unavailable as error:
            skipped.append(str(error))
    return opened, skipped


def _status(loaded: GateSet, scored: Sequence[Scored]) -> GateSetStatus:
    one = next((one for one in scored if one.of.name == loaded.name), None)
    passages = one.passages if one else ()
    return GateSetStatus(
        name=loaded.name,
        language=loaded.language,
        rows=len(loaded.rows),
        groups=len({row.group for row in loaded.rows}),
        status=loaded.status,
        note=loaded.note,
        seconds=round(one.seconds, 2) if one else 0.0,
        unjudged=sum(1 for passage in passages if passage.scores is None),
    )
