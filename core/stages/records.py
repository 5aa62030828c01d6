"""Facts that are not passages: rows of orders and customers, and the case's own file."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from pydantic import Field

from core.lookups.case_rows import case_file
from core.lookups.orders import CUSTOMER, ORDER
from core.lookups.refund import REFUND
from core.models.access import SecurityContext
from core.models.base import Model
from core.models.evidence import EvidenceCandidate
from core.models.plan import QueryPlan
from core.models.request import IdentifierKind, UserRequest
from core.models.review import Case
from core.models.tool import ToolCall
from core.text.identifiers import customer_key, find_identifiers
from core.text.order_items import items_named, order_items
from core.text.refund_asked import refund_reason
from core.tools.arguments import shown_arguments
from core.tools.toolbox import Toolbox

_OF_KIND: dict[IdentifierKind, tuple[str, str]] = {
    "order": (ORDER, "order_id"),
    "customer": (CUSTOMER, "customer_id"),
}
_ITEMS_AT_MOST = 200
_NOT_READ = ("too_slow", "unavailable", "wrong_type")


class Fetched(Model):
    """``rows`` that were read, the record of every tool call, and what could not be read.

    ``unread`` maps what was asked for (an order's number, a refund) to what stands in the way, as
    the rest of a sentence; a number that is not there was read, and found to be nothing.
    """

    rows: tuple[EvidenceCandidate, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    unread: dict[str, str] = Field(default_factory=dict)


def fetch_records(
    plan: QueryPlan,
    context: SecurityContext,
    request: UserRequest,
    *,
    toolbox: Toolbox,
    case: Case | None,
    already: Sequence[ToolCall] = (),
) -> Fetched:
    """Rows of what the plan names, and the case's own file when it is asked about.

    Only who may review cases reads records; anybody else gets none. An order of another customer
    than the request's is kept for the reviewer, with a note in ``metadata``. A source that does not
    answer is named in ``unread``; the others are read all the same. No call of ``already`` is made
    again.
    """
    if "review" not in context.actions:
        return Fetched()
    found: list[EvidenceCandidate] = []
    calls: list[ToolCall] = []
    unread: dict[str, str] = {}
    made = {(call.tool, *call.arguments.items()) for call in already}

    def make(name: str, tool: str, arguments: dict[str, str], failing: str) -> None:
        if (tool, *shown_arguments(arguments).items()) in made:
            return
        answer, call = toolbox.call(tool, context, arguments)
        found.extend(_owned(row, request, case) for row in answer.rows)
        calls.append(call)
        if call.outcome in _NOT_READ or (tool == REFUND and call.message):
            unread[name] = f"{failing}: {call.message}"

    for name, tool, arguments in _wanted(plan, toolbox):
        make(name, tool, arguments, "could not be read")
    for name, order in _sums(plan):
        make(name, REFUND, _refund_of(order, found, plan, request, case), "could not be worked out")
    if case is not None and case.tenant_id == context.tenant_id and _wants_file(plan):
        found += case_file(case)
    rows = tuple({c.chunk_id: c for c in found}.values())
    return Fetched(rows=rows, calls=tuple(calls), unread=unread)


class _Wanted(NamedTuple):
    """One call to make; ``name`` is what its failure goes by."""

    name: str
    tool: str
    arguments: dict[str, str]


def _wanted(plan: QueryPlan, toolbox: Toolbox) -> list[_Wanted]:
    """A call for each identifier, and for each tool that goes with identifiers of its kind."""
    wanted = []
    for item in dict.fromkeys((*plan.identifiers, *plan.related)):
        if item.kind in _OF_KIND:
            tool, parameter = _OF_KIND[item.kind]
            wanted.append(_Wanted(item.value, tool, {parameter: item.value}))
        for tool, parameter in toolbox.called_for(item.kind):
            name = f"{tool} for {item.kind} {item.value}"
            wanted.append(_Wanted(name, tool, {parameter: item.value}))
    return wanted


def _sums(plan: QueryPlan) -> list[tuple[str, str]]:
    """Refunds to work out: the name of the dimension that asks, and the order."""
    asking = [d for d in plan.dimensions if d.kind == "record" and d.aspect == "amount"]
    return [
        (d.name, i.value) for d in asking for i in find_identifiers(d.name) if i.kind == "order"
    ]


def _refund_of(
    order: str,
    rows: Sequence[EvidenceCandidate],
    plan: QueryPlan,
    request: UserRequest,
    case: Case | None,
) -> dict[str, str]:
    """The arguments: the reason as the customer tells it, and the items if only some are named."""
    told = " ".join([request.raw_query, *(t.text for t in request.history if t.role == "customer")])
    if case is not None and case.tenant_id == request.tenant_id:
        told = " ".join([told, *(m.body for m in case.messages if m.author == "customer")])
    arguments = {
        "order_id": order,
        "reason": refund_reason(told),
        "on": plan.temporal.asked_date.isoformat(),
    }
    written = next(
        (r.metadata.get("items", "") for r in rows if r.chunk_id.endswith(f"/{order}")), ""
    )
    with suppress(ValueError):
        items = order_items(written)
        named = items_named(request.raw_query, items)
        if named and len(named) < len(items):
            arguments["items"] = " and ".join(item.name for item in named)[:_ITEMS_AT_MOST]
    return arguments


def _wants_file(plan: QueryPlan) -> bool:
    return any(d.kind == "case_file" for d in plan.dimensions)


def _owned(row: EvidenceCandidate, request: UserRequest, case: Case | None) -> EvidenceCandidate:
    asker = request.customer_id or (case.customer_id if case else None)
    holder = row.metadata.get("customer_id", "")
    if not asker or not holder or customer_key(asker) == customer_key(holder):
        return row
    note = f"belongs to customer {holder}, not to customer {asker} who asks"
    return row.model_copy(update={"metadata": {**row.metadata, "note_owner": note}})
