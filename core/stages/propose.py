"""Which tools that write fit this case: proposals beside the draft, run by nobody but a reviewer.

A proposal follows from the company's record of the customer's own order and from a policy (or a
calculation) among the accepted evidence. Nobody's words make one: neither the customer's nor those
of a passage enter any argument.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from core.models.access import SecurityContext
from core.models.action import ActionParameter, ActionProposal
from core.models.advice import GroundKind, HandlingAdvice
from core.models.draft import GroundedAnswer
from core.models.evidence import Evidence, EvidencePackage
from core.models.review import Case
from core.models.tool import ToolAnswer
from core.text.identifiers import same_customer
from core.text.provenance import day_words
from core.text.refund_basis import Basis, basis_of
from core.text.refund_due import refund_refused

START_REFUND, UPDATE_CASE = "start_refund", "update_case"

_OPEN_MATTER: frozenset[GroundKind] = frozenset(
    (
        "policy_forbids",
        "condition_not_met",
        "condition_unverified",
        "goodwill_beyond_policy",
        "legal_or_safety",
        "no_winner",
        "low_coverage_high_risk",
        "stage_failure",
    )
)
"""Grounds on which nothing is paid before somebody has decided the matter."""

_FIELDS = (("orders", "order", "order_number"), ("customers", "membership", "tier"))
"""Table of the record, field of the case that names it, column it is read from."""

CASE_FIELDS = tuple(field for _, field, _ in _FIELDS)
"""The case's fields that a tool may write. None of them steers who may read what."""


WorkOut = Callable[[str], ToolAnswer | None]
"""Works the refund of an order out by its number, as the read tool does."""


def not_worked_out(_order: str) -> None:
    """Without a tool the amount is left to the reviewer, bounded by what the order cost."""


def propose(
    context: SecurityContext,
    package: EvidencePackage,
    answer: GroundedAnswer,
    *,
    case: Case | None,
    advice: HandlingAdvice | None = None,
    work_out: WorkOut = not_worked_out,
) -> tuple[ActionProposal, ...]:
    """The changes that the evidence bears, for a person who may review the case; else none.

    ``work_out`` calculates the refund of an order that came back and was not paid for.
    """
    if case is None or "review" not in context.actions or case.tenant_id != context.tenant_id:
        return ()
    if answer.status in ("refused", "escalated"):
        return ()
    records = tuple(_own_records(package, case))
    proposals = [*_fields(case, records)]
    if answer.status == "answered" and not _open_matter(advice):
        proposals += _refunds(package, records, work_out)
    return tuple(proposals)


def _open_matter(advice: HandlingAdvice | None) -> bool:
    if advice is None:
        return False
    return advice.outcome == "refuse" or any(g.kind in _OPEN_MATTER for g in advice.grounds)


def _own_records(package: EvidencePackage, case: Case) -> Iterator[Evidence]:
    """Accepted rows of the company's records that are this case's customer's own."""
    for item in package.selected_evidence:
        row = item.candidate
        looked_up = row.retrieval_source == "record" and row.authority == "case_record"
        if not looked_up or row.calculation is not None or row.tenant_id != case.tenant_id:
            continue
        if same_customer(case.customer_id, row.metadata.get("customer_id")):
            yield item


def _table(item: Evidence) -> str:
    return item.candidate.source_id.removeprefix("records:")


# -- a refund -------------------------------------------------------------------------------------


def _refunds(
    package: EvidencePackage, records: Sequence[Evidence], work_out: WorkOut
) -> Iterator[ActionProposal]:
    for item in records:
        row = item.candidate.metadata
        if _table(item) != "orders" or refund_refused(row):
            continue
        basis = basis_of(item, package, work_out(row["order_number"]))
        if basis is not None:
            yield _refund(item, basis)


def _refund(order: Evidence, basis: Basis) -> ActionProposal:
    row = order.candidate.metadata
    number, currency = row["order_number"], row.get("currency") or "USD"
    shown = f"{basis.most:.2f} {currency}"
    payment = row.get("payment") or "the original payment method"
    preview = f"{shown} is paid back to {payment} for order {number}."
    if basis.due is None:
        preview = f"Up to {shown} is paid back to {payment} for order {number}; you say how much."
    arguments = {
        "order_id": number,
        "amount": f"{basis.due:.2f}" if basis.due is not None else "",
        "currency": currency,
        "reason": "return received",
    }
    rules = " and ".join(f"“{title}”" for title in basis.rules)
    open_points = f" Not known: {'; '.join(basis.unknown)}." if basis.unknown else ""
    return ActionProposal(
        proposal_id=_id(START_REFUND, number, row["returned_on"]),
        tool=START_REFUND,
        title=f"Refund of order {number}",
        arguments=arguments,
        preview=preview,
        reason=(
            f"The return came in on {_day(row['returned_on'])} and no refund was paid, says the "
            f"record. It is due by {rules}.{open_points}"
        ),
        evidence_ids=(order.evidence_id, *basis.evidence_ids),
        steps=basis.steps,
        parameters=_refund_parameters(f"{basis.most:.2f}", row["total"], currency),
        moves_money=True,
    )


def _day(iso: str) -> str:
    return day_words(date.fromisoformat(iso), "en")


def _refund_parameters(maximum: str, total: str, currency: str) -> tuple[ActionParameter, ...]:
    return (
        ActionParameter(name="order_id", label="Order", editable=False),
        ActionParameter(
            name="amount",
            label="Amount",
            kind="money",
            maximum=maximum,
            ceiling=total,
            unit=currency,
        ),
        ActionParameter(name="currency", label="Currency", editable=False),
        ActionParameter(name="reason", label="Reason", max_chars=200),
    )


# -- a field of the case --------------------------------------------------------------------------


def _fields(case: Case, records: Sequence[Evidence]) -> Iterator[ActionProposal]:
    """Fields of the case that are empty though exactly one record says what belongs there."""
    for table, field, column in _FIELDS:
        rows = [item for item in records if _table(item) == table]
        if len(rows) != 1 or case.fields.get(field, "").strip():
            continue
        value = rows[0].candidate.metadata.get(column, "")
        if value:
            yield _field(case, rows[0], field, value)


def _field(case: Case, item: Evidence, field: str, value: str) -> ActionProposal:
    return ActionProposal(
        proposal_id=_id(UPDATE_CASE, case.case_id, field, value),
        tool=UPDATE_CASE,
        title=f"Note the {field} on the case",
        arguments={"case_id": case.case_id, "field": field, "value": value},
        preview=f"The field “{field}” of case {case.case_id} becomes “{value}”; it is empty now.",
        reason=f"{item.candidate.source_title} is on record for this customer.",
        evidence_ids=(item.evidence_id,),
        parameters=(
            ActionParameter(name="case_id", label="Case", editable=False),
            ActionParameter(name="field", label="Field", editable=False),
            ActionParameter(name="value", label="Value", kind="choice", choices=(value,)),
        ),
    )


def _id(*parts: str) -> str:
    """The same for the same matter, whatever draft or case proposes it."""
    return f"act_{hashlib.sha256(chr(10).join(parts).encode('utf-8')).hexdigest()[:20]}"
