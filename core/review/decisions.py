"""Decisions that send something: approve, ask the customer, refuse.

Each checks the exact text again, then takes effect in one transaction or not at all.
"""

from __future__ import annotations

from core.errors import NotReady, StaleVersion
from core.models.review import Case, DraftVersion, Lease
from core.models.trace import PipelineRun
from core.review.access import case_in, given, reply_text, require
from core.review.cards import conflict_cards
from core.review.checks import (
    Findings,
    compliance_findings,
    draft_findings,
    review_checks,
    text_findings,
    unopened,
)
from core.review.copilot import Rechecked
from core.review.dispatch import decide, dispatch, keep_message
from core.review.drafting import check_text, current, marked, needed_run
from core.review.leaning import freshness_now
from core.review.present import Snapshot, case_view, live_sources, snapshot, unsaved
from core.review.rules import Step, moved, refusal_text
from core.review.store import ReviewTransaction
from core.review.views import CaseView
from core.review.workplace import Workplace, same_version


def approve(
    place: Workplace,
    case_id: str,
    *,
    draft_id: str,
    text_hash: str,
    case_version: int,
    override_reason: str = "",
) -> CaseView:
    """Approve exactly the text with this hash and put it into the outbox.

    Validation and compliance run again first. Raises ``StaleVersion`` when the case, the draft or
    its text moved on, ``LeaseHeld``, and ``NotReady`` with every finding that stands in the way.
    Unverified sentences may be overridden with a reason; contradicted ones and a DENY never.
    """
    require(place.context, "send")
    seen = snapshot(place, case_id)
    moved(seen.case, "approve", place.clock.now())
    same_version(seen.case, case_version)
    draft = _exactly(seen.draft, draft_id, text_hash)
    run = needed_run(place, draft)
    checked = check_text(place, seen.case, run, marked(draft))
    found = _findings(place, seen, draft, run, checked)
    reason = given(override_reason, "why this may go out") if override_reason.strip() else ""
    if found.hard or (found.soft and not reason):
        raise NotReady("This reply cannot be approved yet.", found.words())
    with place.store.write() as txn:
        case = case_in(txn, place.context, case_id)
        changed = moved(case, "approve", place.clock.now())
        same_version(case, case_version)
        lease = place.hold(txn, case)
        _exactly(current(txn, case_id), draft_id, text_hash)
        disposition = decide(place, txn, case, lease, draft, "approve", reason=reason)
        dispatch(place, txn, case, changed, draft, disposition, checked, run, found.soft)
        txn.drop_working_edit(case_id, place.user.user_id)
    return case_view(place, case_id)


def _exactly(draft: DraftVersion | None, draft_id: str, text_hash: str) -> DraftVersion:
    if draft is None or draft.draft_id != draft_id:
        raise StaleVersion(
            "A newer draft was written since you read this one. Look at the newer one, then decide."
        )
    if draft.text_hash != text_hash:
        raise StaleVersion("The text you read is not the text that is stored. Load the case again.")
    return draft


def _findings(
    place: Workplace, seen: Snapshot, draft: DraftVersion, run: PipelineRun, checked: Rechecked
) -> Findings:
    conflicts = conflict_cards(run, seen.opened)
    found = text_findings(draft.text, checked.claims, checked.compliance)
    today = place.clock.now().date()
    warnings = freshness_now(draft, run, today)
    stored = compliance_findings(draft.text, draft.compliance)
    firm = (
        *draft_findings(draft, run, conflicts, live_sources(place, draft, run), today),
        *unsaved(seen.edit, draft),
        *unopened(review_checks(seen.case, draft, conflicts, warnings, seen.opened)),
        *found.hard,
        *stored,
    )
    return Findings(tuple(dict.fromkeys(firm)), found.soft)


def ask_customer(place: Workplace, case_id: str, *, question: str, case_version: int) -> CaseView:
    """Put a question to the customer; checked and delivered like any reply."""
    require(place.context, "send")
    question = reply_text(question, max_chars=place.rules.max_reply_chars)
    seen, base, run = _decidable(place, case_id, "ask_customer", case_version)
    checked = check_text(place, seen.case, run, question)
    found = text_findings(question, checked.claims, checked.compliance)
    if found.words():
        raise NotReady("This question cannot be sent yet.", found.words())
    with place.store.write() as txn:
        case, changed, lease = _still(place, txn, case_id, "ask_customer", case_version)
        draft = keep_message(place, txn, base, question, checked, kind="question")
        disposition = decide(place, txn, case, lease, draft, "ask_customer")
        dispatch(place, txn, case, changed, draft, disposition, checked, run)
    return case_view(place, case_id)


def refuse(place: Workplace, case_id: str, *, reason: str, case_version: int) -> CaseView:
    """Send the standard refusal; the reason stays inside. A DENY sends the standard sentence."""
    require(place.context, "send")
    reason = given(reason, "why you refuse")
    seen, base, run = _decidable(place, case_id, "refuse", case_version)
    text = refusal_text(seen.case)
    checked = check_text(place, seen.case, run, text)
    if checked.compliance.decision == "DENY":
        text = checked.compliance.final_answer_text_after_enforcement
    with place.store.write() as txn:
        case, changed, lease = _still(place, txn, case_id, "refuse", case_version)
        draft = keep_message(place, txn, base, text, checked, kind="refusal")
        disposition = decide(place, txn, case, lease, draft, "refuse", reason=reason)
        dispatch(place, txn, case, changed, draft, disposition, checked, run)
    return case_view(place, case_id)


def _decidable(
    place: Workplace, case_id: str, step: Step, case_version: int
) -> tuple[Snapshot, DraftVersion, PipelineRun]:
    seen = snapshot(place, case_id)
    moved(seen.case, step, place.clock.now())
    same_version(seen.case, case_version)
    if seen.draft is None:
        raise NotReady("There is no draft yet. Open the case first.")
    return seen, seen.draft, needed_run(place, seen.draft)


def _still(
    place: Workplace, txn: ReviewTransaction, case_id: str, step: Step, case_version: int
) -> tuple[Case, Case, Lease]:
    """The case as it is and as it will be, inside the deciding transaction, and the lease held."""
    case = case_in(txn, place.context, case_id)
    changed = moved(case, step, place.clock.now())
    same_version(case, case_version)
    return case, changed, place.hold(txn, case)
