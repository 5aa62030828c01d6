"""The threshold desk in memory: two recent questions, one golden row, figures on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from core.errors import CountersignError
from core.evaluation.calibration import calibration
from core.evaluation.calibration_view import (
    CalibrationReport,
    QuestionCalibration,
    SetCalibration,
)
from core.evaluation.gate_desk import PastPolicy, Standing, Trial
from core.evaluation.gate_lab import AskedQuestion
from core.evaluation.gate_reading import Lab
from core.evaluation.report_store import JobState, ReportHead
from core.models.evidence import GateThresholds
from core.models.gate_policy import GatePolicy, StoredAnswer
from tests.pages.builders import HOSTILE, NOW

COAT = "How long may a coat be returned?"
PARCEL = "Who pays for a late parcel?"
DEFAULT = GateThresholds(
    injection_max=0.7, contradicts_min=0.7, relevant_min=0.45, evidence_min=0.55
)
"""Its own: the shipped ones move with the weights."""


def an_answer(title: str, **changes: Any) -> StoredAnswer:
    """An included passage, surely about the question."""
    fields: dict[str, Any] = {
        "trace_id": "trace-1",
        "chunk_id": f"{title}#0",
        "document_id": title,
        "title": title,
        "relevant": 0.9,
        "evidence": 0.9,
        "contradicts": 0.0,
        "injection": 0.0,
        "route": "include",
        "rule": "evidence",
        "forced": None,
        "looked_up": False,
        "backend": "local-gate/1",
        "sentence": f"A sentence of {title}.",
    }
    return StoredAnswer(**{**fields, **changes})


def a_policy(policy_id: str = "gatepol_1", **fields: Any) -> GatePolicy:
    """Saved an hour ago by Sam."""
    return GatePolicy.model_validate(
        {
            "policy_id": policy_id,
            "tenant_id": "athena",
            "thresholds": DEFAULT,
            "reason": "As published",
            "saved_by": "sam",
            "saved_at": NOW - timedelta(hours=1),
            **fields,
        }
    )


def a_lab(golden_run: ReportHead | None = None) -> Lab:
    """One passage moves at an evidence limit of 0.60, one at an injection limit of 0.50."""
    coat = (an_answer("returns", evidence=0.58), an_answer("shipping", evidence=0.2))
    parcel = (an_answer(HOSTILE, injection=0.6, sentence=HOSTILE), an_answer("parcels"))
    golden = AskedQuestion("trace-g", COAT, NOW, coat, "G-1")
    return Lab(
        asked=(
            AskedQuestion("trace-1", COAT, NOW, coat),
            AskedQuestion("trace-2", PARCEL, NOW, parcel),
        ),
        golden=(golden,) if golden_run else (),
        gold={"G-1": ("returns",)},
        withheld=2 if golden_run else 0,
        golden_run=golden_run,
    )


def some_figures() -> CalibrationReport:
    """One question well calibrated on two languages, one badly; two not measured."""
    labels = [0, 1] * 50

    def of(scores: Sequence[float]) -> QuestionCalibration:
        curve = calibration(labels, list(scores)).model_dump()
        one = SetCalibration(ece=0.02, rows=80, auroc=0.93, auroc_low=0.9, auroc_high=0.95)
        zh = SetCalibration(ece=0.04, rows=20, language="zh")
        return QuestionCalibration.model_validate(
            {**curve, "sets": {"clapnq": one.model_dump(), "cmrc_zh": zh.model_dump()}}
        )

    return CalibrationReport(
        origin="the model as shipped",
        version="7",
        model="local-gate/7",
        questions={"relevant": of([0.02, 0.98] * 50), "evidence": of([0.6, 0.9] * 50)},
    )


@dataclass
class FakeGate:
    """``policies`` are newest first; ``tried`` is what a finished trial gives."""

    policies: list[GatePolicy] = field(default_factory=list)
    held: Lab = field(default_factory=a_lab)
    may_save: bool = True
    tried: Trial | None = None
    figures: tuple[CalibrationReport, ...] = ()
    calls: list[tuple[str, Any]] = field(default_factory=list)
    broken: CountersignError | None = None
    refuses: CountersignError | None = None

    def standing(self) -> Standing:
        if self.broken:
            raise self.broken
        befores = [*(p.thresholds for p in self.policies[1:]), DEFAULT]
        return Standing(
            thresholds=self.policies[0].thresholds if self.policies else DEFAULT,
            policy=self.policies[0] if self.policies else None,
            history=tuple(
                PastPolicy(policy=p, before=b) for p, b in zip(self.policies, befores, strict=False)
            ),
            default=DEFAULT,
            may_save=self.may_save,
        )

    def lab(self) -> Lab:
        return self.held

    def start_trial(
        self, thresholds: GateThresholds, only: Sequence[str] = (), *, with_taken: bool = False
    ) -> JobState:
        self.calls.append(("start_trial", (thresholds, with_taken)))
        from tests.fakes.fake_evaluation import a_job

        return a_job(trial=True)

    def trial(self, thresholds: GateThresholds) -> Trial | None:
        return self.tried

    def save(self, thresholds: GateThresholds, *, reason: str, replaces: str) -> GatePolicy:
        self.calls.append(("save", (thresholds, reason, replaces)))
        if self.refuses:
            raise self.refuses
        saved = a_policy("gatepol_9", thresholds=thresholds, reason=reason, replaces=replaces)
        self.policies.insert(0, saved)
        return saved

    def calibration(self) -> tuple[CalibrationReport, ...]:
        if self.broken:
            raise self.broken
        return self.figures
