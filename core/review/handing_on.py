"""Decisions that send nothing: escalate, reject the draft, and taking a decision back in time."""

from __future__ import annotations

from datetime import timedelta
from typing import get_args

from core.errors import BadInput, InvalidTransition, NotAllowed, NotReady
from core.models.review import Case, Disposition, DraftVersion, Escalation, EscalationReason
from core.review.access import case_in, given, require
from core.review.advised import advised_beside
from core.review.dispatch import decide
from core.review.drafting import current, run_of
from core.review.facts import suggested_owner
from core.review.present import case_view
from core.review.rules import moved
from core.review.store import ReviewTransaction
from core.review.views import CaseView
from core.review.workplace import Workplace, same_version


def escalate(
    place: Workplace,
    case_id: str,
    *,
    reason: EscalationReason,
    to: str = "",
    missing: str = "",
    note: str = "",
    case_version: int,
) -> CaseView:
    """Hand the case on with its packet: draft and run are named, so the receiver sees them as is.

    ``to`` defaults to whoever the evidence points at. The clock of the escalation follows the risk.
    """
    require(place.context, "review")
    if reason not in get_args(EscalationReason):
        choices = ", ".join(get_args(EscalationReason))
        raise BadInput(f"{reason!r} is no reason to escalate. Choose one of: {choices}.")
    with place.store.read() as txn:
        draft = current(txn, case_in(txn, place.context, case_id).case_id)
    run = run_of(place, draft)
    to = to.strip() or (suggested_owner(run, draft) if run else "") or place.rules.escalate_to
    with place.store.write() as txn:
        case = case_in(txn, place.context, case_id)
        changed = moved(case, "escalate", place.clock.now())
        same_version(case, case_version)
        lease = place.hold(txn, case)
        draft = current(txn, case_id)
        decision = decide(
            place, txn, case, lease, draft, "escalate", reason=reason, note=note, to=to
        )
        escalation = _raised(place, case, draft, reason=reason, to=to, missing=missing, note=note)
        txn.add_escalation(escalation)
        txn.save_case(changed, expected_version=case_version)
        txn.drop_lease(case_id)
        place.note(
            txn,
            case,
            "case.escalated",
            disposition_id=decision.disposition_id,
            escalation_id=escalation.escalation_id,
            reason=reason,
            to=to,
            missing=missing,
            due_at=escalation.due_at,
            draft_id=escalation.draft_id,
            state=changed.state,
            **advised_beside(run, "escalate"),
        )
    return case_view(place, case_id)


def _raised(
    place: Workplace,
    case: Case,
    draft: DraftVersion | None,
    *,
    reason: EscalationReason,
    to: str,
    missing: str,
    note: str,
) -> Escalation:
    """The packet that goes along, due by the risk of its case."""
    hours = place.rules.escalation_hours.get(case.risk, 24)
    now = place.clock.now()
    return Escalation(
        escalation_id=place.ids.new("escalation"),
        case_id=case.case_id,
        reason=reason,
        missing=missing,
        note=note,
        raised_by=place.user.user_id,
        assigned_to=to,
        raised_at=now,
        due_at=now + timedelta(hours=hours),
        draft_id=draft.draft_id if draft else None,
        trace_id=draft.trace_id if draft else None,
    )


def reject(place: Workplace, case_id: str, *, reason: str, case_version: int) -> CaseView:
    """The draft is of no use: the case is new again, and the next to open it gets a fresh draft."""
    require(place.context, "review")
    reason = given(reason, "what is wrong with the draft")
    with place.store.write() as txn:
        case = case_in(txn, place.context, case_id)
        changed = moved(case, "reject", place.clock.now())
        same_version(case, case_version)
        lease = place.hold(txn, case)
        draft = current(txn, case_id)
        decision = decide(place, txn, case, lease, draft, "reject", reason=reason)
        rejected = txn.save_case(changed, expected_version=case_version)
        place.note(
            txn,
            case,
            "case.rejected",
            disposition_id=decision.disposition_id,
            draft_id=decision.draft_id,
            reason=reason,
            state=rejected.state,
        )
        renewed = txn.save_case(
            moved(rejected, "renew", place.clock.now()), expected_version=rejected.version
        )
        place.note(txn, case, "case.renewed", state=renewed.state)
        txn.drop_lease(case_id)
    return case_view(place, case_id)


def undo(place: Workplace, case_id: str) -> CaseView:
    """Take the last decision back while its reply has not left: back to review, with the lease.

    Raises ``InvalidTransition`` once the window has closed or the delivery has begun,
    ``NotAllowed`` for somebody else's decision.
    """
    require(place.context, "send")
    with place.store.write() as txn:
        case = case_in(txn, place.context, case_id)
        changed = moved(case, "undo", place.clock.now())
        undone = _take_back(place, txn, case)
        txn.save_case(changed, expected_version=case.version)
        lease = place.hold(txn, case)
        decision = decide(place, txn, case, lease, current(txn, case_id), "undo")
        place.note(
            txn,
            case,
            "case.decision_undone",
            disposition_id=decision.disposition_id,
            undone=undone.disposition_id,
            undone_kind=undone.kind,
            state=changed.state,
        )
    return case_view(place, case_id)


def _take_back(place: Workplace, txn: ReviewTransaction, case: Case) -> Disposition:
    items = txn.outbox(case_id=case.case_id)
    item = items[-1] if items else None
    if item is None:
        raise NotReady("There is nothing to take back.")
    decision = txn.disposition(item.disposition_id)
    if decision is None or decision.by != place.user.user_id:
        raise NotAllowed("Only the person who decided can take a decision back.")
    ends = item.created_at + timedelta(seconds=place.rules.undo_seconds)
    if item.state != "pending" or item.attempts or place.clock.now() >= ends:
        raise InvalidTransition("The reply is on its way; it is too late to take it back.")
    txn.save_outbox(item.model_copy(update={"state": "cancelled"}), expected_state="pending")
    return decision
