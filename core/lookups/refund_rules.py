"""What governed passages say of refunds, one value a rule, each with the sentence that states it.

Rules are read from sentences by what they say (a period counted from purchase or delivery, a
shipping charge that is or is not refunded, a label that is free or costs something), never from
where they stand. A sentence whose condition is not understood gives no value: it is named as open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import NamedTuple

from core.models.evidence import EvidenceCandidate
from core.text.charges import says_free
from core.text.deadline import days_counted_from_purchase
from core.text.period import Period, periods
from core.text.polarity import negated
from core.text.quantities import find_quantities
from core.text.sentences import split_sentences
from core.text.units import CURRENCIES

_I = re.IGNORECASE
QUERIES = (
    "Within how many days of the purchase or delivery can an item be returned?",
    "Can Final Sale items be returned or refunded?",
    "Is the original shipping charge refunded with a return?",
    "What does a return label cost, is it taken off the refund?",
    "Is a restocking fee taken off the refund?",
)
QUERIES_AT_FAULT = (
    "Is the shipping charge refunded when an item arrived damaged or was the wrong item?",
    "Within how many days must damage be reported?",
)
_RETURN = re.compile(r"\breturn(?:s|ed|ing)?\b|\bsen[dt] back\b", _I)
_REFUND = re.compile(r"\brefund(?:s|ed|able|ing)?\b|\bnon-?refundable\b", _I)
_FROM_DELIVERY = re.compile(
    r"\bwithin\b.{0,40}\b(?:of|after|from)\s+(?:the\s+)?"
    r"(?:(?:day|date)\s+of\s+)?(?:delivery|receipt|receiving|arrival)", _I
)  # fmt: skip
_REPORT = re.compile(r"\breport(?:ed|ing)?\b", _I)
_FINAL = re.compile(r"\bfinal[- ]sale\b", _I)
_SHIPPING = re.compile(
    r"\b(?:shipping|delivery|postage|freight)(?:\s+(?:charge|cost|fee|price)s?)?\b", _I
)
_LABEL = re.compile(r"\breturn\s+(?:shipping\s+)?(?:labels?|postage|shipping)\b", _I)
_COSTS = re.compile(r"\b(?:pays?|paid|costs?|charged?|fees?|free|deduct\w*|taken off)\b", _I)
_RESTOCKING = re.compile(r"\bre-?stocking (?:fee|charge)s?\b", _I)
_CONDITION = re.compile(
    r"\b(?:unless|except(?: when| if| for)?|if|when|where|only|provided|for)\b(?P<then>.+)", _I
)
_TURNS = re.compile(r"\b(?:unless|except)\b", _I)
_OUR_FAULT = re.compile(
    r"\b(?:our|seller'?s?|company'?s?) (?:own )?(?:mistake|error|fault)\b|\bwe made\b"
    r"|\b(?:damaged|defective|faulty|wrong item|incorrect item|not as described)\b", _I
)  # fmt: skip
_NOT_REFUNDABLE = re.compile(r"\bnon-?refundable\b", _I)


class Window(NamedTuple):
    """Days allowed from the purchase or the delivery; ``period`` limits it to some purchases."""

    days: int
    counted_from: str
    period: Period | None = None


class Charge(NamedTuple):
    """Whether something is given back (``refunded``), or what it costs (``amount``).

    ``place`` is where it holds, as written; empty where it holds everywhere.
    """

    refunded: bool | None = None
    amount: Decimal | None = None
    place: str = ""


class Rule(NamedTuple):
    """One value, the sentence that states it and the passage it stands in."""

    value: object
    sentence: str
    passage: EvidenceCandidate


class RefundRules(NamedTuple):
    """Every rule that was found, official ones first; ``open`` are those not understood."""

    windows: tuple[Rule, ...]
    report_windows: tuple[Rule, ...]
    final_sale: tuple[Rule, ...]
    shipping: tuple[Rule, ...]
    labels: tuple[Rule, ...]
    restocking: tuple[Rule, ...]
    open: tuple[Rule, ...]


def read_rules(passages: Sequence[EvidenceCandidate], *, at_fault: bool) -> RefundRules:
    """The rules of ``passages`` for a return that is (``at_fault``) or is not our mistake."""
    found: dict[str, list[Rule]] = {name: [] for name in RefundRules._fields}
    for passage in passages:
        for span in split_sentences(passage.text):
            for name, value in _values(span.text, at_fault=at_fault):
                found[name].append(Rule(value, span.text.strip(" -*"), passage))
    return RefundRules(**{name: tuple(rules) for name, rules in found.items()})


def _values(sentence: str, *, at_fault: bool) -> list[tuple[str, object]]:
    readers: tuple[Callable[[str], tuple[str, object] | None], ...] = (
        _window,
        _report_window,
        _final_sale,
        lambda s: _shipping(s, at_fault=at_fault),
        _label,
        _restocking,
    )
    return [found for read in readers if (found := read(sentence)) is not None]


def _window(sentence: str) -> tuple[str, object] | None:
    if not _RETURN.search(sentence) or _REPORT.search(sentence):
        return None
    named = periods(sentence)
    period = named[0] if named else None
    days = days_counted_from_purchase(sentence)
    if days is not None:
        return "windows", Window(days, "purchase", period)
    days = _days(sentence) if _FROM_DELIVERY.search(sentence) else None
    return ("windows", Window(days, "delivery", period)) if days is not None else None


def _report_window(sentence: str) -> tuple[str, object] | None:
    if not (_REPORT.search(sentence) and _FROM_DELIVERY.search(sentence)):
        return None
    days = _days(sentence)
    return None if days is None else ("report_windows", Window(days, "delivery"))


def _days(sentence: str) -> int | None:
    factors = {"day": 1, "week": 7}
    known = [
        int(q.value) * factors[q.unit]
        for q in find_quantities(sentence)
        if q.unit in factors and q.value == int(q.value) and q.upper is None
    ]
    return known[0] if len(known) == 1 else None


def _final_sale(sentence: str) -> tuple[str, object] | None:
    if not _FINAL.search(sentence) or not (_RETURN.search(sentence) or _REFUND.search(sentence)):
        return None
    return ("final_sale", False) if negated(sentence) else None


def _shipping(sentence: str, *, at_fault: bool) -> tuple[str, object] | None:
    if not (_SHIPPING.search(sentence) and _REFUND.search(sentence)) or _LABEL.search(sentence):
        return None
    condition = _CONDITION.search(sentence)
    main = sentence[: condition.start()] if condition else sentence
    if not _REFUND.search(main) or not _SHIPPING.search(main):
        return "open", None
    given = not (negated(main) or _NOT_REFUNDABLE.search(main))
    if condition is None:
        return "shipping", Charge(refunded=given)
    if not _OUR_FAULT.search(condition["then"]):
        return "open", None
    if _TURNS.match(condition[0]):
        return "shipping", Charge(refunded=given is not at_fault)
    return ("shipping", Charge(refunded=given)) if at_fault else None


def _label(sentence: str) -> tuple[str, object] | None:
    if not _LABEL.search(sentence):
        return None
    place = _place(sentence)
    if says_free(sentence):
        return "labels", Charge(amount=Decimal(0), place=place)
    sums = [q for q in find_quantities(sentence) if q.unit in CURRENCIES]
    if len(sums) == 1 and sums[0].upper is None:
        return "labels", Charge(amount=sums[0].value, place=place)
    return ("open", None) if _COSTS.search(sentence) else None


_PLACE = re.compile(
    r"\b(?:shipped|delivered|sent|returned)?\s*(?:within|in|to|from)\s+(?:the\s+)?"
    r"(?P<place>[A-Z][\w.]+(?:\s+[A-Z][\w.]+)*)"
)


def _place(sentence: str) -> str:
    match = _PLACE.search(sentence)
    return match["place"].rstrip(".") if match else ""


def _restocking(sentence: str) -> tuple[str, object] | None:
    if not _RESTOCKING.search(sentence):
        return None
    nothing = negated(sentence) or bool(re.search(r"\bno re-?stocking\b", sentence, _I))
    return None if nothing else ("restocking", sentence)
