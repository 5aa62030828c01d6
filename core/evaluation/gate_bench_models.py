"""What the gate's bench found, as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from core.evaluation.calibration import CalibrationBin
from core.evaluation.gate_metrics import Estimate
from core.evaluation.gate_sets import GateLanguage
from core.models.base import Model
from core.models.evidence import GateQuestion, GateThresholds

GATE = "gate"
FigureLanguage = Literal["en", "zh", "both"]
QUESTIONS: tuple[GateQuestion, ...] = ("injection", "contradicts", "relevant", "evidence")
"""In the order in which they decide."""


class Aim(Model):
    """What a figure should be, and whether it is. ``text`` reads like ``≥ .93``."""

    text: str
    met: bool


class GateFigure(Model):
    """One measure of one system on one set. ``found`` is ``None`` where it has no meaning.

    ``positives`` of the ``rows`` have the label 1; the interval draws ``groups``.
    """

    dataset: str
    language: FigureLanguage
    question: GateQuestion
    measure: str
    system: str = GATE
    found: Estimate | None
    rows: int
    positives: int
    groups: int
    aim: Aim | None = None


class GateSetStatus(Model):
    """What was measured on, or why not. ``seconds`` the gate took for all its rows."""

    name: str
    language: GateLanguage
    rows: int
    groups: int
    status: str
    note: str
    seconds: float = 0.0
    unjudged: int = 0


class RouteCount(Model):
    """Where passages of one kind went at the shipped thresholds."""

    dataset: str
    kind: str
    include: int = 0
    conflict: int = 0
    exclude: int = 0


class DetailRate(Model):
    """Share of the positives of a finer kind (attack family, changed fact) that were caught."""

    dataset: str
    question: GateQuestion
    detail: str
    rows: int
    caught: int


class SetCalibration(Model):
    """How far probabilities of one set can be taken at their word, and how well they part."""

    ece: float
    rows: int
    language: GateLanguage
    auroc: float | None = None
    auroc_low: float | None = None
    auroc_high: float | None = None


class QuestionCalibration(Model):
    """Reliability of one question over all its rows, and set by set."""

    ece: float
    ece_low: float
    ece_high: float
    rows: int
    bins: tuple[CalibrationBin, ...]
    sets: dict[str, SetCalibration]


class GateCalibration(Model):
    """Reliability of a gate's probabilities. ``model`` names the gate that was measured."""

    version: str = "1"
    model: str
    questions: dict[GateQuestion, QuestionCalibration]


class SpeedRow(Model):
    """Milliseconds (wall, and processor time of all threads) to gate so many pairs at once.

    ``state``: ``cold`` is the first call in a process, loading included; ``new`` are passages never
    seen before in a warm process; ``again`` are the same question and passages once more.
    """

    pairs: int
    state: str
    runs: int
    ms_p50: float
    ms_p95: float
    cpu_ms_p50: float
    aim: Aim | None = None


class GateSpeed(Model):
    """Speed of the gate in a process of its own; memory in MiB after all runs and at its peak."""

    rows: tuple[SpeedRow, ...]
    words: int
    memory_mb: float
    memory_peak_mb: float
    before_mb: float


class GateReport(Model):
    """Everything the section measured."""

    model: str
    thresholds: GateThresholds
    sets: tuple[GateSetStatus, ...]
    figures: tuple[GateFigure, ...]
    routes: tuple[RouteCount, ...]
    details: tuple[DetailRate, ...]
    calibration: GateCalibration
    baselines: dict[str, str]
    speed: GateSpeed | None = None
    skipped: tuple[str, ...] = ()

    def aims(self) -> tuple[GateFigure, ...]:
        """The figures that have an aim, met or not."""
        return tuple(figure for figure in self.figures if figure.aim is not None)


def gate_figure(
    figures: Sequence[GateFigure], dataset: str, question: GateQuestion, measure: str
) -> GateFigure | None:
    """The gate's own figure of that name, if there is one."""
    wanted = (dataset, question, measure, GATE)
    for figure in figures:
        if (figure.dataset, figure.question, figure.measure, figure.system) == wanted:
            return figure
    return None
