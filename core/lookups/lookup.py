"""A read tool made of its description and one function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from pydantic import Field

from core.models.access import SecurityContext
from core.models.base import Model
from core.models.tool import ToolAccess, ToolAnswer

RECORDS_ACL = "support-internal"
"""The access policy of orders, customers and cases."""
SEARCH_MS = 20_000
"""For a lookup that searches passages: its first search may open the index and the encoder."""
RECORDS_ACCESS = ToolAccess(action="review", acl_policy_id=RECORDS_ACL)
OrderId = Annotated[
    str, Field(min_length=1, max_length=60, description="an order number such as A-10293")
]
CustomerId = Annotated[
    str, Field(min_length=1, max_length=60, description="a customer number such as C-0088")
]
AsOf = Annotated[
    date | None, Field(description="a day such as 2026-11-30, today if it is left out")
]
"""The day to answer for."""


@dataclass(frozen=True)
class Lookup:
    """``answer`` as a ``ReadTool``. It gets the caller's rights and checked arguments."""

    name: str
    description: str
    parameters: type[Model]
    answer: Callable[[SecurityContext, Any], ToolAnswer]
    access: ToolAccess = RECORDS_ACCESS
    timeout_ms: int = 6_000

    def call(self, context: SecurityContext, arguments: Any) -> ToolAnswer:
        """See ``ReadTool``."""
        return self.answer(context, arguments)
