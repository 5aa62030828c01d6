"""What a reviewer decides on a proposed action: confirm, decline, take back, settle.

Approving a reply confirms no action, and confirming one approves nothing. Each decision is one
transaction with its audit event; the ``ActionRunner`` carries out what was confirmed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import timedelta

from core.errors import InvalidTransition, NotAllowed, NotFound, NotReady
from core.models.action import ActionRecord, ActionState
from core.models.review import Case
from core.review.access import case_in, given, require
from core.review.action_arguments import final_arguments
from core.review.action_rules import (
    STATE_WORDS,
    Proposed,
    allowed_amount,
    hold_lease,
    is_repeat,
    may_decide,
    proposed,
)
from core.review.present import case_view
from core.review.store import ReviewTransaction
from core.review.views import CaseView
from core.review.workplace import Workplace


def confirm(
    place: Workplace,
    case_id: str,
    *,
    proposal_id: str,
    trace_id: str,
    arguments: Mapping[str, str] | None = None,
    override_reason: str = "",
) -> CaseView:
    """Have a proposal carried out, with ``arguments`` in place of the proposed ones.

    ``trace_id`` is the run that the caller saw it in. Confirming what one has confirmed with the
    same arguments changes nothing. Raises ``StaleVersion`` when a newer draft was made,
    ``LeaseHeld`` or ``NotReady`` without the case's lease, ``Conflicted`` when it was decided on,
    ``BadInput`` for an argument, ``NotAllowed`` for what needs a supervisor, ``NotReady`` when the
    records no longer bear it.
    """
    require(place.context, "review")
    found = _read(place, case_id, proposal_id, trace_id)
    final = final_arguments(found.proposal, arguments or {})
    if is_repeat(place, found.decided, final):
        return case_view(place, case_id)
    may_decide(found)
    reason = allowed_amount(place, found.proposal, final, override_reason)
    if why := place.still_borne(place.context, found.proposal.tool, final, case_id):
        raise NotReady("The records do not bear this any more.", (why,))
    with place.store.write() as txn:
        now = proposed(place, txn, case_id, proposal_id, trace_id)
        if is_repeat(place, now.decided, final):
            return case_view(place, case_id)
        may_decide(now)
        hold_lease(place, txn, now.case)
        record = _store(place, txn, now, "confirmed", final, override_reason=reason)
        _note(
            place,
            txn,
            now.case,
            record,
            "action.confirmed",
            arguments=final,
            proposed=now.proposal.arguments,
            override_reason=reason,
            idempotency_key=record.idempotency_key,
            runs_after=record.not_before,
        )
    return case_view(place, case_id)


def decline(
    place: Workplace, case_id: str, *, proposal_id: str, trace_id: str, reason: str
) -> CaseView:
    """Say that a proposal is not to be carried out; it may be proposed again by a newer draft."""
    require(place.context, "review")
    reason = given(reason, "why this is not to be done")
    with place.store.write() as txn:
        found = proposed(place, txn, case_id, proposal_id, trace_id)
        may_decide(found)
        hold_lease(place, txn, found.case)
        record = _store(place, txn, found, "declined", found.proposal.arguments, reason=reason)
        _note(place, txn, found.case, record, "action.declined", reason=reason)
    return case_view(place, case_id)


def take_back(place: Workplace, case_id: str, *, proposal_id: str) -> CaseView:
    """Take one's own confirmation back before it runs; ``InvalidTransition`` when too late."""
    require(place.context, "review")
    with place.store.write() as txn:
        case, record = _decided(place, txn, case_id, proposal_id)
        if record.by != place.user.user_id:
            raise NotAllowed("Only the person who confirmed can take it back.")
        if record.state != "confirmed" or record.attempts or not _in_window(place, record):
            raise InvalidTransition(
                f"“{record.proposal.title}” is {STATE_WORDS[record.state]}; "
                "it is too late to take it back."
            )
        back = record.model_copy(update={"state": "taken_back"})
        txn.save_action(back, expected_state="confirmed")
        _note(place, txn, case, back, "action.taken_back")
    return case_view(place, case_id)


def settle(place: Workplace, case_id: str, *, proposal_id: str, done: bool, note: str) -> CaseView:
    """Say of an action whose outcome nobody knew whether it was done, after looking it up."""
    require(place.context, "supervise")
    note = given(note, "where you looked and what you found")
    with place.store.write() as txn:
        case, record = _decided(place, txn, case_id, proposal_id)
        if record.state != "unknown":
            raise InvalidTransition(f"“{record.proposal.title}” is {STATE_WORDS[record.state]}.")
        settled = record.model_copy(
            update={
                "state": "done" if done else "failed",
                "settled_at": place.clock.now(),
                "receipt": f"{place.user.name}: {note}" if done else "",
                "error": "" if done else f"{place.user.name}: {note}",
            }
        )
        txn.save_action(settled, expected_state="unknown")
        _note(place, txn, case, settled, "action.settled", note=note)
    return case_view(place, case_id)


def _read(place: Workplace, case_id: str, proposal_id: str, trace_id: str) -> Proposed:
    with place.store.read() as txn:
        return proposed(place, txn, case_id, proposal_id, trace_id)


def _decided(
    place: Workplace, txn: ReviewTransaction, case_id: str, proposal_id: str
) -> tuple[Case, ActionRecord]:
    case = case_in(txn, place.context, case_id)
    record = txn.action(case.tenant_id, proposal_id)
    if record is None or record.case_id != case_id:
        raise NotFound(f"Nobody has decided on an action {proposal_id!r} of case {case_id}.")
    return case, record


def _store(
    place: Workplace,
    txn: ReviewTransaction,
    found: Proposed,
    state: ActionState,
    arguments: Mapping[str, str],
    *,
    reason: str = "",
    override_reason: str = "",
) -> ActionRecord:
    now = place.clock.now()
    record = ActionRecord(
        proposal=found.proposal,
        tenant_id=found.case.tenant_id,
        case_id=found.case.case_id,
        draft_id=found.draft.draft_id,
        trace_id=found.draft.trace_id,
        arguments=dict(arguments),
        state=state,
        by=place.user.user_id,
        by_name=place.user.name,
        at=now,
        not_before=now + timedelta(seconds=place.rules.undo_seconds),
        idempotency_key=_key(found.case.tenant_id, found.proposal.proposal_id),
        reason=reason,
        override_reason=override_reason,
    )
    if found.decided is None:
        txn.add_action(record)
        return record
    return txn.save_action(record, expected_state=found.decided.state)


def _key(tenant_id: str, proposal_id: str) -> str:
    """One key for one matter, however often it is tried: a tool does nothing twice under it."""
    return hashlib.sha256(f"{tenant_id}\n{proposal_id}".encode()).hexdigest()


def _in_window(place: Workplace, record: ActionRecord) -> bool:
    return place.clock.now() < record.not_before


def _note(
    place: Workplace,
    txn: ReviewTransaction,
    case: Case,
    record: ActionRecord,
    kind: str,
    **more: object,
) -> None:
    place.note(
        txn,
        case,
        kind,
        proposal_id=record.proposal_id,
        tool=record.proposal.tool,
        draft_id=record.draft_id,
        trace_id=record.trace_id,
        state=record.state,
        **more,
    )
