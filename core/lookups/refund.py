"""``calculate_refund``: what a return of an order gives back, with every input and step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from core.errors import Unavailable
from core.lookups.lookup import SEARCH_MS, AsOf, Lookup, OrderId
from core.lookups.orders import found_or_not
from core.lookups.passages import PassagesInForce, governing
from core.lookups.refund_rules import QUERIES, QUERIES_AT_FAULT, Rule, read_rules
from core.lookups.refund_sum import (
    ROUNDING,
    Facts,
    Sum,
    amount_words,
    items_sentence,
    used_rules,
    work_out,
)
from core.lookups.refund_terms import terms_for
from core.models.access import SecurityContext
from core.models.action import CalculationStep
from core.models.base import Model
from core.models.calculation import Calculation, CalculationInput
from core.models.evidence import EvidenceCandidate
from core.models.tool import ToolAnswer, failed
from core.ports import RecordStore
from core.text.calculated import TOLD
from core.text.order_items import items_named, money, order_items
from core.text.provenance import day_words
from core.tools.ports import ReadTool

REFUND = "calculate_refund"
RefundReason = Literal["unwanted", "damaged", "wrong_item"]
_REASON_WORDS = {
    "unwanted": "an ordinary return",
    "damaged": "an item that arrived damaged",
    "wrong_item": "a wrong item",
}
_PASSAGES = 12


class RefundWanted(Model):
    """Which order, why it comes back, which of its items, and as of when."""

    order_id: OrderId
    reason: Annotated[RefundReason, Field(description="unwanted, damaged or wrong_item")]
    items: Annotated[
        str,
        Field(max_length=200, description="words that name items of the order, all if left out"),
    ] = ""
    on: AsOf = None


def refund_lookup(
    records: RecordStore, passages: PassagesInForce, today: Callable[[], date]
) -> ReadTool:
    """``calculate_refund(order_id, reason)`` over the record and the policies in force."""

    def answer(context: SecurityContext, wanted: RefundWanted) -> ToolAnswer:
        row = records.order(context.tenant_id, wanted.order_id)
        if row is None:
            return found_or_not(None, "order", wanted.order_id)
        read = _facts(row, wanted, wanted.on or today())
        if isinstance(read, str):
            return failed("not_found", read)
        at_fault = wanted.reason != "unwanted"
        queries = (*QUERIES, *QUERIES_AT_FAULT) if at_fault else QUERIES
        on = wanted.on or today()
        found = governing(passages(context, queries, on=on, most=_PASSAGES), on=on)
        customer = records.customer(context.tenant_id, row.metadata.get("customer_id", ""))
        country = customer.metadata.get("country", "") if customer else ""
        terms = terms_for(read_rules(found, at_fault=at_fault), bought=read.bought, country=country)
        worked = work_out(read, terms, at_fault=at_fault)
        used = used_rules(read, terms, worked, at_fault=at_fault)
        return _answered(row, wanted, read, used, worked, terms.open)

    return Lookup(
        name=REFUND,
        description="What a return of an order gives back, from its record and the policies in "
        "force, with every input and step.",
        parameters=RefundWanted,
        answer=answer,
        timeout_ms=SEARCH_MS,
    )


def _facts(row: EvidenceCandidate, wanted: RefundWanted, on: date) -> Facts | str:
    """What the record says, or the sentence that there is nothing to work out."""
    held = row.metadata
    number = held.get("order_number", wanted.order_id)
    if held.get("status") == "cancelled":
        return f"Order {number} was cancelled: nothing of it can come back."
    try:
        items = order_items(held["items"])
        back = date.fromisoformat(held["returned_on"]) if held.get("returned_on") else None
        delivered = date.fromisoformat(held["delivered_on"]) if held.get("delivered_on") else None
        bought, shipping = date.fromisoformat(held["placed_on"]), Decimal(held["shipping"])
    except (KeyError, ValueError, InvalidOperation) as error:
        raise Unavailable(
            f"The record of order {number} cannot be worked with ({error}). Put the record right."
        ) from error
    chosen = items_named(wanted.items, items) if wanted.items else items
    if not chosen:
        return f"Order {number} contains no {wanted.items!r}. It contains {held['items']}."
    return Facts(
        number=number,
        key=row.chunk_id,
        items=chosen,
        whole=len(chosen) == len(items),
        shipping=shipping,
        currency=held.get("currency", "USD"),
        bought=bought,
        delivered=delivered,
        returned=back or on,
        is_back=back is not None,
        final_sale=held.get("final_sale") == "yes",
    )


class _Known(NamedTuple):
    label: str
    value: str
    source: EvidenceCandidate


def _answered(
    row: EvidenceCandidate,
    wanted: RefundWanted,
    order: Facts,
    rules: Sequence[Rule],
    worked: Sum,
    left_open: Sequence[str],
) -> ToolAnswer:
    amount = amount_words(worked.low, worked.high, order.currency)
    unknown = (*_unknown(order, worked), *left_open)
    inputs = [_Known(*i, row) for i in _record_inputs(row, order)]
    inputs += [_Known("Rule", rule.sentence, rule.passage) for rule in rules]
    calculation = Calculation(
        title=f"Refund for order {order.number} as {_REASON_WORDS[wanted.reason]}",
        inputs=tuple(
            CalculationInput(
                label=i.label, value=i.value, source=i.source.chunk_id,
                source_title=i.source.source_title,
            )
            for i in inputs
        ),
        steps=worked.steps,
        result=amount,
        rounding=ROUNDING,
        unknown=unknown,
    )  # fmt: skip
    told = _told(row, order, worked, amount)
    candidate = _citable(row, order, calculation, told, worked)
    used = {rule.passage.chunk_id: rule.passage for rule in rules}
    return ToolAnswer(rows=(candidate, row, *used.values()), calculation=calculation)


def _record_inputs(row: EvidenceCandidate, order: Facts) -> list[tuple[str, str]]:
    held = row.metadata
    inputs = [("Items", held["items"]), ("Placed on", held["placed_on"])]
    inputs += [("Shipping paid", money(order.shipping, order.currency))]
    inputs += [
        (label, held[name])
        for label, name in (("Delivered on", "delivered_on"), ("Came back on", "returned_on"))
        if held.get(name)
    ]
    return [*inputs, ("Final Sale", held.get("final_sale", "") or "not said")]


def _unknown(order: Facts, worked: Sum) -> tuple[str, ...]:
    unknown = [*worked.unknown]
    if not worked.blocked and not order.is_back:
        unknown.append(
            f"The items of order {order.number} have not come back yet, "
            "so their condition is not known."
        )
    return tuple(unknown)


def _told(row: EvidenceCandidate, order: Facts, worked: Sum, amount: str) -> str:
    """What a reply says of it: the result, whether it was paid, and what limits it."""
    if worked.blocked:
        first = f"Nothing is refunded for a return of order {order.number}: {worked.blocked}."
    else:
        some = f"{', '.join(i.name for i in order.items)} from order {order.number}"
        which = f"order {order.number}" if order.whole else some
        first = f"The refund for {which} comes to {amount}."
    paid = row.metadata.get("refunded_on")
    settled = (
        [f"The refund for order {order.number} was paid on {day_words(date.fromisoformat(paid))}."]
        if paid
        else []
    )
    return " ".join([first, *settled, *worked.said, *worked.unknown])


def _step_sentence(step: CalculationStep, number: str) -> str:
    sums = any(sign in step.expression for sign in (" + ", " − "))
    result = f" = {step.result}" if sums else ""
    return f"{step.label} for order {number}: {step.expression}{result}."


def _citable(
    row: EvidenceCandidate, order: Facts, calculation: Calculation, told: str, worked: Sum
) -> EvidenceCandidate:
    """The calculation as evidence; it is as personal as the record it rests on."""
    key = f"calculation:refund/{order.number}"
    further = [words for words in calculation.unknown if words not in worked.unknown]
    steps = [_step_sentence(step, order.number) for step in worked.steps[1:]]
    said = " ".join([told, items_sentence(order), *steps, *further])
    return row.model_copy(
        update={
            "chunk_id": key,
            "source_id": "calculation:refund",
            "document_id": key,
            "source_uri": key,
            "source_title": f"Calculation: refund for order {order.number}",
            "text": said,
            "char_end": len(said),
            "calculation": calculation,
            "metadata": {
                "order_number": order.number,
                "customer_id": row.metadata.get("customer_id", ""),
                "amount": str(worked.low) if worked.low == worked.high else "",
                "currency": order.currency,
                TOLD: str(len(told)),
            },
        }
    )
