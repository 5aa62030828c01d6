"""The figures of one scored set: each question's measures, by the gate and by the baselines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.evaluation import gate_bench_aims as aims
from core.evaluation.gate_baselines import Judged
from core.evaluation.gate_bench_models import GATE, QUESTIONS, FigureLanguage, GateFigure
from core.evaluation.gate_metrics import (
    RESAMPLES,
    Measure,
    alarms_above,
    auroc,
    balanced_accuracy,
    best_balanced_accuracy,
    estimate,
    lost_below,
    recall_above,
    recall_at,
)
from core.evaluation.gate_sets import GateRow, GateSet
from core.models.evidence import GatedPassage, GateQuestion, GateThresholds

_FLAGGED = 0.5
"""Between a verdict of 0 and one of 1."""
_OF_LABEL = {
    aims.RECALL: 1,
    aims.LOST: 1,
    aims.GOLD_LOST: 1,
    aims.PREMISES_FOUND: 1,
    aims.ALARMS: 0,
    aims.OTHERS_FLAGGED: 0,
}


class Scored(NamedTuple):
    """A set and the gate's verdict on each of its rows. ``resamples`` make up an interval."""

    of: GateSet
    passages: tuple[GatedPassage, ...]
    seconds: float
    resamples: int = RESAMPLES

    def labelled(self, question: GateQuestion) -> list[tuple[GateRow, GatedPassage]]:
        """The rows whose set says something of ``question``."""
        pairs = zip(self.of.rows, self.passages, strict=True)
        return [(row, passage) for row, passage in pairs if label_of(row, question) is not None]

    def questions(self) -> list[GateQuestion]:
        """Those the set says something of."""
        return [question for question in QUESTIONS if self.labelled(question)]


class Column(NamedTuple):
    """Labels, scores and groups of some rows, under the names the figure is reported with."""

    dataset: str
    language: FigureLanguage
    question: GateQuestion
    labels: Sequence[int]
    scores: Sequence[float]
    groups: Sequence[str]
    system: str = GATE
    resamples: int = RESAMPLES

    def figure(self, name: str, measure: Measure) -> GateFigure:
        """The measure with its interval and, for the gate, its aim.

        A rate over one class is taken of its rows alone: the others are no observations of it.
        """
        if name in _OF_LABEL and len(set(self.labels)) > 1:
            return self._of(_OF_LABEL[name]).figure(name, measure)
        found = estimate(measure, self.labels, self.scores, self.groups, resamples=self.resamples)
        own = self.system == GATE
        return GateFigure(
            dataset=self.dataset,
            language=self.language,
            question=self.question,
            measure=name,
            system=self.system,
            found=found,
            rows=len(self.labels),
            positives=sum(self.labels),
            groups=len(set(self.groups)),
            aim=aims.aim_of(self.dataset, self.question, name, found) if own else None,
        )

    def _of(self, label: int) -> Column:
        kept = [at for at, own in enumerate(self.labels) if own == label]
        return self._replace(
            labels=[self.labels[at] for at in kept],
            scores=[self.scores[at] for at in kept],
            groups=[self.groups[at] for at in kept],
        )


def label_of(row: GateRow, question: GateQuestion) -> int | None:
    """What the set says of ``question``."""
    label: int | None = getattr(row, question)
    return label


def gate_figures(scored: Scored, thresholds: GateThresholds) -> Iterator[GateFigure]:
    """The gate's own figures on a set."""
    for question in scored.questions():
        column = gate_column(scored, question)
        for name, measure in _measures(question, thresholds):
            figure = column.figure(name, measure)
            if figure.found is not None:
                yield figure
    if scored.of.name == "supabase_auth":
        yield from _premise_questions(scored)


def gate_column(scored: Scored, question: GateQuestion) -> Column:
    """The gate's probabilities for one question on a set."""
    pairs = scored.labelled(question)
    return Column(
        scored.of.name,
        scored.of.language,
        question,
        [label_of(row, question) or 0 for row, _ in pairs],
        [passage.probability(question) for _, passage in pairs],
        [row.group for row, _ in pairs],
        resamples=scored.resamples,
    )


def baseline_figures(
    scored: Scored, question: GateQuestion, system: str, judged: Judged
) -> Iterator[GateFigure]:
    """A baseline's figures on the rows that ``Scored.labelled`` gives for ``question``."""
    column = gate_column(scored, question)._replace(system=system, scores=judged.scores)
    measures = [(aims.AUROC, auroc), (aims.AT_FIXED_RATE, recall_at())]
    if question == "contradicts":
        measures.append((aims.BEST_BALANCED, best_balanced_accuracy))
    figures = [column.figure(name, measure) for name, measure in measures]
    if judged.verdicts is not None:
        verdicts = column._replace(scores=judged.verdicts)
        figures.append(verdicts.figure(aims.RECALL, recall_above(_FLAGGED)))
        figures.append(verdicts.figure(aims.ALARMS, alarms_above(_FLAGGED)))
    yield from (figure for figure in figures if figure.found is not None)


def _measures(question: GateQuestion, thresholds: GateThresholds) -> list[tuple[str, Measure]]:
    if question == "relevant":
        floor = thresholds.relevant_min
        return [
            (aims.AUROC, auroc),
            (aims.LOST, lost_below(floor)),
            (aims.ALARMS, alarms_above(floor)),
        ]
    cut = {
        "injection": thresholds.injection_max,
        "contradicts": thresholds.contradicts_min,
        "evidence": thresholds.evidence_min,
    }[question]
    found: list[tuple[str, Measure]] = [
        (aims.AUROC, auroc),
        (aims.AT_FIXED_RATE, recall_at()),
        (aims.RECALL, recall_above(cut)),
        (aims.ALARMS, alarms_above(cut)),
    ]
    if question == "contradicts":
        found.append((aims.BALANCED, balanced_accuracy(cut)))
        found.append((aims.BEST_BALANCED, best_balanced_accuracy))
    return found


def _premise_questions(scored: Scored) -> Iterator[GateFigure]:
    """Of whole questions: a false premise is found where a section that denies it is set apart;
    any other question is wrongly flagged where any section is."""
    false: dict[str, int] = {}
    apart: dict[str, float] = {}
    for row, passage in scored.labelled("contradicts"):
        false[row.group] = max(false.get(row.group, 0), row.contradicts or 0)
        apart[row.group] = max(apart.get(row.group, 0.0), float(passage.route == "conflict"))
    column = Column(
        scored.of.name,
        scored.of.language,
        "contradicts",
        list(false.values()),
        [apart[group] for group in false],
        list(false),
        resamples=scored.resamples,
    )
    yield column.figure(aims.PREMISES_FOUND, recall_above(_FLAGGED))
    yield column.figure(aims.OTHERS_FLAGGED, alarms_above(_FLAGGED))
