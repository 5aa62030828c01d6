"""What the co-pilot advises to do with a case beside sending the draft, and on what grounds."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from core.models.base import Model
from core.models.review import EscalationReason

AdvisedOutcome = Literal["reply", "ask_customer", "refuse", "escalate"]
GroundKind = Literal[
    "policy_forbids",
    "condition_not_met",
    "condition_unverified",
    "approval_missing",
    "goodwill_beyond_policy",
    "legal_or_safety",
    "no_winner",
    "low_coverage_high_risk",
    "repeated_contact",
    "customer_asks_for_a_person",
    "high_value",
    "stage_failure",
]


GROUND_REASON: dict[GroundKind, EscalationReason] = {
    "policy_forbids": "policy_exception",
    "condition_not_met": "policy_exception",
    "condition_unverified": "insufficient_evidence",
    "approval_missing": "policy_exception",
    "goodwill_beyond_policy": "policy_exception",
    "legal_or_safety": "legal_or_safety",
    "no_winner": "conflicting_sources",
    "low_coverage_high_risk": "insufficient_evidence",
    "repeated_contact": "customer_request",
    "customer_asks_for_a_person": "customer_request",
    "high_value": "high_value",
    "stage_failure": "stage_failure",
}
"""How each ground is called on the escalation form."""


class AdviceLimits(Model):
    """From what on a case is more than routine: a record's total, and how often and how soon a
    customer wrote before it counts as a repeated contact."""

    high_value: Decimal = Decimal(500)
    repeated_contacts: int = 3
    within_days: int = 30


class AdviceGround(Model):
    """One ground in words, with the clause it leans on: ``quote`` is an exact span of that passage.

    A ground without a clause (the customer threatens to sue) has neither.
    """

    kind: GroundKind
    words: str
    evidence_id: str | None = None
    quote: str = ""


class HandlingAdvice(Model):
    """What to do with the case. Advice only: a person decides, and code never acts on it.

    ``outcome`` is ``reply`` when no ground speaks against sending the draft. ``reason`` and ``to``
    fill the escalation form; ``missing`` says what the receiver must supply.
    """

    outcome: AdvisedOutcome
    grounds: tuple[AdviceGround, ...] = ()
    reason: EscalationReason | None = None
    to: str = ""
    missing: tuple[str, ...] = ()
