"""What the inspector asks of the rest of Countersign, phrased by its page."""

from __future__ import annotations

from datetime import date, datetime
from typing import Protocol

from core.models.evidence import GatedPassage, GateThresholds
from core.models.request import OutputForm
from core.models.trace import PipelineRun


class Asked(Protocol):
    """A question being answered."""

    @property
    def about(self) -> str: ...
    @property
    def is_stopping(self) -> bool: ...


class Inspector(Protocol):
    """Runs one question through every stage and keeps the record."""

    def begin(
        self, question: str, *, at: date | None = None, output_form: OutputForm = "chat_reply"
    ) -> None: ...
    def under_way(self) -> Asked | None: ...
    def finished(self, wait: float = 0.0) -> PipelineRun | None: ...
    def stop(self) -> None: ...
    def get(self, trace_id: str) -> PipelineRun | None: ...
    def recent(self) -> tuple[tuple[str, str, datetime], ...]: ...
    def reroute(self, run: PipelineRun, thresholds: GateThresholds) -> tuple[GatedPassage, ...]: ...
