"""Chooses the gate's four thresholds on held-back rows and writes what each would cost.

    PYTHONPATH=. python scripts/fit_thresholds.py [--out data/models/gate]

Beside ``thresholds.json`` it writes ``calibration.json``: the reliability of all four questions
over the same rows, which the Evaluation screen shows.

Run after the heads. The rows are those the bench measures on: none was fitted on, and the
heads over the pair reader are taken without the row's own fold. Each threshold is one number, so
choosing it there flatters the figures at it by little; areas under curves do not depend on it.

The published starting values (.70, .70, .45, .55) are kept where the rows do not speak against
them.

- ``relevant_min``, ``evidence_min``: lowered to the highest at which at most ``LOST`` of the
  passages that answer are lost in either language. A higher value might find no less there, but the
  heads are fitted on encyclopaedic text and are surer of it than of shop prose.
- ``injection_max``: raised to the lowest at which every set's false alarms stay within ``ALARMS``.
- ``contradicts_min``: the lowest such, from ``SURE`` on: denials in other words come just there.

``core.models.evidence.GateThresholds`` holds the result; a test compares the two.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from core.commands.bench_gate import cross_fitted
from core.evaluation.gate_bench import GATE_SETS, GateBench, score_set
from core.evaluation.gate_bench_calibration import calibrated
from core.evaluation.gate_bench_figures import Scored, gate_figures, label_of
from core.evaluation.gate_sets import Sources, load_gate_set
from core.models.evidence import GateQuestion, GateThresholds
from core.settings import load_settings
from core.wiring import open_office
from scripts.gate_rows import DATA, ROOT

GRID = tuple(round(0.01 * n, 2) for n in range(1, 100))
PUBLISHED = GateThresholds(
    injection_max=0.70, contradicts_min=0.70, relevant_min=0.45, evidence_min=0.55
)
LOST = {"relevant": 0.01, "evidence": 0.16}
ALARMS = 0.03
SURE = 0.6
SMALL = 20
"""Rows of one class below which a set has no say."""


class Column(NamedTuple):
    """Scores of one question on one set, by label."""

    name: str
    positive: tuple[float, ...]
    negative: tuple[float, ...]
    gold: tuple[float, ...] = ()
    chinese: bool = False


def main() -> int:
    """Score, choose, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, default=ROOT / "var")
    parser.add_argument("--out", type=Path, default=ROOT / "data" / "models" / "gate")
    chosen = parser.parse_args()
    if not DATA.is_dir():
        sys.stderr.write(f"no evaluation data at {DATA}; set COUNTERSIGN_EVAL_DATA\n")
        return 3
    scored = scored_sets(chosen.home)
    found = {
        "injection_max": max(PUBLISHED.injection_max, lowest(_columns(scored, "injection"), SURE)),
        "contradicts_min": lowest(_columns(scored, "contradicts"), SURE),
        "relevant_min": min(
            PUBLISHED.relevant_min, highest(_columns(scored, "relevant"), LOST["relevant"])
        ),
        "evidence_min": min(
            PUBLISHED.evidence_min, highest(_columns(scored, "evidence"), LOST["evidence"])
        ),
    }
    report = {
        "thresholds": found,
        "model": scored[0][0],
        "at": {
            name: {c.name: at(c, value) for c in _columns(scored, _ASKED[name])}
            for name, value in found.items()
        },
    }
    text = json.dumps(report, indent=1) + "\n"
    (chosen.out / "thresholds.json").write_text(text, encoding="utf-8")
    (chosen.out / "calibration.json").write_text(
        reliability(scored, GateThresholds(**found)) + "\n", encoding="utf-8"
    )
    sys.stdout.write(text)
    return 0


def reliability(scored: Sequence[tuple[str, Scored]], thresholds: GateThresholds) -> str:
    """The calibration block as JSON."""
    sets = [one for _, one in scored]
    figures = [figure for one in sets for figure in gate_figures(one, thresholds)]
    name = scored[0][0]
    found = calibrated(name, sets, figures).model_copy(update={"version": name.split("/")[-1]})
    return found.model_dump_json(indent=1)


_ASKED: dict[str, GateQuestion] = {
    "relevant_min": "relevant",
    "evidence_min": "evidence",
    "contradicts_min": "contradicts",
    "injection_max": "injection",
}


def scored_sets(home: Path) -> list[tuple[str, Scored]]:
    """Every set with rows, judged by heads that never saw them."""
    office = open_office(load_settings(home))
    gate = office.local_gate
    bench = GateBench(
        gate=gate,
        encoder=office.encoder,
        thresholds=GateThresholds(),
        seconds=lambda: 0.0,
        unseen=cross_fitted(gate),
    )
    sources = Sources(DATA, ROOT / "data" / "sources", None)
    loaded = [load_gate_set(source, sources) for source in GATE_SETS]
    return [(gate.name, score_set(bench, one)) for one in loaded if one.rows]


def _columns(scored: Sequence[tuple[str, Scored]], question: GateQuestion) -> list[Column]:
    return [column for _, one in scored if (column := _column(one, question)) is not None]


def _column(one: Scored, question: GateQuestion) -> Column | None:
    rows = one.labelled(question)
    gold = tuple(
        p.probability(question)
        for row, p in zip(one.of.rows, one.passages, strict=True)
        if row.gold
    )
    by_label: dict[int, list[float]] = {0: [], 1: []}
    for row, passage in rows:
        by_label[int(label_of(row, question) or 0)].append(passage.probability(question))
    if not rows and not gold:
        return None
    chinese = one.of.language == "zh"
    return Column(one.of.name, tuple(by_label[1]), tuple(by_label[0]), gold, chinese)


def highest(columns: Sequence[Column], lost: float) -> float:
    """The highest at which few enough answering passages are lost, in each language."""
    gold = [
        [p for column in columns if column.chinese == chinese for p in column.gold]
        for chinese in (False, True)
    ]
    return max(
        t for t in GRID if all(sum(p < t for p in some) <= lost * len(some) for some in gold)
    )


def lowest(columns: Sequence[Column], floor: float) -> float:
    """The lowest from ``floor`` at which every set's false alarms stay within ``ALARMS``."""

    def quiet(column: Column, threshold: float) -> bool:
        alarms = sum(p > threshold for p in column.negative)
        return alarms <= ALARMS * len(column.negative)

    telling = [column for column in columns if len(column.negative) >= SMALL]
    grid = [t for t in GRID if t >= floor]
    return next((t for t in grid if all(quiet(c, t) for c in telling)), grid[-1])


def at(column: Column, threshold: float) -> dict[str, float | int | None]:
    """What the threshold does on one set."""
    return {
        "positives": len(column.positive),
        "above": _share(column.positive, threshold),
        "negatives": len(column.negative),
        "false_alarms": _share(column.negative, threshold),
        "gold": len(column.gold),
        "gold_below": None
        if not column.gold
        else round(sum(p < threshold for p in column.gold) / len(column.gold), 4),
    }


def _share(scores: Sequence[float], threshold: float) -> float | None:
    return round(sum(p > threshold for p in scores) / len(scores), 4) if scores else None


if __name__ == "__main__":
    raise SystemExit(main())
