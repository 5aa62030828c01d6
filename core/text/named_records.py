"""Which order or customer a question is about: named in it, by the case, or in the conversation."""

from __future__ import annotations

from collections.abc import Sequence

from core.models.request import ExtractedIdentifier, NormalizedInput, Turn, UserRequest
from core.models.review import Case
from core.text import intent
from core.text.identifiers import find_identifiers
from core.text.leaning import leans_on_context
from core.text.refund_asked import asks_refund_sum


def named_records(
    normalized: NormalizedInput, request: UserRequest, parts: Sequence[str], case: Case | None
) -> tuple[ExtractedIdentifier, ...]:
    """Identifiers of the question; where it needs an order or customer and names none, the case's
    own, else the one order the conversation last spoke of."""
    found = normalized.extracted_identifiers
    kinds = {i.kind for i in found}
    if "order" not in kinds and any(_about_order(p) for p in parts):
        found += case_order(case) or _last_order(request.history, parts)
    customer = request.customer_id or (case.customer_id if case else None)
    if customer and "customer" not in kinds and any(intent.about_own_account(p) for p in parts):
        found += (ExtractedIdentifier(kind="customer", value=customer, text=customer),)
    return found


def related_records(
    request: UserRequest, asked: Sequence[ExtractedIdentifier], case: Case | None
) -> tuple[ExtractedIdentifier, ...]:
    """Orders that the case or the customer's earlier messages name beside those asked about."""
    said = [t for t in request.history if t.role == "customer"]
    named = [order for turn in said for order in _orders(turn.text)]
    known = {i.value for i in asked}
    return tuple({i.value: i for i in (*named, *case_order(case)) if i.value not in known}.values())


def case_order(case: Case | None) -> tuple[ExtractedIdentifier, ...]:
    """The order a case is about, if its fields name one."""
    order = case.fields.get("order", "") if case else ""
    if not order:
        return ()
    return (ExtractedIdentifier(kind="order", value=order.lstrip("#").upper(), text=order),)


def orders_to_choose(history: Sequence[Turn]) -> tuple[ExtractedIdentifier, ...]:
    """The orders that the last turn naming any order names: one is meant, of several one is to be
    chosen."""
    for turn in reversed(history):
        if orders := _orders(turn.text):
            return tuple({order.value: order for order in orders}.values())
    return ()


def _last_order(history: Sequence[Turn], parts: Sequence[str]) -> tuple[ExtractedIdentifier, ...]:
    """The order spoken of, for "When will it arrive?"; none for "When do refunds arrive?"."""
    own = any(intent.names_no_record(p) or (_about_order(p) and leans_on_context(p)) for p in parts)
    orders = orders_to_choose(history) if own else ()
    return orders if len(orders) == 1 else ()


def _orders(text: str) -> list[ExtractedIdentifier]:
    return [i for i in find_identifiers(text) if i.kind == "order"]


def _about_order(part: str) -> bool:
    return intent.about_status(part) or asks_refund_sum(part)
