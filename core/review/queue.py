"""The queue: which cases wait, the riskiest and longest waiting first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.models.base import Model
from core.models.review import Case, CaseState, Lease
from core.review.access import current_draft, require
from core.review.rules import OPEN_STATES
from core.review.store import ReviewTransaction
from core.review.views import QueueRow
from core.review.workplace import Workplace

_RISK = {"high": 0, "medium": 1, "low": 2}


class QueueCounts(Model):
    """Cases this user holds, cases open to everyone, and those that came back to be done again."""

    mine: int
    open: int
    back: int


def queue(
    place: Workplace,
    *,
    channel: str | None = None,
    risk: str | None = None,
    states: Sequence[CaseState] | None = None,
    search: str = "",
) -> tuple[QueueRow, ...]:
    """Cases of the user's company that match every given filter; open ones by default."""
    require(place.context, "review", "supervise", "administer")
    with place.store.read() as txn:
        cases = txn.cases(place.context.tenant_id, states or OPEN_STATES)
        leases = txn.leases(place.context.tenant_id)
        back = _came_back(place, txn)
        wanted = [
            case
            for case in cases
            if (channel is None or case.channel == channel)
            and (risk is None or case.risk == risk)
            and _mentions(case, search)
        ]
        wanted.sort(key=lambda case: (_RISK[case.risk], waiting_since(case), case.case_id))
        return tuple(_row(place, txn, case, leases.get(case.case_id), back) for case in wanted)


def counts(place: Workplace) -> QueueCounts:
    """What stands above the queue."""
    require(place.context, "review", "supervise", "administer")
    with place.store.read() as txn:
        cases = txn.cases(place.context.tenant_id, OPEN_STATES)
        leases = txn.leases(place.context.tenant_id)
        back = _came_back(place, txn)
    ids = [case.case_id for case in cases]
    return QueueCounts(
        mine=sum(place.mine(leases.get(case_id)) for case_id in ids),
        open=len(ids),
        back=sum(case_id in back for case_id in ids),
    )


def _came_back(place: Workplace, txn: ReviewTransaction) -> dict[str, str]:
    """Cases that were decided once and are open again, with the word for why."""
    tenant = place.context.tenant_id
    back = {item.case_id: "not sent" for item in txn.outbox(tenant_id=tenant, states=("failed",))}
    for state, word in (("returned", "sent back"), ("resolved", "answered")):
        back |= {item.case_id: word for item in txn.escalations(tenant, state)}
    return back


def waiting_since(case: Case) -> datetime:
    """Since when the customer waits: their first message nobody answered, else the case's start."""
    waiting: datetime | None = None
    for message in case.messages:
        if message.author == "agent":
            waiting = None
        elif message.author == "customer" and waiting is None:
            waiting = message.at
    return waiting or case.opened_at


def _mentions(case: Case, search: str) -> bool:
    words = search.casefold().split()
    if not words:
        return True
    held = " ".join(
        (
            case.case_id,
            case.subject,
            case.customer_name or "",
            case.customer_id or "",
            *(message.body for message in case.messages),
            *case.fields.values(),
        )
    ).casefold()
    return all(word.lstrip("#") in held for word in words)


def _row(
    place: Workplace, txn: ReviewTransaction, case: Case, lease: Lease | None, back: dict[str, str]
) -> QueueRow:
    held = lease if place.active(lease) else None
    warning = back.get(case.case_id, "")
    if not warning and case.state != "new":
        draft = current_draft(txn.drafts(case.case_id))
        warning = draft.warning if draft else ""
    return QueueRow(
        case_id=case.case_id,
        subject=case.subject,
        customer=case.customer_name or case.customer_id or "unknown",
        channel=case.channel,
        risk=case.risk,
        state=case.state,
        waiting_since=waiting_since(case),
        held_by=held.user_name if held else None,
        mine=place.mine(lease),
        warning=warning,
    )
