"""What an order contains, as its record writes it: ``2 x boots @ 62.00; 1 x tent @ 159.00``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from core.text.tokens import content_words

_ITEM = re.compile(r"^(?P<count>\d+)\s*[x×]\s*(?P<name>.+?)\s*@\s*(?P<price>\d+(?:\.\d+)?)$")
_SYMBOLS = {"USD": "$", "GBP": "£", "EUR": "€"}


class OrderItem(NamedTuple):
    """``price`` is that of one piece."""

    pieces: int
    name: str
    price: Decimal

    @property
    def total(self) -> Decimal:
        """Price of all pieces."""
        return self.pieces * self.price


def order_items(written: str) -> tuple[OrderItem, ...]:
    """The items of an order. Raises ``ValueError`` for one that is not written as such."""
    items = []
    for part in filter(None, (p.strip() for p in written.split(";"))):
        match = _ITEM.match(part)
        if match is None:
            raise ValueError(f"{part!r} is not written as 2 x name @ 12.00")
        items.append(OrderItem(int(match["count"]), match["name"], Decimal(match["price"])))
    return tuple(items)


def items_named(text: str, items: Sequence[OrderItem]) -> tuple[OrderItem, ...]:
    """Those of ``items`` that ``text`` names by a word the others do not share."""
    said = set(content_words(text))
    words = [set(content_words(item.name)) for item in items]
    own = [w - set().union(*(o for o in words if o is not w)) for w in words]
    return tuple(item for item, mine in zip(items, own, strict=True) if mine & said)


def money(amount: Decimal, currency: str) -> str:
    """``$1,150.00``; ``1,150.00 SEK`` where the currency has no sign here."""
    sign = _SYMBOLS.get(currency)
    return f"{sign}{amount:,.2f}" if sign else f"{amount:,.2f} {currency}"
