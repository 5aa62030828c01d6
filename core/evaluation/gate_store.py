"""What the threshold lab needs from storage: the gate's policies, and its answers run by run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.models.evidence import GateThresholds
from core.models.gate_policy import AnsweredRun, GatePolicy, StoredAnswer


class GatePolicies(Protocol):
    """The gate's policies. Saving one and its audit event are one transaction."""

    def active(self, tenant_id: str) -> GatePolicy | None:
        """The policy in force, ``None`` while none was saved."""
        ...

    def history(self, tenant_id: str, limit: int = 50) -> tuple[GatePolicy, ...]:
        """The tenant's policies, newest first."""
        ...

    def save(self, policy: GatePolicy, *, before: GateThresholds) -> None:
        """Put ``policy`` in force; ``StaleVersion`` when the one it replaces no longer is."""
        ...


class GateAnswers(Protocol):
    """What the gate answered in past runs."""

    def recent(self, tenant_id: str, limit: int = 200) -> tuple[AnsweredRun, ...]:
        """The tenant's newest runs with stored answers, newest first."""
        ...

    def heads(self, tenant_id: str, trace_ids: Sequence[str]) -> tuple[AnsweredRun, ...]:
        """Those of the named runs that are the tenant's and have stored answers."""
        ...

    def answers(self, trace_ids: Sequence[str]) -> dict[str, tuple[StoredAnswer, ...]]:
        """The answers of each named run, in the gate's order."""
        ...

    def fill(self, tenant_id: str, limit: int = 200) -> int:
        """Store answers of the newest runs that an earlier release left without; how many."""
        ...
