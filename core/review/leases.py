"""Opening, letting go of and taking over a case, so that two people do not answer it."""

from __future__ import annotations

from core.errors import InvalidTransition, NotAllowed, StaleVersion
from core.models.review import Case
from core.review.access import case_in, require
from core.review.drafting import begin_review, current, new_draft, run_of
from core.review.present import TAKEN_OVER, case_view
from core.review.rules import OPEN_STATES, state_words
from core.review.views import CaseView
from core.review.workplace import Workplace


def open_case(place: Workplace, case_id: str) -> CaseView:
    """Take the case if it is free, draft when there is no draft this user may see, begin review.

    Somebody else's case, or one nobody has anything to do on, is shown read-only.
    """
    require(place.context, "review")
    with place.store.write() as txn:
        case = case_in(txn, place.context, case_id)
        lease = txn.lease(case_id)
        if case.state not in OPEN_STATES or (place.active(lease) and not place.mine(lease)):
            taken = False
        else:
            place.hold(txn, case)
            taken = True
    if taken:
        _begin(place, case)
    return case_view(place, case_id)


def _begin(place: Workplace, case: Case) -> None:
    with place.store.read() as txn:
        draft = current(txn, case.case_id)
    if case.state == "new" or draft is None or run_of(place, draft) is None:
        try:
            new_draft(place, case, reason="opened")
        except StaleVersion:
            return  # another session of the same person was quicker; its draft is shown
    elif case.state == "drafted":
        with place.store.write() as txn:
            stored = case_in(txn, place.context, case.case_id)
            if stored.state == "drafted":
                begin_review(place, txn, stored)


def release(place: Workplace, case_id: str) -> None:
    """Let the case go. Somebody else's lease stays as it is."""
    require(place.context, "review")
    with place.store.write() as txn:
        case = case_in(txn, place.context, case_id)
        lease = txn.lease(case_id)
        if lease is not None and lease.user_id == place.user.user_id:
            txn.drop_lease(case_id)
            place.note(txn, case, "case.lease_released")


def take_over(place: Workplace, case_id: str) -> CaseView:
    """Take the case from whoever has it; audited, and said to them.

    An expired or free lease anybody may take; one that still holds needs ``take_over_lease``.
    """
    require(place.context, "review")
    with place.store.write() as txn:
        case = case_in(txn, place.context, case_id)
        if case.state not in OPEN_STATES:
            raise InvalidTransition(
                f"Case {case_id} is {state_words(case.state)}; there is nothing to take over."
            )
        lease = txn.lease(case_id)
        if lease is not None and lease.user_id != place.user.user_id:
            if place.active(lease):
                _may_take_over(place, lease.user_name)
            txn.drop_lease(case_id)
            place.note(
                txn, case, TAKEN_OVER, **{"from": lease.user_id, "held_until": lease.expires_at}
            )
        place.hold(txn, case)
    return open_case(place, case_id)


def _may_take_over(place: Workplace, holder: str) -> None:
    if "take_over_lease" not in place.context.actions:
        raise NotAllowed(
            f"{holder} is working on this case. Ask them to let it go, or wait until it is free."
        )
