"""The gate's part of the bench: its figures here, its speed in a process of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.commands.bench_child import in_child
from core.demo import DATA_DIR
from core.evaluation.bench_peer import SharedEncoder
from core.evaluation.gate_bench import GATE_SETS, GateBench, run_gate_bench
from core.evaluation.gate_bench_models import GateReport, GateSpeed
from core.evaluation.gate_bench_speed import QUICK_RUNS, RUNS, measure_speed
from core.evaluation.gate_bench_table import gate_text
from core.evaluation.gate_metrics import RESAMPLES
from core.models.evidence import GateThresholds
from core.ports import Encoder, Gate
from core.settings import Settings

if TYPE_CHECKING:
    from core.wiring import Office

QUICK_GROUPS = 6
"""Questions, claims or documents of each set in a quick run."""
QUICK_RESAMPLES = 200


def measure_gate(
    office: Office,
    data: Path,
    prose: Sequence[str],
    encoder: Encoder,
    *,
    quick: bool,
    only: Sequence[str],
    tell: Callable[[str], None],
) -> tuple[GateReport, str]:
    """The local gate as it ships, with its shipped thresholds whatever this home has set.

    ``only`` names public sets to measure on, empty for all and our own.
    """
    from core.adapters.peer_scanners import scanners

    # Opened before the clock starts: loading is the speed part's to measure.
    office.local_gate.open()
    bench = GateBench(
        gate=office.local_gate,
        encoder=SharedEncoder(encoder),
        thresholds=GateThresholds(),
        seconds=time.perf_counter,
        scanners=scanners(),
        sets=[s for s in GATE_SETS if not only or s.name.removesuffix("_pool") in only],
        tell=tell,
        unseen=cross_fitted(office.local_gate),
        resamples=QUICK_RESAMPLES if quick else RESAMPLES,
    )
    report = run_gate_bench(
        bench, data, DATA_DIR / "sources", limit=QUICK_GROUPS if quick else None
    )
    tell("gate: speed")
    speed = in_child(speed_step, office.settings, list(prose), QUICK_RUNS if quick else RUNS)
    report = report.model_copy(update={"speed": speed})
    return report, gate_text(report)


def speed_step(like: Settings, prose: list[str], runs: dict[int, int]) -> GateSpeed:
    """The gate opened and timed in this process, over the settings' own home."""
    from core.wiring import open_office  # slow import: part of every process, not of the gate

    office = open_office(like)
    try:
        return measure_speed(lambda: _opened(office), prose, runs)
    finally:
        office.close()


def cross_fitted(gate: Gate) -> Callable[[str, str], Gate] | None:
    """The gate as fitted without a group of rows, where the weights come with such heads."""
    from core.adapters.gate_model import GateModel
    from core.adapters.local_gate import LocalGate
    from core.evaluation.gate_split import CROSS_FOLDS, cross_fold

    if not isinstance(gate, LocalGate) or not GateModel.cross_fitted():
        return None
    without = [gate.with_model(GateModel.load(without=fold)) for fold in range(CROSS_FOLDS)]
    return lambda source, group: without[cross_fold(source, group)]


def _opened(office: Office) -> Gate:
    return office.local_gate
