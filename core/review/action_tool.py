"""Tools that write: what each takes, what it promises, and who looks before it runs.

Nothing but the ``ActionRunner`` calls one, and it runs nothing but what a reviewer confirmed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Literal, Protocol

from pydantic import Field

from core.models.access import SecurityContext
from core.models.base import Model


class StartRefund(Model):
    """Arguments of ``start_refund``."""

    order_id: str = Field(min_length=1, max_length=40)
    amount: Decimal = Field(gt=0, decimal_places=2, max_digits=9)
    currency: str = Field(pattern=r"^[A-Z]{3}$")
    reason: str = Field(min_length=1, max_length=200)


class UpdateCase(Model):
    """Arguments of ``update_case``. Fields that steer who may read what are not among them."""

    case_id: str = Field(min_length=1, max_length=80)
    field: Literal["order", "membership"]
    value: str = Field(min_length=1, max_length=200)


PARAMETERS: Mapping[str, type[Model]] = {"start_refund": StartRefund, "update_case": UpdateCase}
"""Every tool that writes, by name. There is no other."""


class ActionTool(Protocol):
    """Changes one thing, once for each key."""

    @property
    def name(self) -> str:
        """One of ``PARAMETERS``."""
        ...

    @property
    def parameters(self) -> type[Model]:
        """The model its arguments must satisfy."""
        ...

    def run(self, arguments: Model, *, idempotency_key: str, tenant_id: str) -> str:
        """Make the change and return a receipt. A key already used returns its first receipt.

        Raises ``Unavailable`` for a fault that may pass, ``BadInput`` for one that will not; then
        nothing was changed.
        """
        ...

    def receipt_of(self, idempotency_key: str) -> str | None:
        """The receipt of what was done under the key, ``None`` when nothing was.

        Raises ``Unavailable`` when it cannot say.
        """
        ...


StillBorne = Callable[[SecurityContext, str, Mapping[str, str], str], str]
"""Looks at the company's records as they are now, by rights, tool, arguments and case id.

Returns in words why they no longer bear the change, empty where they do. Raises ``Unavailable``
when they do not answer.
"""


def as_proposed(
    _context: SecurityContext, _tool: str, _arguments: Mapping[str, str], _case_id: str
) -> str:
    """Where no records are wired: what the run saw is what there is."""
    return ""
