"""The sum of a refund, step by step: items, last day, shipping, label. Decimal money, no rounding
but to the cent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from core.lookups.refund_rules import Charge, Rule, Window
from core.lookups.refund_terms import Terms
from core.models.action import CalculationStep
from core.text.order_items import OrderItem, money
from core.text.provenance import day_words

ROUNDING = "Amounts are exact to the cent; half a cent would be rounded up."
_CENT = Decimal("0.01")
_NOTHING = Decimal(0)


class Facts(NamedTuple):
    """What the record says of an order. ``key`` is its row key; ``returned`` the day it came back
    or, while it has not, the day it is asked about. ``shipping`` is what was paid for it."""

    number: str
    key: str
    items: tuple[OrderItem, ...]
    whole: bool
    shipping: Decimal
    currency: str
    bought: date
    delivered: date | None
    returned: date
    is_back: bool
    final_sale: bool


class Sum(NamedTuple):
    """From ``low`` to ``high`` (one amount where nothing is open). ``blocked`` says in a sentence
    why nothing is refunded; ``said`` are sentences on what limits or lowers it."""

    low: Decimal
    high: Decimal
    steps: tuple[CalculationStep, ...]
    said: tuple[str, ...]
    unknown: tuple[str, ...]
    blocked: str = ""


def work_out(order: Facts, terms: Terms, *, at_fault: bool) -> Sum:
    """What is refunded when the items come back, ``at_fault`` for our own mistake."""
    steps: list[CalculationStep] = [_items_step(order)]
    said: list[str] = []
    unknown: list[str] = []
    block = _blocked(order, terms, steps, said, unknown, at_fault=at_fault)
    if block:
        steps.append(_step("Refund", block, money(_NOTHING, order.currency), order.key))
        return Sum(_NOTHING, _NOTHING, tuple(steps), tuple(said), tuple(unknown), block)
    items = sum((item.total for item in order.items), _NOTHING)
    low, high = _shipping(order, terms.shipping, steps, said, unknown)
    label = _label(order, terms.label, steps, said, unknown)
    low, high = (_cents(max(items + part - label, _NOTHING)) for part in (low, high))
    steps.append(_total_step(order, items, (low, high), label))
    return Sum(low, high, tuple(steps), tuple(said), tuple(unknown))


def used_rules(order: Facts, terms: Terms, worked: Sum, *, at_fault: bool) -> tuple[Rule, ...]:
    """The rules that decided something."""
    final = order.final_sale and not at_fault
    decided = (
        (terms.window, not at_fault and not final),
        (terms.report, at_fault),
        (terms.final_sale, final),
        (terms.shipping, bool(order.shipping) and order.whole and not worked.blocked),
        (terms.label, not worked.blocked),
    )
    return tuple(rule for rule, counts in decided if rule is not None and counts)


def amount_words(low: Decimal, high: Decimal, currency: str) -> str:
    """One amount, or from … to …"""
    if low == high:
        return money(low, currency)
    return f"{money(low, currency)} to {money(high, currency)}"


def _step(label: str, expression: str, result: str, *sources: str) -> CalculationStep:
    return CalculationStep(label=label, expression=expression, result=result, sources=sources)


def _listed(order: Facts) -> str:
    spoken = [
        f"{i.pieces} × {i.name} at {money(i.price, order.currency)}" + " each" * (i.pieces > 1)
        for i in order.items
    ]
    return spoken[0] if len(spoken) == 1 else f"{', '.join(spoken[:-1])} and {spoken[-1]}"


def _items_step(order: Facts) -> CalculationStep:
    total = sum((item.total for item in order.items), _NOTHING)
    expression = " + ".join(
        f"{i.pieces} × {money(i.price, order.currency)} ({i.name})" for i in order.items
    )
    return _step("Items returned", expression, money(total, order.currency), order.key)


def items_sentence(order: Facts) -> str:
    """What the items cost, as a sentence."""
    total = money(sum((item.total for item in order.items), _NOTHING), order.currency)
    which = "The items" if order.whole else "The items in question"
    return f"{which} of order {order.number} cost {total}: {_listed(order)}."


def _blocked(
    order: Facts,
    terms: Terms,
    steps: list[CalculationStep],
    said: list[str],
    unknown: list[str],
    *,
    at_fault: bool,
) -> str:
    """Why nothing is refunded, empty where something is. The last day is shown either way."""
    if at_fault:
        _report_day(order, terms.report, steps, unknown)
        return ""
    if order.final_sale:
        if terms.final_sale is None:
            unknown.append("It is not settled whether Final Sale items can be returned.")
            return ""
        steps.append(
            _step("Final Sale", "sold as Final Sale, which cannot be returned", "no refund",
                  order.key, terms.final_sale.passage.chunk_id)
        )  # fmt: skip
        return "it was sold as Final Sale, which cannot be returned"
    return _late(order, terms.window, steps, said, unknown)


def _late(
    order: Facts,
    rule: Rule | None,
    steps: list[CalculationStep],
    said: list[str],
    unknown: list[str],
) -> str:
    window = rule.value if rule else None
    start = _start(order, window)
    if rule is None or not isinstance(window, Window) or start is None:
        unknown.append(
            f"Order {order.number} has not been delivered yet; its return counts from the delivery."
            if isinstance(window, Window)
            else f"It is not settled until when order {order.number} can be returned."
        )
        return ""
    last = start + timedelta(days=window.days)
    counted = f"{day_words(start)} ({window.counted_from}) + {window.days} days"
    steps.append(
        _step("Last day for a return", counted, day_words(last), order.key, rule.passage.chunk_id)
    )
    if order.returned > last:
        if order.is_back:
            came = f"it came back on {day_words(order.returned)}"
            return f"{came}, after its last day for a return, {day_words(last)}"
        return f"its last day for a return was {day_words(last)}"
    if order.is_back:
        said.append(
            f"Order {order.number} came back on {day_words(order.returned)}, "
            f"before its last day for a return, {day_words(last)}."
        )
    else:
        said.append(f"Order {order.number} can be returned until {day_words(last)}.")
    return ""


def _report_day(
    order: Facts, rule: Rule | None, steps: list[CalculationStep], unknown: list[str]
) -> None:
    window = rule.value if rule else None
    start = _start(order, window)
    if rule is None or not isinstance(window, Window) or start is None:
        return
    last = start + timedelta(days=window.days)
    counted = f"{day_words(start)} ({window.counted_from}) + {window.days} days"
    steps.append(
        _step("Last day to report it", counted, day_words(last), order.key, rule.passage.chunk_id)
    )
    unknown.append(f"The record does not say whether it was reported by {day_words(last)}.")


def _start(order: Facts, window: object) -> date | None:
    if not isinstance(window, Window):
        return None
    return order.bought if window.counted_from == "purchase" else order.delivered


def _shipping(
    order: Facts,
    rule: Rule | None,
    steps: list[CalculationStep],
    said: list[str],
    unknown: list[str],
) -> tuple[Decimal, Decimal]:
    """What is given back of the shipping charge, at least and at most."""
    paid = money(order.shipping, order.currency)
    if not order.shipping:
        steps.append(_step("Shipping charge", f"{paid} was paid", paid, order.key))
        return _NOTHING, _NOTHING
    if not order.whole:
        unknown.append("Shipping is left out, as only a part of the order is asked about.")
        return _NOTHING, _NOTHING
    refunded = rule.value.refunded if rule and isinstance(rule.value, Charge) else None
    if rule is None or refunded is None:
        steps.append(_step("Shipping charge", f"{paid} was paid; no rule found", "open", order.key))
        unknown.append(f"It is not settled whether the shipping charge of {paid} is refunded.")
        return _NOTHING, order.shipping
    given = order.shipping if refunded else _NOTHING
    words = "refunded" if refunded else "not refunded"
    steps.append(
        _step("Shipping charge", f"{paid} was paid, {words}", money(given, order.currency),
              order.key, rule.passage.chunk_id)
    )  # fmt: skip
    said.append(f"The shipping charge of {paid} for order {order.number} is {words}.")
    return given, given


def _label(
    order: Facts,
    rule: Rule | None,
    steps: list[CalculationStep],
    said: list[str],
    unknown: list[str],
) -> Decimal:
    """What is taken off for the return label."""
    cost = rule.value.amount if rule and isinstance(rule.value, Charge) else None
    if rule is None or cost is None:
        unknown.append(
            "It is not settled what the return label costs; nothing is taken off for it."
        )
        return _NOTHING
    shown = money(cost, order.currency)
    words = f"{shown} is taken off" if cost else "free"
    steps.append(
        _step("Return label", words, f"−{shown}" if cost else shown, rule.passage.chunk_id)
    )
    if cost:
        said.append(f"{shown} for the return label is taken off the refund.")
    return cost


def _total_step(
    order: Facts, items: Decimal, bounds: Sequence[Decimal], label: Decimal
) -> CalculationStep:
    low, high = bounds
    given = _cents(low - items + label)
    parts = [money(items, order.currency)]
    parts += [f"+ {money(given, order.currency)}"] if given > 0 else []
    parts += [f"− {money(label, order.currency)}"] if label else []
    return _step("Refund", " ".join(parts), amount_words(low, high, order.currency), order.key)


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(_CENT, rounding=ROUND_HALF_UP)
