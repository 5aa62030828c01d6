"""Grounds that lie in the case itself: words of alarm, a repeated contact, a large sum."""

# ruff: noqa: E501 - word lists and patterns read better unbroken
from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from core.models.advice import AdviceGround, AdviceLimits, GroundKind
from core.models.evidence import Evidence
from core.models.request import UserRequest
from core.models.review import Case
from core.text.alarms import AlarmKind, alarms
from core.text.quantities import find_quantities
from core.text.restrictions import clauses

_LONGEST = 6000
"""Characters of what a customer wrote that are looked at, the latest."""
ROWS = ("record", "case_file")
"""Where facts come from rather than rules."""
OF_OTHERS = re.compile(
    r"\b(?:a|the|this|our|any) (?:customer|client|caller|user|buyer)\b|客户|顾客", re.I
)
_ALARM: dict[AlarmKind, tuple[GroundKind, str, str]] = {
    "safety": (
        "legal_or_safety",
        "safety team",
        "The customer reports an injury or a danger: “{}”.",
    ),
    "legal": ("legal_or_safety", "supervisor", "The customer speaks of legal steps: “{}”."),
    "privacy": (
        "legal_or_safety",
        "security and privacy team",
        "The customer reports misuse of an account or of data: “{}”.",
    ),
    "press": ("legal_or_safety", "press office", "The question comes from the press: “{}”."),
    "person": (
        "customer_asks_for_a_person",
        "supervisor",
        "The customer asks for a person to decide: “{}”.",
    ),
    "exception": (
        "goodwill_beyond_policy",
        "supervisor",
        "The customer asks for more than the policy gives: “{}”. That is a judgement call.",
    ),
}
_SUBJECT: dict[AlarmKind, re.Pattern[str]] = {
    "safety": re.compile(r"\binjur|\bfire\b|\bsafety\b|受伤|安全", re.I),
    "legal": re.compile(r"\blegal\b|\blawyer|\bcourt\b|法律|律师", re.I),
    "privacy": re.compile(
        r"\bfraud|\bunauthori[sz]ed\b|\bdid not place\b|\bsecurity team\b|\btaken over\b", re.I
    ),
    "press": re.compile(r"\bjournalist|\bpress\b|记者", re.I),
    "exception": re.compile(r"\bexception\b|\bgoodwill\b|例外", re.I),
}
_MONEY = re.compile(r"\b(?:refund|money|reimburs|compensat|\$)|退款|退钱|赔", re.I)


class WeighedGround(NamedTuple):
    """A ground, who should have the case, what they must supply, and whether the customer can."""

    ground: AdviceGround
    to: str = ""
    missing: str = ""
    asks: bool = False


def said_by_customer(request: UserRequest, case: Case | None) -> str:
    """Everything the customer wrote, the latest last."""
    earlier = [t.text for t in request.history if t.role == "customer"]
    written = [m.body for m in case.messages if m.author == "customer"] if case else []
    return "\n".join(dict.fromkeys((*earlier, *written, request.raw_query)))[-_LONGEST:]


def case_facts(case: Case | None) -> str:
    """The case's own fields as sentences; empty without a case."""
    if case is None:
        return ""
    return " ".join(f"{name.replace('_', ' ')}: {value}." for name, value in case.fields.items())


def alarm_grounds(
    said: str,
    evidence: Sequence[Evidence],
    case: Case | None,
    request: UserRequest,
    limits: AdviceLimits,
) -> list[WeighedGround]:
    """What the customer's words raise, with the rule that says who takes over where there is one."""
    if OF_OTHERS.search(said):
        return []
    found: list[WeighedGround] = []
    for alarm in alarms(said):
        if alarm.kind == "again":
            found += _repeated(alarm.words, case, request, limits)
            continue
        kind, to, words = _ALARM[alarm.kind]
        clause = _clause_on(alarm.kind, evidence)
        found.append(
            WeighedGround(
                AdviceGround(
                    kind=kind,
                    words=words.format(alarm.words),
                    evidence_id=clause[0] if clause else None,
                    quote=clause[1] if clause else "",
                ),
                clause[2] if clause and clause[2] else to,
            )
        )
    return found


def _clause_on(kind: AlarmKind, evidence: Sequence[Evidence]) -> tuple[str, str, str] | None:
    """The rule that says who takes over: evidence id, exact words, and who."""
    subject = _SUBJECT.get(kind)
    for item in evidence:
        if subject is None or item.candidate.retrieval_source in ROWS:
            continue
        for rule in clauses(item.candidate.text, " ".join(item.candidate.heading_path[-2:])):
            if rule.force == "needs_approval" and subject.search(rule.text):
                return item.evidence_id, rule.text, rule.approver
    return None


def _repeated(
    words: str, case: Case | None, request: UserRequest, limits: AdviceLimits
) -> list[WeighedGround]:
    if case is None:
        written = 1 + sum(t.role == "customer" for t in request.history)
    else:
        written = sum(
            m.author == "customer" and (case.updated_at - m.at).days <= limits.within_days
            for m in case.messages
        )
    if written < limits.repeated_contacts - 1:
        return []
    said = f"The customer had to come back: “{words}”, {written} messages on this case."
    return [WeighedGround(AdviceGround(kind="repeated_contact", words=said), "supervisor")]


def sum_grounds(said: str, records: str, limits: AdviceLimits) -> list[WeighedGround]:
    """A sum above the limit, where money is what the customer wants."""
    if not _MONEY.search(said):
        return []
    sums = [q.value for q in find_quantities(f"{said} {records}") if q.unit == "USD"]
    highest = max(sums, default=Decimal(0))
    if highest <= limits.high_value:
        return []
    words = f"It is about ${highest:,.2f}, more than the ${limits.high_value:,.0f} that is routine."
    return [WeighedGround(AdviceGround(kind="high_value", words=words), "supervisor")]
