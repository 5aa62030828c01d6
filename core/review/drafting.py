"""From a run of the co-pilot to a stored draft, and from a person's text to a checked one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from core.errors import NotReady, StaleVersion
from core.models.draft import GeneratedClaim
from core.models.review import Case, DraftVersion
from core.models.trace import PipelineRun
from core.review.access import (
    case_events,
    case_in,
    current_draft,
    next_number,
    text_hash,
    visible_run,
)
from core.review.action_views import note_proposals
from core.review.copilot import Rechecked
from core.review.owner_tasks import raise_owner_tasks
from core.review.rules import REVIEW_STATES, Step, moved, recipient_of
from core.review.store import ReviewTransaction
from core.review.workplace import Workplace
from core.text.markers import strip_markers

USED, LEFT_OUT = "case.source_used", "case.source_left_out"
"""Audit kinds from which the passages a person forced in or out are read back."""

_STATUS_WARNINGS = {
    "conflicting_evidence": "sources disagree",
    "insufficient_evidence": "no evidence",
    "needs_clarification": "needs a question",
    "refused": "out of scope",
    "escalated": "co-pilot stopped",
}


def failed(run: PipelineRun | None) -> bool:
    """Whether the co-pilot ended without anything that could be checked."""
    return run is not None and (bool(run.trace.failure) or run.answer.status == "escalated")


def forced(txn: ReviewTransaction, case_id: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Chunk ids a person forced in and out, from the case's own history; the last word wins."""
    choice: dict[str, str] = {}
    for event in case_events(txn, case_id):
        if event.kind in (USED, LEFT_OUT):
            choice[str(event.payload["chunk_id"])] = event.kind
    return (
        tuple(chunk for chunk, kind in choice.items() if kind == USED),
        tuple(chunk for chunk, kind in choice.items() if kind == LEFT_OUT),
    )


def new_draft(place: Workplace, case: Case, *, reason: str = "") -> None:
    """Run the co-pilot for ``case`` as just read and store its draft as the newest version.

    The run happens outside any transaction. Raises ``StaleVersion``, storing no draft, when the
    case moved on meanwhile, ``LeaseHeld`` when somebody took it over.
    """
    with place.store.read() as txn:
        include, exclude = forced(txn, case.case_id)
    run = place.copilot.draft(case, place.context, include=include, exclude=exclude)
    text, markdown, checked = leaving(place, case, run)
    with place.store.write() as txn:
        now_case = case_in(txn, place.context, case.case_id)
        if now_case.version != case.version:
            raise StaleVersion(f"Case {case.case_id} changed while it was being drafted.")
        place.hold(txn, now_case)
        draft = DraftVersion(
            draft_id=place.ids.new("draft"),
            case_id=case.case_id,
            number=next_number(txn.drafts(case.case_id)),
            kind="copilot",
            text=text,
            markdown=markdown,
            text_hash=text_hash(text),
            trace_id=run.trace.trace_id,
            claims=checked.claims if checked else run.claims,
            ledger=checked.ledger if checked else run.ledger,
            compliance=run.compliance,
            created_by=f"copilot for {place.user.user_id}",
            created_at=place.clock.now(),
            warning=warning_of(run),
        )
        txn.add_draft(draft)
        put_in_review(place, txn, now_case, draft, status=run.answer.status, reason=reason)
        raise_owner_tasks(place, txn, now_case, run)
        note_proposals(place, txn, now_case, draft, run.proposals)


def put_in_review(
    place: Workplace,
    txn: ReviewTransaction,
    case: Case,
    draft: DraftVersion,
    *,
    status: str,
    reason: str,
) -> None:
    """Move the case to ``in_review`` with ``draft`` as its newest, an event for each step."""
    case = _step(place, txn, case, "redraft" if case.state in REVIEW_STATES else "draft")
    place.note(
        txn,
        case,
        "case.drafted",
        draft_id=draft.draft_id,
        number=draft.number,
        text_hash=draft.text_hash,
        trace_id=draft.trace_id,
        status=status,
        reason=reason,
        state=case.state,
    )
    if case.state == "drafted":
        begin_review(place, txn, case)


def begin_review(place: Workplace, txn: ReviewTransaction, case: Case) -> None:
    """Move a drafted case into review."""
    case = _step(place, txn, case, "begin")
    place.note(txn, case, "case.review_begun", state=case.state)


def _step(place: Workplace, txn: ReviewTransaction, case: Case, step: Step) -> Case:
    return txn.save_case(moved(case, step, place.clock.now()), expected_version=case.version)


def leaving(place: Workplace, case: Case, run: PipelineRun) -> tuple[str, str, Rechecked | None]:
    """The text of a run that may leave, its marked form, and its own check where it was masked.

    Compliance may have masked a span or replaced the whole; then the claims of the run are those
    of another text, and exactly this one is checked.
    """
    drafted = run.answer.answer_markdown
    if run.compliance is None:
        return strip_markers(drafted), drafted, None
    enforced = run.compliance.final_answer_text_after_enforcement
    text = strip_markers(enforced)
    if text == strip_markers(drafted):
        return text, drafted, None
    return text, enforced, check_text(place, case, run, enforced)


def check_text(place: Workplace, case: Case, run: PipelineRun, text: str) -> Rechecked:
    """Claims, ledger, compliance and freshness of exactly ``text`` for this case's reader."""
    return place.copilot.recheck(
        text,
        run,
        context=place.context,
        output_form=case.output_form,
        recipient=recipient_of(case),
    )


def marked(draft: DraftVersion) -> str:
    """The draft with its citation markers, when they mark exactly its text; else the bare text."""
    return draft.markdown if strip_markers(draft.markdown) == draft.text else draft.text


def run_of(place: Workplace, draft: DraftVersion | None) -> PipelineRun | None:
    """The run behind a draft as this user may see it, ``None`` when it is withheld or not there."""
    run = place.runs.run(draft.trace_id) if draft else None
    return visible_run(run, place.context) if run else None


def needed_run(place: Workplace, draft: DraftVersion) -> PipelineRun:
    """The run behind a draft, whole enough to check a text; ``NotReady`` with the remedy if not."""
    run = run_of(place, draft)
    if run is None:
        raise NotReady(
            "The evidence behind this draft cannot be shown to you. Draft again under your rights.",
            ("Draft again: the evidence behind this draft cannot be shown to you.",),
        )
    if draft.kind == "copilot" and failed(run):
        raise NotReady(
            "The co-pilot could not finish this case, so nothing can be sent. Escalate it.",
            (stopped_words(run),),
        )
    return run


def stopped_words(run: PipelineRun) -> str:
    """Why a run ended without a draft, and what is safe to do."""
    reason = run.trace.failure.strip().rstrip(".") or "it handed the case to a person"
    return f"The co-pilot stopped ({reason}). Nothing was sent. Escalate the case or draft again."


def warning_of(run: PipelineRun) -> str:
    """One word of care for the queue; the gravest first."""
    if failed(run):
        return "co-pilot stopped"
    if run.compliance is not None and run.compliance.decision == "DENY":
        return "may not go out"
    if run.answer.status in _STATUS_WARNINGS:
        return _STATUS_WARNINGS[run.answer.status]
    if any(claim.support_status != "supported" and not claim.is_inference for claim in run.claims):
        return "claims open"
    if run.answer.conflicts:
        return "conflict"
    if any(item.state == "stale" or item.superseded for item in run.freshness):
        return "stale source"
    return ""


def current(txn: ReviewTransaction, case_id: str) -> DraftVersion | None:
    """The reply of a case as it stands."""
    return current_draft(txn.drafts(case_id))


def person_draft(
    base: DraftVersion,
    text: str,
    checked: Rechecked,
    *,
    draft_id: str,
    number: int,
    kind: Literal["edited", "question", "refusal"],
    by: str,
    at: datetime,
) -> DraftVersion:
    """A person's text as a draft version, with the claims, ledger and compliance of exactly it."""
    return DraftVersion(
        draft_id=draft_id,
        case_id=base.case_id,
        number=number,
        kind=kind,
        text=text,
        markdown=text,
        text_hash=text_hash(text),
        trace_id=base.trace_id,
        claims=checked.claims,
        ledger=checked.ledger,
        compliance=checked.compliance,
        created_by=by,
        created_at=at,
        base_draft_id=base.draft_id,
        warning=_checked_warning(checked),
    )


def _checked_warning(checked: Rechecked) -> str:
    if checked.compliance.decision == "DENY":
        return "may not go out"
    unverified = [c for c in checked.claims if c.support_status != "supported"]
    return "claims open" if any(not c.is_inference for c in unverified) else ""


def claim_counts(claims: Iterable[GeneratedClaim]) -> dict[str, int]:
    """How many claims have which status, for the audit."""
    return dict(Counter(claim.support_status for claim in claims))
