"""Whether a message asks for the sum of a refund, and why the thing comes back."""

from __future__ import annotations

import re

_I = re.IGNORECASE
_SUM = re.compile(
    r"\bhow much\b.{0,60}\b(?:get|receive|have|see|be paid|be given|money)\b.{0,40}\bback\b"
    r"|\bhow much\b.{0,60}\b(?:refund(?:ed|s)?|reimburse[ds]?|credited)\b"
    r"|\b(?:what|which)(?:'s| is| was| will| would)?\b.{0,40}\brefund (?:amount|sum|total|value)\b"
    r"|\b(?:amount|sum|total|size) (?:of|for) (?:the|my|our|his|her|their|a) refund\b"
    r"|\bwhat (?:amount|sum)\b.{0,60}\b(?:refund(?:ed)?|back)\b"
    r"|\b(?:calculate|compute|work out|figure out) (?:the|my|our|his|her|their|a) refund\b"
    r"|退(?:款|回|给)?.{0,6}多少(?:钱)?|退款(?:的)?(?:金额|数额|总额)|多少.{0,8}退款",
    _I,
)
_WRONG = re.compile(
    r"\b(?:wrong|incorrect|different|another) (?:item|product|article|size|colou?r|one|thing)\b"
    r"|\b(?:sent|got|received|shipped) (?:me |us )?the wrong\b|\bnot what (?:i|we) ordered\b"
    r"|发错|寄错|错误的商品",
    _I,
)
_DAMAGED = re.compile(
    r"\b(?:damaged|broken|cracked|shattered|torn|scratched|dented|defective|faulty|smashed|leaking)\b"
    r"|\barrived (?:in pieces|with a (?:crack|hole|tear|dent|scratch))\b|损坏|破损|坏了|碎了",
    _I,
)
_DENIED = re.compile(r"\b(?:not|isn't|wasn't|never|nothing (?:is|was))\s+(?:\w+\s+)?$|没有?$", _I)


def asks_refund_sum(ask: str) -> bool:
    """Whether ``ask`` wants to know what a refund comes to."""
    return bool(_SUM.search(ask))


def refund_reason(text: str) -> str:
    """``damaged``, ``wrong_item`` or, where it says neither, ``unwanted``."""
    for pattern, reason in ((_WRONG, "wrong_item"), (_DAMAGED, "damaged")):
        for match in pattern.finditer(text):
            if not _DENIED.search(text[: match.start()]):
                return reason
    return "unwanted"
