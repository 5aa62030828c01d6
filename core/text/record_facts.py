"""Which facts of an order's record answer a question about where it is, and when it comes."""

from __future__ import annotations

import re

from core.text.identifiers import find_identifiers

_I = re.IGNORECASE
_STATE = re.compile(
    r"\bwhere(?:'s| is| are)\b|\bstatus\b|\btrack\w*|\bon its way\b"
    r"|\b(?:has|have|had|was|is|did)\b.{0,40}\b(?:ship|shipped|sent|dispatched|left|arrive|arrived|delivered|paid|refunded|received)\b"
    r"|\bwhen (?:will|does|do|can|is|was)\b|到哪|状态|物流|什么时候|何时",
    _I,
)
_MONEY = re.compile(r"\brefund|\bmoney\b.{0,10}\bback\b|\bpaid\b|退款", _I)
_REFUND = re.compile(r"\brefund|退款", _I)
_ANSWERS: tuple[tuple[re.Pattern[str], float], ...] = (
    (re.compile(r"^the status of\b", _I), 0.6),
    (re.compile(r"\bexpected to arrive\b|\bwas delivered on\b", _I), 0.5),
    (re.compile(r"\bwas shipped on\b", _I), 0.2),
)
_PAST = re.compile(r"\bwas placed on\b", _I)
_WHEN_PLACED = re.compile(r"\bplaced|\border date|\bdid i (?:order|buy)|\bbought|下单|购买", _I)


def record_fit(question: str, sentence: str) -> float:
    """What is added to a record's ``sentence`` for answering (or taken off for not answering) a
    question about the state of the order. 0 for any other sentence or question."""
    if not find_identifiers(sentence):
        return 0.0
    if _PAST.search(sentence) and not _WHEN_PLACED.search(question):
        return -0.3  # the day of purchase and the customer's number answer nobody's "where is it"
    if not _STATE.search(question):
        return 0.0
    if _MONEY.search(question):
        told = 0.7 * bool(_REFUND.search(sentence)) + 0.4 * bool(_ANSWERS[0][0].search(sentence))
        return told if told else -0.3
    return next((value for pattern, value in _ANSWERS if pattern.search(sentence)), 0.0)
