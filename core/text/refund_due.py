"""Whether an order's own record bears a refund, and whether a sentence of a policy pays one.

Rules a person can read, over columns of the record; nobody's words enter here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

_AMOUNT = re.compile(r"[0-9]{1,7}(?:\.[0-9]{1,2})?")
_REFUND = re.compile(r"\brefund(?:s|ed|ing)?\b|退款", re.IGNORECASE)
_PAYS = re.compile(
    r"\b(?:paid|pays?|payable|issued?|credited|settled|transferred|made|go(?:es)? back|"
    r"sent back|given back)\b|支付|到账|退回|原路|退还|发放",
    re.IGNORECASE,
)
_RETURN = re.compile(
    r"\breturn(?:s|ed|ing)?\b|\bsent back\b|\bsend back\b|退货|退回", re.IGNORECASE
)
_NOT = re.compile(
    r"\b(?:no|not|never|cannot|without|except|unless|neither|nor)\b|n't\b|不|无|未|除非",
    re.IGNORECASE,
)


def amount(text: str) -> Decimal | None:
    """``112`` or ``112.00`` as a positive amount; ``None`` for anything else."""
    if not _AMOUNT.fullmatch(text):
        return None
    value = Decimal(text)
    return value.quantize(Decimal("0.01")) if value > 0 else None


def refund_refused(order: Mapping[str, str]) -> str:
    """Why the record of an order bears no refund; empty where one is due.

    Due is what came back and was not paid for yet, unless it was sold as Final Sale.
    """
    name = f"order {order.get('order_number', '')}".strip()
    if not order.get("returned_on"):
        return f"The record shows no return of {name}."
    if order.get("refunded_on"):
        return f"The record shows that {name} was refunded on {order['refunded_on']}."
    if order.get("final_sale") != "no":
        return f"The record says that {name} was sold as Final Sale."
    if amount(order.get("total", "")) is None:
        return f"The record states no total for {name}."
    return ""


def pays_refund(sentence: str, about: str = "") -> bool:
    """Whether a sentence says that a refund of a return is paid.

    ``about`` is where it stands (title, headings): the return may be named there. A sentence that
    denies or limits anything pays nothing.
    """
    if _NOT.search(sentence) or not _REFUND.search(sentence) or not _PAYS.search(sentence):
        return False
    return bool(_RETURN.search(f"{sentence} {about}"))
