"""What a read tool answers: rows and a calculation that can be cited, or a clear failure."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from core.models.access import Action, Role
from core.models.action import CalculationStep
from core.models.base import Model
from core.models.calculation import Calculation
from core.models.evidence import EvidenceCandidate

ToolFailureKind = Literal["not_found", "wrong_type", "not_allowed", "unavailable", "too_slow"]
ToolOutcome = Literal[
    "answered", "not_found", "wrong_type", "not_allowed", "unavailable", "too_slow"
]


class ToolAccess(Model):
    """Who may call a tool, checked before it is called; all that is named must hold.

    ``roles`` are any of (empty: every role), ``tenants`` likewise. ``acl_policy_id`` must let the
    caller in where it is named.
    """

    action: Action = "review"
    roles: tuple[Role, ...] = ()
    acl_policy_id: str = ""
    tenants: tuple[str, ...] = ()


class ToolFailure(Model):
    """Why there is no answer. ``message`` is for a person: the item, what is wrong, the remedy."""

    kind: ToolFailureKind
    message: str = Field(min_length=1)


class ToolAnswer(Model):
    """Rows as evidence, with the calculation behind them if there is one; or a failure.

    A calculation is a row too, so that it can be cited. ``notes`` say what a reader must know of
    the answer, such as that there are more rows.
    """

    rows: tuple[EvidenceCandidate, ...] = ()
    calculation: Calculation | None = None
    failure: ToolFailure | None = None
    notes: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _rows_or_failure(self) -> ToolAnswer:
        if bool(self.rows) == (self.failure is not None):
            raise ValueError("a tool answers with rows or with a failure, never both or neither")
        return self

    @property
    def steps(self) -> tuple[CalculationStep, ...]:
        """The steps of the calculation, empty without one."""
        return self.calculation.steps if self.calculation else ()


def failed(kind: ToolFailureKind, message: str) -> ToolAnswer:
    """An answer that says why there is none."""
    return ToolAnswer(failure=ToolFailure(kind=kind, message=message))


class ToolCall(Model):
    """The record of one call, for the trace. ``arguments`` as text; ``ms`` is wall time.

    ``row_keys`` are the rows handed on; ``dropped`` counts rows beyond the caller's rights, which
    only the audit names; ``message`` is the failure's, empty for an answer.
    """

    tool: str
    arguments: dict[str, str]
    outcome: ToolOutcome
    ms: float
    rows: int = 0
    row_keys: tuple[str, ...] = ()
    dropped: int = 0
    message: str = ""
