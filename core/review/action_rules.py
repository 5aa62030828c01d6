"""Who may decide on a proposed action, when, and up to which amount."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from core.errors import (
    Conflicted,
    InvalidTransition,
    LeaseHeld,
    NotAllowed,
    NotFound,
    NotReady,
    StaleVersion,
)
from core.models.action import ActionProposal, ActionRecord, ActionState
from core.models.review import Case, DraftVersion
from core.review.access import case_in, given
from core.review.action_arguments import beyond_bound
from core.review.drafting import current, run_of
from core.review.rules import REVIEW_STATES, state_words
from core.review.store import ReviewTransaction
from core.review.workplace import Workplace
from core.text.refund_due import amount

_UNDER_WAY: tuple[ActionState, ...] = ("confirmed", "running", "done", "unknown")
STATE_WORDS: Mapping[ActionState, str] = {
    "confirmed": "confirmed",
    "running": "being carried out",
    "done": "done",
    "failed": "failed",
    "unknown": "waiting for somebody to say whether it was done",
    "declined": "declined",
    "taken_back": "taken back",
}


class Proposed(NamedTuple):
    """A proposal with the draft that shows it and what was decided on it before."""

    case: Case
    draft: DraftVersion
    proposal: ActionProposal
    decided: ActionRecord | None


def proposed(
    place: Workplace, txn: ReviewTransaction, case_id: str, proposal_id: str, trace_id: str
) -> Proposed:
    """The proposal as the current draft's run holds it.

    Raises ``StaleVersion`` unless that is the run ``trace_id``, which the caller read.
    """
    case = case_in(txn, place.context, case_id)
    draft = current(txn, case_id)
    if draft is not None and draft.trace_id != trace_id:
        raise StaleVersion("A newer draft was made since you read this. Look at it, then decide.")
    run = run_of(place, draft)
    for proposal in run.proposals if run else ():
        if draft is not None and proposal.proposal_id == proposal_id:
            return Proposed(case, draft, proposal, txn.action(case.tenant_id, proposal_id))
    raise NotFound(f"The draft of case {case_id} proposes no action {proposal_id!r}.")


def is_repeat(place: Workplace, decided: ActionRecord | None, final: Mapping[str, str]) -> bool:
    """A second click: the same person, the same arguments, already under way."""
    return (
        decided is not None
        and decided.state in _UNDER_WAY
        and decided.by == place.user.user_id
        and decided.arguments == dict(final)
    )


def may_decide(found: Proposed) -> None:
    """Raise ``Conflicted`` in its kinds unless the proposal is open, as the caller saw it."""
    if found.case.state not in REVIEW_STATES:
        raise InvalidTransition(
            f"Case {found.case.case_id} is {state_words(found.case.state)}; "
            "actions are decided on while it is in review."
        )
    decided = found.decided
    if decided is None:
        return
    if decided.state in _UNDER_WAY:
        raise Conflicted(
            f"{decided.by_name} confirmed this for case {decided.case_id} at "
            f"{decided.at:%H:%M} UTC; it is {STATE_WORDS[decided.state]}."
        )
    if decided.state == "declined" and decided.trace_id == found.draft.trace_id:
        raise InvalidTransition(
            f"{decided.by_name} declined this: {decided.reason} Draft again to have it proposed "
            "anew."
        )


def allowed_amount(
    place: Workplace, proposal: ActionProposal, final: Mapping[str, str], override_reason: str
) -> str:
    """The reason for passing the bound, empty where it is kept. Raises ``NotAllowed``."""
    over = beyond_bound(proposal, final)
    limit = place.rules.refund_supervisor_above
    paid = amount(final.get("amount", "")) if proposal.moves_money else None
    supervises = "supervise" in place.context.actions
    if paid is not None and paid > limit and not supervises:
        raise NotAllowed(
            f"A refund of more than {limit:.2f} needs a supervisor. Escalate the case."
        )
    if not over:
        return ""
    if not supervises:
        raise NotAllowed(f"{over}. Give less, or escalate the case to a supervisor.")
    return given(override_reason, f"why this is right, although {over}")


def hold_lease(place: Workplace, txn: ReviewTransaction, case: Case) -> None:
    """Renew the lease the user must have; opening the case takes it, deciding does not."""
    lease = txn.lease(case.case_id)
    if lease is not None and place.active(lease) and not place.mine(lease):
        raise LeaseHeld(
            f"{lease.user_name} is working on case {case.case_id} "
            f"until {lease.expires_at:%H:%M} UTC.",
            holder=lease.user_name,
            until=lease.expires_at.isoformat(),
        )
    if not place.mine(lease):
        raise NotReady("The case is not yours to decide on.", ("Open the case first.",))
    place.hold(txn, case)
