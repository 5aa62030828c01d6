"""What a decision leaves behind, in its own transaction: disposition, outbox item, audit event."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Literal

from core.models.compliance import ComplianceDecision
from core.models.review import Case, Disposition, DispositionKind, DraftVersion, Lease, OutboxItem
from core.models.trace import PipelineRun
from core.review.access import next_number
from core.review.advised import advised_beside
from core.review.copilot import Rechecked
from core.review.drafting import claim_counts, current, person_draft
from core.review.present import opened_items
from core.review.store import ReviewTransaction
from core.review.workplace import Workplace

_KINDS: dict[DispositionKind, str] = {
    "approve": "case.approved",
    "ask_customer": "case.customer_asked",
    "refuse": "case.refused",
}


def keep_message(
    place: Workplace,
    txn: ReviewTransaction,
    base: DraftVersion,
    text: str,
    checked: Rechecked,
    *,
    kind: Literal["question", "refusal"],
) -> DraftVersion:
    """Store a question or refusal with its own check, beside the drafts of the reply."""
    draft = person_draft(
        base,
        text,
        checked,
        draft_id=place.ids.new("draft"),
        number=next_number(txn.drafts(base.case_id)),
        kind=kind,
        by=place.user.user_id,
        at=place.clock.now(),
    )
    txn.add_draft(draft)
    return draft


def decide(
    place: Workplace,
    txn: ReviewTransaction,
    case: Case,
    lease: Lease,
    draft: DraftVersion | None,
    kind: DispositionKind,
    *,
    reason: str = "",
    note: str = "",
    to: str = "",
) -> Disposition:
    """Append what was done, on which text, having opened what, after how long."""
    now, reply = place.clock.now(), current(txn, case.case_id)
    opened = opened_items(txn, place.user.user_id, reply, txn.drafts(case.case_id)) if reply else ()
    disposition = Disposition(
        disposition_id=place.ids.new("decision"),
        case_id=case.case_id,
        kind=kind,
        draft_id=draft.draft_id if draft else None,
        text_hash=draft.text_hash if draft else None,
        by=place.user.user_id,
        at=now,
        reason=reason,
        note=note,
        to=to,
        opened_items=opened,
        seconds_to_decide=(now - lease.acquired_at).total_seconds(),
    )
    txn.add_disposition(disposition)
    return disposition


def dispatch(
    place: Workplace,
    txn: ReviewTransaction,
    case: Case,
    changed: Case,
    draft: DraftVersion,
    disposition: Disposition,
    checked: Rechecked,
    run: PipelineRun,
    overridden: tuple[str, ...] = (),
) -> None:
    """Outbox item, new state, free lease and audit event of a decision that sends something."""
    now = place.clock.now()
    item = OutboxItem(
        item_id=place.ids.new("outbox"),
        case_id=case.case_id,
        draft_id=draft.draft_id,
        disposition_id=disposition.disposition_id,
        channel=case.channel,
        recipient=case.recipient or case.customer_id or "",
        subject=" ".join(f"Re: {case.subject}".split()),
        body=draft.text,
        body_hash=draft.text_hash,
        idempotency_key=_key(case, draft),
        not_before=now + timedelta(seconds=place.rules.undo_seconds),
        created_at=now,
    )
    txn.add_outbox(item)
    txn.save_case(changed, expected_version=case.version)
    txn.drop_lease(case.case_id)
    place.note(
        txn,
        case,
        _KINDS[disposition.kind],
        disposition_id=disposition.disposition_id,
        draft_id=draft.draft_id,
        text_hash=draft.text_hash,
        outbox_item_id=item.item_id,
        reason=disposition.reason,
        overridden=list(overridden),
        claims=claim_counts(checked.claims),
        compliance=_summary(checked.compliance),
        trace_id=run.trace.trace_id,
        index_versions=run.trace.index_versions,
        policy_version=place.context.policy_version,
        opened=list(disposition.opened_items),
        state=changed.state,
        **advised_beside(run, disposition.kind),
    )


def _key(case: Case, draft: DraftVersion) -> str:
    """One key for one version of a case: two decisions on the same version cannot both be sent."""
    parts = f"{case.tenant_id}\n{case.case_id}\n{case.version}\n{draft.text_hash}"
    return hashlib.sha256(parts.encode("utf-8")).hexdigest()


def _summary(decision: ComplianceDecision) -> dict[str, object]:
    entry = decision.audit_trail_entry
    return {
        "decision": decision.decision,
        "recipient": decision.recipient,
        "redactions": entry.redactions_count,
        "permission_tags": list(entry.permission_tags_involved),
    }
