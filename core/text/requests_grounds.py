"""What a rule makes of a request, in words a supervisor reads, and what that advises."""

# ruff: noqa: E501 - patterns read better unbroken
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from core.text.requests import WantedAct
from core.text.requests_rules import Found

Kind = Literal[
    "policy_forbids",
    "condition_not_met",
    "condition_unverified",
    "approval_missing",
    "goodwill_beyond_policy",
]
_KIND: dict[str, Kind] = {
    "forbidden": "policy_forbids",
    "failed": "condition_not_met",
    "approval": "approval_missing",
    "exceeds": "goodwill_beyond_policy",
    "doubtful": "condition_unverified",
    "open": "condition_unverified",
}
_CUSTOMER_KNOWS = re.compile(
    r"\breasons?\b|\bun(?:used|worn|opened|damaged)\b|\btags?\b|\bpackag\w+|\bphotos?\b|\bproof\b|\breceipts?\b|\bcertif\w+|\bdoctor\b|"
    r"\bmoved?\b|\bscratch|\bdamag|\bsignatures?\b|\bconsent\b|\binvoices?\b|\breport\b|\bnew home\b|\bdefective\b|\bsame (?:country|city)\b|"
    r"\btest\b|\bintact\b|原因|照片|凭证|包装",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^(?:only )?(?:if|when|provided(?: that)?|as long as|once)\s+", re.IGNORECASE)


class RuleGround(NamedTuple):
    """One ground out of the policy. ``asks`` says that the customer can settle it."""

    kind: Kind
    words: str
    found: Found
    asks: bool = False
    approver: str = ""


def rule_grounds(
    decided: Sequence[tuple[WantedAct, Sequence[Found]]], *, approved: bool
) -> tuple[RuleGround, ...]:
    """A ground for each wanted act that a rule does not plainly allow; ``approved`` says that the
    decision a rule asks for is on record."""
    grounds: list[RuleGround] = []
    for wanted, found in decided:
        first = next((f for f in found if not (approved and f.bearing.verdict == "approval")), None)
        if first is None or first.bearing.verdict == "allowed":
            continue
        grounds.append(_ground(wanted, first))
    return tuple({(g.kind, g.found.bearing.clause.text): g for g in grounds}.values())


def _ground(wanted: WantedAct, found: Found) -> RuleGround:
    asked = _shortened(wanted.words)
    rule = found.bearing
    condition = _LEAD.sub("", rule.condition).strip()
    match rule.verdict:
        case "forbidden":
            words = f"The customer asks: “{asked}”. The policy does not allow it."
        case "failed":
            words = f"The customer asks: “{asked}”. The policy allows it only under a condition that is not met here: {condition}."
        case "approval":
            who = _the(rule.condition) if rule.condition else "somebody with the authority"
            words = f"The customer asks: “{asked}”. The policy needs the approval of {who}, and none is on record."
        case "exceeds":
            words = f"The customer asks: “{asked}”. The policy gives {rule.condition}, and no more."
        case "doubtful":
            words = f"The customer asks: “{asked}”. If this rule covers the case, its condition is not met: {condition}."
        case _:
            open_point = f": {condition}" if condition else " whether this rule covers the case"
            words = f"The customer asks: “{asked}”. Neither the record nor the customer's words show{open_point}."
    return RuleGround(
        kind=_KIND[rule.verdict],
        words=words,
        found=found,
        asks=rule.verdict == "open" and bool(_CUSTOMER_KNOWS.search(rule.condition)),
        approver=rule.condition if rule.verdict == "approval" else "",
    )


def _the(approver: str) -> str:
    return approver if re.search("[\u4e00-\u9fff]", approver) else f"the {approver}"


def _shortened(words: str, limit: int = 110) -> str:
    flat = " ".join(words.split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1].rstrip()}…"
