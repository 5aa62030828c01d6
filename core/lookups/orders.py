"""One order or one customer by number, as the record states it."""

from __future__ import annotations

from core.lookups.lookup import CustomerId, Lookup, OrderId
from core.models.access import SecurityContext
from core.models.base import Model
from core.models.evidence import EvidenceCandidate
from core.models.tool import ToolAnswer, failed
from core.ports import RecordStore
from core.tools.ports import ReadTool

ORDER, CUSTOMER = "check_order_status", "get_customer"


class OrderWanted(Model):
    """Which order."""

    order_id: OrderId


class CustomerWanted(Model):
    """Which customer."""

    customer_id: CustomerId


def order_lookup(records: RecordStore) -> ReadTool:
    """``check_order_status(order_id)``."""

    def answer(context: SecurityContext, wanted: OrderWanted) -> ToolAnswer:
        return found_or_not(
            records.order(context.tenant_id, wanted.order_id), "order", wanted.order_id
        )

    return Lookup(
        name=ORDER,
        description="The state, dates, contents and price of one order, from its record.",
        parameters=OrderWanted,
        answer=answer,
    )


def customer_lookup(records: RecordStore) -> ReadTool:
    """``get_customer(customer_id)``."""

    def answer(context: SecurityContext, wanted: CustomerWanted) -> ToolAnswer:
        row = records.customer(context.tenant_id, wanted.customer_id)
        return found_or_not(row, "customer", wanted.customer_id)

    return Lookup(
        name=CUSTOMER,
        description="One customer's name, contact, tier and points, from the record.",
        parameters=CustomerWanted,
        answer=answer,
    )


def found_or_not(row: EvidenceCandidate | None, kind: str, key: str) -> ToolAnswer:
    """The row as an answer; without one, that there is none by this number."""
    if row is not None:
        return ToolAnswer(rows=(row,))
    return failed("not_found", f"There is no {kind} {key[:60]!r}. Check the number.")
