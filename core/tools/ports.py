"""The port of read tools: single-purpose look-ups and calculations with typed parameters.

A tool only reads. What would change something is an ``ActionProposal`` that a reviewer confirms.
"""

from __future__ import annotations

from datetime import date
from typing import Any, Protocol, runtime_checkable

from core.models.access import SecurityContext
from core.models.base import Model
from core.models.request import IdentifierKind
from core.models.review import Case, Disposition
from core.models.tool import ToolAccess, ToolAnswer


class ReadTool(Protocol):
    """One thing that can be looked up or worked out. Safe to share between threads."""

    @property
    def name(self) -> str:
        """Such as ``check_order_status``; unique in a toolbox."""
        ...

    @property
    def description(self) -> str:
        """What it answers, in one sentence."""
        ...

    @property
    def parameters(self) -> type[Model]:
        """The model of its arguments. Each field's description names what to give."""
        ...

    @property
    def access(self) -> ToolAccess:
        """Who may call it."""
        ...

    @property
    def timeout_ms(self) -> int:
        """How long a call may take before it ends ``too_slow``."""
        ...

    def call(self, context: SecurityContext, arguments: Any) -> ToolAnswer:
        """Answer for ``arguments``, an instance of ``parameters``, within the caller's tenant.

        Raises ``Unavailable`` or ``TryAgainLater`` where its source does not answer.
        """
        ...


@runtime_checkable
class GoesWith(Protocol):
    """A read tool that is called for every identifier of one kind that a question names."""

    @property
    def goes_with(self) -> tuple[IdentifierKind, str] | None:
        """The kind, and the parameter that takes the identifier; ``None`` for none."""
        ...


@runtime_checkable
class CaseHistory(Protocol):
    """Read access to more of the case store than the one case at hand."""

    def case(self, tenant_id: str, case_id: str) -> Case | None:
        """The case, or ``None``."""
        ...

    def of_customer(
        self, tenant_id: str, customer_id: str, *, since: date, until: date
    ) -> tuple[Case, ...]:
        """A customer's cases opened on these days, oldest first; ``C-0088`` and ``88`` are one."""
        ...

    def decisions(self, tenant_id: str, case_id: str) -> tuple[Disposition, ...]:
        """What was decided on a case, oldest first."""
        ...


class ViolationLog(Protocol):
    """Where rows beyond the caller's rights are reported, besides being dropped."""

    def report(self, context: SecurityContext, tool: str, violations: tuple[str, ...]) -> None:
        """Keep that ``tool`` brought rows it must not bring; called once for each call."""
        ...
