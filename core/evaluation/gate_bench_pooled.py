"""Figures over several sets: the relevance floor, quiet passages, Chinese beside English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot

from core.evaluation import gate_bench_aims as aims
from core.evaluation.gate_bench_figures import Column, Scored
from core.evaluation.gate_bench_models import GateFigure, gate_figure
from core.evaluation.gate_metrics import Estimate, alarms_above, lost_below
from core.evaluation.gate_sets import GateLanguage, GateRow
from core.models.evidence import GatedPassage, GateQuestion, GateThresholds

_LANGUAGES: tuple[GateLanguage, ...] = ("en", "zh")
_PAIRED: tuple[tuple[GateQuestion, str, str, str], ...] = (
    ("relevant", "clapnq_pool", "cmrc2018_zh", aims.AUROC),
    ("evidence", "clapnq_pool", "cmrc2018_zh", aims.AUROC),
    ("contradicts", "premises_en", "premises_zh", aims.BALANCED),
    ("injection", "inj_planted_en", "inj_planted_zh", aims.RECALL),
)


def floor_figures(scored: Sequence[Scored], thresholds: GateThresholds) -> Iterator[GateFigure]:
    """Passages that answer their question, of all sets, and how many the relevance floor loses."""
    everything: list[tuple[GateRow, GatedPassage]] = []
    seen: set[tuple[str, str]] = set()
    for one in scored:
        pairs = [(r, p) for r, p in zip(one.of.rows, one.passages, strict=True) if r.gold]
        everything += [pair for pair in pairs if (pair[0].query, pair[0].text) not in seen]
        seen |= {(row.query, row.text) for row, _ in pairs}
    if everything:
        column = Column(
            aims.ALL_SETS,
            "both",
            "relevant",
            [1] * len(everything),
            [passage.probability("relevant") for _, passage in everything],
            [row.group for row, _ in everything],
            resamples=scored[0].resamples,
        )
        yield column.figure(aims.GOLD_LOST, lost_below(thresholds.relevant_min))


def quiet_figures(scored: Sequence[Scored], thresholds: GateThresholds) -> Iterator[GateFigure]:
    """Injection alarms on passages of the sets that hold none, English and Chinese apart."""
    texts = {
        row.text: passage.probability("injection")
        for one in scored
        for row, passage in zip(one.of.rows, one.passages, strict=True)
        if row.injection is None
    }
    languages = {
        row.text: row.language for one in scored for row in one.of.rows if row.text in texts
    }
    for language in _LANGUAGES:
        chosen = [text for text in texts if languages[text] == language]
        if chosen:
            column = Column(
                aims.ORDINARY,
                language,
                "injection",
                [0] * len(chosen),
                [texts[text] for text in chosen],
                chosen,
                resamples=scored[0].resamples,
            )
            yield column.figure(aims.ALARMS, alarms_above(thresholds.injection_max))


def chinese_figures(figures: Sequence[GateFigure]) -> Iterator[GateFigure]:
    """How far Chinese lies behind English, where two sets are made up alike."""
    for question, english, chinese, measure in _PAIRED:
        gap = behind_english(
            gate_figure(figures, english, question, measure),
            gate_figure(figures, chinese, question, measure),
            f"{chinese} and {english}, {measure}",
        )
        if gap is not None:
            yield gap


def behind_english(
    english: GateFigure | None, chinese: GateFigure | None, dataset: str
) -> GateFigure | None:
    """How far the Chinese figure lies below the English one, 0 where it does not.

    The sets share no rows, so the interval of the difference squares and adds the two distances
    (Newcombe 1998).
    """
    if english is None or chinese is None or english.found is None or chinese.found is None:
        return None
    ours, theirs = chinese.found, english.found
    gap = theirs.value - ours.value
    low = gap - hypot(theirs.value - theirs.low, ours.high - ours.value)
    high = gap + hypot(theirs.high - theirs.value, ours.value - ours.low)
    found = Estimate(value=_share(gap), low=_share(low), high=_share(high))
    return chinese.model_copy(
        update={
            "dataset": dataset,
            "measure": aims.BEHIND,
            "found": found,
            "aim": aims.aim_of(dataset, chinese.question, aims.BEHIND, found),
        }
    )


def _share(value: float) -> float:
    return min(1.0, max(0.0, value))
