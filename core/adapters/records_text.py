"""Rows of the records database as sentences, one fact each, so that each can be quoted alone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from core.text.provenance import day_words

_METHODS = {
    "standard": "standard shipping",
    "two-day": "two-day shipping",
    "next-day": "next-day shipping",
    "international": "international shipping",
    "store pickup": "store pickup",
}
_SINCE = {
    "delivered": "delivered_on",
    "shipped": "shipped_on",
    "return received": "returned_on",
    "returned": "refunded_on",
}
"""The column that dates a status."""
_COUNTRIES = {"US": "the United States", "CA": "Canada", "GB": "the United Kingdom"}


def order_text(row: Mapping[str, str]) -> str:
    """The order as sentences: status first, because that is what is asked most."""
    name = f"Order {row['order_number']}"
    total, shipping = _money(row["total"]), _money(row["shipping"])
    sentences = [
        _status(row),
        *_dates(name, row),
        f"{name} was placed on {day(row['placed_on'])} by customer {row['customer_id']}.",
        f"{name} contains {_items(row['items'])}.",
        f"{name} cost {total} in total, with {shipping} for shipping.",
        f"{name} was paid with {row['payment']}.",
        f"{name} uses {_METHODS.get(row['method'], row['method'])}{_carrier(row)}.",
    ]
    if row["final_sale"] == "yes":
        sentences.append(f"{name} was sold as Final Sale.")
    if row["note"]:
        sentences.append(f"{name} carries the note: {row['note']}.")
    return " ".join(sentences)


def customer_text(row: Mapping[str, str]) -> str:
    """The customer as sentences."""
    name = f"Customer {row['customer_id']}"
    country = _COUNTRIES.get(row["country"], row["country"])
    return " ".join(
        (
            f"{name} is {row['name']}.",
            f"{name} lives in {row['city']} in {country}.",
            f"{name} is a {row['tier']} member of the Rewards programme.",
            f"{name} has {int(row['points']):,} Rewards points.",
            f"{name} has been a member since {day(row['member_since'])}.",
            f"The e-mail address of customer {row['customer_id']} is {row['email']}.",
            f"The phone number of customer {row['customer_id']} is {row['phone']}.",
        )
    )


def day(iso: str) -> str:
    """``2026-11-24`` as ``24 November 2026``."""
    return day_words(date.fromisoformat(iso))


def _status(row: Mapping[str, str]) -> str:
    since = row.get(_SINCE.get(row["status"], ""), "")
    words = f'The status of order {row["order_number"]} is "{row["status"]}"'
    return f"{words} as of {day(since)}." if since else f"{words}."


def _dates(name: str, row: Mapping[str, str]) -> list[str]:
    facts = (
        ("shipped_on", f"{name} was shipped on {{}}."),
        ("expected_on", f"{name} is expected to arrive on {{}}."),
        ("delivered_on", f"{name} was delivered on {{}}."),
        ("returned_on", f"The return of order {row['order_number']} was received on {{}}."),
        ("refunded_on", f"The refund for order {row['order_number']} was paid on {{}}."),
    )
    said = [sentence.format(day(row[column])) for column, sentence in facts if row[column]]
    if row["returned_on"] and not row["refunded_on"]:
        said.append(f"The refund for order {row['order_number']} has not been paid yet.")
    return said


def _items(listed: str) -> str:
    spoken = [_item(item) for item in listed.split("; ")]
    return spoken[0] if len(spoken) == 1 else f"{', '.join(spoken[:-1])} and {spoken[-1]}"


def _item(item: str) -> str:
    label, price = item.rsplit(" @ ", 1)
    count, name = label.split(" x ", 1)
    each = " each" if count != "1" else ""
    return f"{count} × {name} at {_money(price)}{each}"


def _money(amount: str) -> str:
    return f"${Decimal(amount):,.2f}"


def _carrier(row: Mapping[str, str]) -> str:
    if not row["carrier"]:
        return ""
    tracking = f", tracking number {row['tracking']}" if row["tracking"] else ""
    return f" with {row['carrier']}{tracking}"
