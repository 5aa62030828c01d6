"""Puts one case together for one user: what the reply desk shows, as of now."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import NamedTuple

from core.models.review import (
    AuditEvent,
    Case,
    Disposition,
    DraftVersion,
    Lease,
    OutboxItem,
    WorkingEdit,
)
from core.models.source import DocumentVersion
from core.models.trace import PipelineRun
from core.review.access import case_events, case_in, current_draft, require
from core.review.action_views import action_views
from core.review.cards import conflict_cards, evidence_cards, left_out_cards
from core.review.checks import (
    SENTENCE,
    changed_sources,
    draft_findings,
    review_checks,
    text_findings,
    unopened,
)
from core.review.drafting import failed, run_of, stopped_words
from core.review.facts import (
    case_facts,
    suggested_owner,
    suggested_question,
    what_would_change,
)
from core.review.leaning import documents_of, freshness_now
from core.review.rules import OPEN_STATES, REVIEW_STATES, state_words
from core.review.store import ReviewTransaction
from core.review.views import CaseView
from core.review.workplace import Workplace

TAKEN_OVER = "case.lease_taken_over"


class Snapshot(NamedTuple):
    """A case and everything stored about it, read in one transaction."""

    case: Case
    lease: Lease | None
    drafts: tuple[DraftVersion, ...]
    draft: DraftVersion | None
    opened: tuple[str, ...]
    edit: WorkingEdit | None
    history: tuple[Disposition, ...]
    outbox: OutboxItem | None
    events: tuple[AuditEvent, ...]


def snapshot(place: Workplace, case_id: str) -> Snapshot:
    """Read the case as it stands. Raises ``NotFound``."""
    user_id = place.user.user_id
    with place.store.read() as txn:
        case = case_in(txn, place.context, case_id)
        drafts = txn.drafts(case_id)
        draft = current_draft(drafts)
        items = txn.outbox(case_id=case_id)
        return Snapshot(
            case=case,
            lease=txn.lease(case_id),
            drafts=drafts,
            draft=draft,
            opened=opened_items(txn, user_id, draft, drafts) if draft else (),
            edit=txn.working_edit(case_id, user_id),
            history=txn.dispositions(case_id=case_id),
            outbox=items[-1] if items else None,
            events=tuple(case_events(txn, case_id)),
        )


def opened_items(
    txn: ReviewTransaction, user_id: str, draft: DraftVersion, drafts: Iterable[DraftVersion]
) -> tuple[str, ...]:
    """What the user opened for this draft, in order.

    Evidence and conflicts belong to the run, so what was opened before an edit stays opened; a
    sentence belongs to its text.
    """
    items: list[str] = []
    for version in drafts:
        if version.trace_id != draft.trace_id:
            continue
        opened = txn.opened(draft.case_id, user_id, version.draft_id)
        own = version.draft_id == draft.draft_id
        items += [item for item in opened if own or not item.startswith(SENTENCE)]
    return tuple(dict.fromkeys(items))


def case_view(place: Workplace, case_id: str) -> CaseView:
    """The case for this user. A pure read."""
    require(place.context, "review", "supervise", "administer")
    seen = snapshot(place, case_id)
    run = run_of(place, seen.draft)
    live = live_sources(place, seen.draft, run)
    today = place.clock.now().date()
    base = CaseView(
        case=seen.case,
        lease=seen.lease if place.active(seen.lease) else None,
        mine=place.mine(seen.lease),
        read_only_reason=_read_only(place, seen),
        working_edit=seen.edit,
        history=seen.history,
        outbox=seen.outbox,
        undo_until=undo_until(place, seen),
        case_facts=case_facts(seen.case),
        suggested_escalation_to=place.rules.escalate_to,
        banner=_banner(seen, run, live, today),
        actions=action_views(place, seen.case, seen.lease, run),
    )
    if seen.draft is None or run is None:
        blocked = (base.read_only_reason or "There is no draft you may see yet. Open the case.",)
        return base.model_copy(update={"approve_blocked_by": blocked})
    return base.model_copy(update=_drafted(place, seen, seen.draft, run, live))


def _drafted(
    place: Workplace,
    seen: Snapshot,
    draft: DraftVersion,
    run: PipelineRun,
    live: dict[str, DocumentVersion],
) -> dict[str, object]:
    """The part of the view that exists once there is a draft and a run the user may see."""
    today = place.clock.now().date()
    conflicts = conflict_cards(run, seen.opened)
    warnings = freshness_now(draft, run, today)
    checks = review_checks(seen.case, draft, conflicts, warnings, seen.opened)
    findings = text_findings(draft.text, draft.claims, draft.compliance)
    firm = (
        *_not_now(place, seen),
        *draft_findings(draft, run, conflicts, live, today),
        *unsaved(seen.edit, draft),
        *findings.hard,
        *unopened(checks),
    )
    return {
        "draft": draft,
        "run": run,
        "evidence": evidence_cards(run, draft, today=today),
        "conflicts": conflicts,
        "left_out": left_out_cards(run),
        "claims": draft.claims,
        "ledger": draft.ledger,
        "freshness": warnings,
        "checks": checks,
        "can_approve": not firm and not findings.soft,
        "override_possible": not firm and bool(findings.soft),
        "approve_blocked_by": (*firm, *findings.soft),
        "what_would_change": what_would_change(draft, run),
        "suggested_question": suggested_question(run),
        "suggested_escalation_to": suggested_owner(run, draft) or place.rules.escalate_to,
    }


def live_sources(
    place: Workplace, draft: DraftVersion | None, run: PipelineRun | None
) -> dict[str, DocumentVersion]:
    """The document versions a draft leans on, as the registry has them now."""
    if draft is None or run is None:
        return {}
    return place.registry.live(documents_of(draft, run))


def unsaved(edit: WorkingEdit | None, draft: DraftVersion) -> tuple[str, ...]:
    """A word of warning when the user typed something that approving would pass over."""
    if edit is None or edit.text == draft.text:
        return ()
    return ("You have changes that are not checked in. Check them in or discard them.",)


def undo_until(place: Workplace, seen: Snapshot) -> datetime | None:
    """End of the undo window of this user's last decision, ``None`` once it has closed."""
    item = seen.outbox
    if item is None or item.state != "pending" or item.attempts or seen.case.state in OPEN_STATES:
        return None
    by = next((d.by for d in seen.history if d.disposition_id == item.disposition_id), "")
    ends = item.created_at + timedelta(seconds=place.rules.undo_seconds)
    return ends if by == place.user.user_id and ends > place.clock.now() else None


def _not_now(place: Workplace, seen: Snapshot) -> tuple[str, ...]:
    reason = _read_only(place, seen)
    if reason:
        return (reason,)
    if seen.case.state not in REVIEW_STATES or not place.mine(seen.lease):
        return ("Open the case to work on it.",)
    return ()


def _read_only(place: Workplace, seen: Snapshot) -> str:
    lease = seen.lease
    if lease is not None and place.active(lease) and not place.mine(lease):
        until = f"{lease.expires_at:%H:%M} UTC"
        taken = next((e for e in reversed(seen.events) if e.kind == TAKEN_OVER), None)
        if (
            taken
            and taken.payload.get("from") == place.user.user_id
            and taken.actor == lease.user_id
        ):
            return f"{lease.user_name} took this case over from you; it is theirs until {until}."
        return f"{lease.user_name} is working on this case until {until}."
    if seen.case.state not in OPEN_STATES:
        return f"This case is {state_words(seen.case.state)}."
    if "review" not in place.context.actions:
        return "Your role lets you look at cases, not work on them."
    return ""


def _banner(
    seen: Snapshot, run: PipelineRun | None, live: dict[str, DocumentVersion], today: date
) -> str:
    """What slid under the reader, in words; empty when nothing did."""
    if seen.draft is None:
        return ""
    if run is None:
        return (
            "This draft leans on evidence you may not see. "
            "Open the case to have it drafted under your rights."
        )
    lines = []
    if failed(run) and seen.draft.kind == "copilot":
        lines.append(stopped_words(run))
    if seen.edit is not None and seen.edit.base_draft_id != seen.draft.draft_id:
        lines.append(
            "A newer draft was written since you began to edit. Your text is kept; compare."
        )
    if seen.case.state in OPEN_STATES:
        lines += changed_sources(seen.draft, run, live, today)
    return " ".join([*lines, *_news(seen)])


def _news(seen: Snapshot) -> list[str]:
    """What others did with the case: an escalation that came back, a delivery that failed."""
    lines = []
    last = seen.history[-1] if seen.history else None
    if last is not None and last.kind == "resolve":
        lines.append(f"{last.by} {last.reason} the escalation. {last.note}".strip())
    if seen.outbox is not None and seen.outbox.state == "failed":
        returned = seen.case.state in OPEN_STATES
        lead = "The last reply was not sent" if returned else "Delivery failed and can be retried"
        lines.append(f"{lead}: {seen.outbox.last_error}")
    return lines
