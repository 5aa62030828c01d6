"""How far the gate's probabilities can be taken at their word, over all sets and set by set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.evaluation import gate_bench_aims as aims
from core.evaluation.calibration import calibration
from core.evaluation.gate_bench_figures import Scored, gate_column, label_of
from core.evaluation.gate_bench_models import (
    QUESTIONS,
    GateCalibration,
    GateFigure,
    QuestionCalibration,
    SetCalibration,
    gate_figure,
)
from core.evaluation.gate_metrics import Estimate
from core.models.evidence import GateQuestion

SMOKE_TESTS = frozenset({"supabase_auth", "mtrag_human_eval"})
"""Too few questions, or too many plain negatives, to tell how reliable a probability is."""


def calibrated(
    model: str, scored: Sequence[Scored], figures: Sequence[GateFigure]
) -> GateCalibration:
    """Reliability of each question over all rows of all sets, each pair counted once.

    ``figures`` are those of the sets, whose AUROC is repeated beside their error.
    """
    questions = {}
    for question in QUESTIONS:
        sets = [one for one in scored if one.labelled(question)]
        rows = _distinct(question, [one for one in sets if one.of.name not in SMOKE_TESTS])
        if not rows:
            continue
        curve = calibration([label for label, _ in rows], [score for _, score in rows])
        questions[question] = QuestionCalibration(
            ece=curve.ece,
            ece_low=curve.ece_low,
            ece_high=curve.ece_high,
            rows=curve.rows,
            bins=curve.bins,
            sets={one.of.name: _set_calibration(one, question, figures) for one in sets},
        )
    return GateCalibration(model=model, questions=questions)


def calibration_figures(found: GateCalibration) -> Iterator[GateFigure]:
    """The error of each question over all sets, with its aim."""
    for question, curve in found.questions.items():
        error = Estimate(value=curve.ece, low=curve.ece_low, high=curve.ece_high)
        yield GateFigure(
            dataset=aims.ALL_SETS,
            language="both",
            question=question,
            measure=aims.ECE,
            found=error,
            rows=curve.rows,
            positives=round(sum((b.rate or 0.0) * b.count for b in curve.bins)),
            groups=curve.rows,
            aim=aims.aim_of(aims.ALL_SETS, question, aims.ECE, error),
        )


def _distinct(question: GateQuestion, scored: Sequence[Scored]) -> list[tuple[int, float]]:
    rows = {
        (row.query, row.text): (label_of(row, question) or 0, passage.probability(question))
        for one in scored
        for row, passage in one.labelled(question)
        if passage.scores is not None
    }
    return list(rows.values())


def _set_calibration(
    scored: Scored, question: GateQuestion, figures: Sequence[GateFigure]
) -> SetCalibration:
    column = gate_column(scored, question)
    figure = gate_figure(figures, scored.of.name, question, aims.AUROC)
    parted = figure.found if figure else None
    return SetCalibration(
        ece=calibration(column.labels, column.scores, resamples=0).ece,
        rows=len(column.labels),
        language=scored.of.language,
        auroc=parted.value if parted else None,
        auroc_low=parted.low if parted else None,
        auroc_high=parted.high if parted else None,
    )
