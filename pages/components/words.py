"""Words for times, counts and states. Every colour on the screen has one of these beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

CLAIM_WORDS: dict[str, tuple[str, str, str]] = {
    # status → (sign, word, tone)
    "supported": ("✔", "verified", "good"),
    "contradicted": ("✖", "contradicted", "bad"),
    "unsupported": ("○", "not in the evidence", "warn"),
    "unclear": ("?", "unclear", "warn"),
}
STATE_WORDS = {
    "new": "new",
    "drafted": "draft ready",
    "in_review": "in review",
    "edited": "edited",
    "approved": "approved, leaving soon",
    "sent": "sent",
    "escalated": "escalated",
    "awaiting_customer": "waiting for the customer",
    "refused": "refused",
    "rejected": "draft rejected",
}
RISK_WORDS = {
    "low": ("low risk", "soft"),
    "medium": ("medium risk", "warn"),
    "high": ("high risk", "bad"),
}
DECISION_WORDS = {
    "approve": "approved and sent",
    "edit": "edited the draft",
    "escalate": "escalated",
    "ask_customer": "asked the customer",
    "refuse": "refused",
    "reject": "rejected the draft",
    "undo": "took it back",
    "resolve": "resolved",
}
ACTION_WORDS: dict[str, tuple[str, str]] = {
    # state → (words, tone)
    "confirmed": ("confirmed, about to run", "accent"),
    "running": ("running", "accent"),
    "done": ("✔ done", "good"),
    "failed": ("✖ failed", "bad"),
    "unknown": ("? outcome unknown", "bad"),
    "declined": ("declined", ""),
    "taken_back": ("taken back", ""),
}
REASON_WORDS = {
    "insufficient_evidence": "not enough evidence",
    "conflicting_sources": "sources disagree",
    "policy_exception": "needs an exception",
    "legal_or_safety": "legal or safety",
    "customer_request": "customer asked for it",
    "high_value": "high value",
    "stage_failure": "the co-pilot failed",
    "other": "something else",
}

ADVICE_WORDS = {
    "reply": "send the reply",
    "ask_customer": "ask the customer",
    "refuse": "refuse",
    "escalate": "escalate",
}
GROUND_WORDS = {
    "policy_forbids": "the policy forbids it",
    "condition_not_met": "a condition is not met",
    "condition_unverified": "a condition is not verified",
    "approval_missing": "an approval is missing",
    "goodwill_beyond_policy": "more than the policy gives",
    "legal_or_safety": "legal or safety",
    "no_winner": "the sources disagree",
    "low_coverage_high_risk": "high risk, thin evidence",
    "repeated_contact": "a repeated contact",
    "customer_asks_for_a_person": "the customer asks for a person",
    "high_value": "a large sum",
    "stage_failure": "the co-pilot failed",
}


def ago(at: datetime, now: datetime) -> str:
    """How long ago, in one unit: "12 s", "4 min", "2 h", "3 days"."""
    return span((now - at).total_seconds())


def span(seconds: float) -> str:
    """A length of time in one unit."""
    s = max(0, int(seconds))
    if s < 1:
        return "a moment"
    if s < 60:
        return f"{s} s"
    if s < 3600:
        return f"{s // 60} min"
    if s < 48 * 3600:
        return f"{s // 3600} h"
    return f"{s // 86400} days"


def exact(at: datetime) -> str:
    """The full date and time in UTC, for the hover."""
    return at.astimezone(UTC).strftime("%-d %B %Y, %H:%M UTC")


def clock(at: datetime) -> str:
    """Hour and minute, in UTC."""
    return at.astimezone(UTC).strftime("%H:%M UTC")


def count(number: int, one: str, many: str = "") -> str:
    """``3 messages``, ``1 message``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def spoken(value: str) -> str:
    """An identifier as words: ``official_policy`` becomes ``official policy``."""
    return value.replace("_", " ")


def opened_words(items: Sequence[str]) -> str:
    """What was opened before a decision: "conflict 1, the values of sentences 1 and 2"."""
    kinds: dict[str, list[str]] = {}
    for item in items:
        name, _, rest = item.rpartition(":")
        digits = re.sub(r"\D", "", rest).lstrip("0")
        kinds.setdefault(_OPENED.get(name or rest[:1].upper(), "item"), []).append(digits or rest)
    said = [f"{kind} {', '.join(numbers)}" for kind, numbers in kinds.items()]
    return "; ".join(said) or "nothing"


_OPENED = {
    "C": "conflict",
    "E": "passage",
    "value": "the values of sentence",
    "stale": "the warning on passage",
}
