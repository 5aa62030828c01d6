"""Reliability figures kept beside the model or left by the bench, read for the screen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, ValidationError

from core.errors import Unavailable
from core.evaluation.calibration import CalibrationBin
from core.models.base import Model
from core.models.evidence import GateQuestion
from core.models.request import Language

QUESTIONS: tuple[GateQuestion, ...] = ("relevant", "evidence", "contradicts", "injection")


class _Lenient(Model):
    """A file may say more than is shown."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class KeptBin(CalibrationBin):
    """A bin as kept."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class SetCalibration(_Lenient):
    """One labelled set: its error, and how well the probability ranks (``auroc``, 0..1)."""

    ece: float = Field(ge=0, le=1)
    rows: int = Field(ge=0)
    language: Language = "en"
    auroc: float | None = Field(default=None, ge=0, le=1)
    auroc_low: float | None = Field(default=None, ge=0, le=1)
    auroc_high: float | None = Field(default=None, ge=0, le=1)


class QuestionCalibration(_Lenient):
    """One question's reliability over all its sets, with each set apart."""

    ece: float = Field(ge=0, le=1)
    ece_low: float = Field(ge=0, le=1)
    ece_high: float = Field(ge=0, le=1)
    rows: int = Field(ge=0)
    bins: tuple[KeptBin, ...] = ()
    sets: dict[str, SetCalibration] = Field(default_factory=dict)

    def by_language(self) -> tuple[tuple[Language, float, int], ...]:
        """``(language, error, rows)``: the mean over a language's sets, weighed by rows."""
        found = []
        for language in sorted({s.language for s in self.sets.values()}):
            sets = [s for s in self.sets.values() if s.language == language and s.rows]
            rows = sum(s.rows for s in sets)
            if rows:
                found.append((language, sum(s.ece * s.rows for s in sets) / rows, rows))
        return tuple(found)


class CalibrationReport(_Lenient):
    """Figures of one origin. ``origin`` names it for a person; ``questions`` hold what there is."""

    origin: str = ""
    version: str = ""
    model: str = ""
    questions: dict[GateQuestion, QuestionCalibration]


def load_calibration(origin: str, path: Path) -> CalibrationReport | None:
    """The figures in ``path``, or in its section ``gate``; ``None`` where there are none.

    Raises ``Unavailable`` naming the file when it is there and cannot be read.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise Unavailable(_unreadable(path)) from error
    section = _section(data)
    if section is None:
        return None
    try:
        return CalibrationReport.model_validate({**section, "origin": origin})
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise Unavailable(f"{_unreadable(path)} It breaks at {where}.") from error


def _section(data: Any) -> dict[str, Any] | None:
    if not isinstance(data, dict):
        return None
    if isinstance(gate := data.get("gate"), dict):
        data = gate.get("calibration") if isinstance(gate.get("calibration"), dict) else gate
    return data if isinstance(data, dict) and isinstance(data.get("questions"), dict) else None


def _unreadable(path: Path) -> str:
    return f"{path} holds no calibration that can be read; fit the gate or run the bench again."
