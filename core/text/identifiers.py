"""Record identifiers named in a text: orders, cases, customers, e-mail addresses, SKUs."""

from __future__ import annotations

import re

from core.models.request import ExtractedIdentifier, IdentifierKind

_EMAIL = r"(?<![\w.+-])[A-Za-z0-9][\w.+-]*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"
_NUMBER_WORD = r"(?:\s+(?:number|no\.?|id|nr\.?))?\s*[:#＃：]?\s*"
_PATTERNS: tuple[tuple[IdentifierKind, re.Pattern[str]], ...] = (
    ("email", re.compile(_EMAIL)),
    ("sku", re.compile(r"(?<!\w)SKU[-:\s#]*(?P<v>[A-Z0-9][A-Z0-9-]{2,})", re.IGNORECASE)),
    (
        "case",
        re.compile(
            rf"(?<!\w)(?:cases?|tickets?){_NUMBER_WORD}(?P<v>(?:[A-Za-z]{{1,5}}-)?\d{{2,}})(?!\w)",
            re.IGNORECASE,
        ),
    ),
    (
        "case",
        re.compile(r"(?:案件|工单|个案)(?:编号|号)?\s*[:：#]?\s*(?P<v>(?:[A-Za-z]{1,5}-)?\d{2,})"),
    ),
    ("case", re.compile(r"(?<![\w-])(?P<v>(?:CASE|CS|TICKET)-\d{2,})(?!\w)", re.IGNORECASE)),
    (
        "customer",
        re.compile(
            rf"(?<!\w)(?:customers?|clients?|account){_NUMBER_WORD}(?P<v>C-\d{{2,}}|"
            rf"\d{{2,}})(?!\w)",
            re.IGNORECASE,
        ),
    ),
    ("customer", re.compile(r"客户(?:编号|号)?\s*[:：#]?\s*(?P<v>C-\d{2,}|\d{2,})")),
    ("customer", re.compile(r"(?<![\w-])(?P<v>C-\d{3,})(?!\w)")),
    ("order", re.compile(r"(?<![\w-])(?P<v>[A-Z]-\d{4,})(?![\w])", re.IGNORECASE)),
    (
        "order",
        re.compile(
            rf"(?<!\w)orders?{_NUMBER_WORD}(?P<v>(?:[A-Za-z]{{1,4}}-?)?\d{{3,}})(?!\w)",
            re.IGNORECASE,
        ),
    ),
    (
        "order",
        re.compile(
            r"订单(?:编号|号码|号)?(?:是|为)?\s*[:：#]?\s*(?P<v>(?:[A-Za-z]{1,4}-?)?\d{3,})"
        ),
    ),
    ("case", re.compile(r"(?<![\w&])[#＃](?P<v>\d{3,})(?!\w)")),
)


def find_identifiers(text: str) -> tuple[ExtractedIdentifier, ...]:
    """Identifiers in order of appearance; overlapping readings keep the more specific one.

    ``value`` is upper case without ``#`` (an e-mail address in lower case).
    """
    taken: list[tuple[int, int]] = []
    found: list[tuple[int, ExtractedIdentifier]] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span("v") if "v" in pattern.groupindex else match.span()
            if any(start < right and left < end for left, right in taken):
                continue
            taken.append((start, end))
            found.append((start, _identifier(kind, text[start:end], match[0])))
    found.sort(key=lambda item: item[0])
    unique = {(item.kind, item.value): item for _, item in reversed(found)}
    return tuple(item for _, item in found if unique.get((item.kind, item.value)) is item)


def _identifier(kind: IdentifierKind, value: str, text: str) -> ExtractedIdentifier:
    canonical = value.lower().rstrip(".") if kind == "email" else value.upper()
    return ExtractedIdentifier(kind=kind, value=canonical, text=text.strip())


def same_customer(one: str | None, other: str | None) -> bool:
    """Whether two customer ids are the same: ``C-0088`` and ``88`` are. Unknown is never same."""
    keys = {customer_key(one or ""), customer_key(other or "")}
    return len(keys) == 1 and "" not in keys


def customer_key(customer_id: str) -> str:
    """What stays of a customer id however it is written: ``88`` of ``C-0088``."""
    return customer_id.strip().upper().removeprefix("C-").lstrip("0")
