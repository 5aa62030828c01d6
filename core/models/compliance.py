"""May this text go to this reader in this form."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from core.models.base import Model
from core.models.source import FreshnessState

ComplianceVerdict = Literal["ALLOW", "PARTIAL_ALLOW_NEED_REDACTION", "DENY"]

STANDARD_DENIAL = (
    "We are not able to share this information here. "
    "A colleague will contact you if there is anything further we can help with."
)
"""The one sentence a DENY may send. It says nothing of what was asked for or found."""


class Redaction(Model):
    """One thing that must go before the text may leave. ``citation_id`` may be a span's label."""

    citation_id: str
    why_must_remove_or_mask: str
    recommended_masked_rewrite: str


class AuditTrailEntry(Model):
    """What compliance leaves for the audit."""

    timestamp: datetime
    query_id: str
    user_id: str
    decision: ComplianceVerdict
    permission_tags_involved: tuple[str, ...] = ()
    redactions_count: int = 0
    escalation_contact_if_user_appeals: str = ""


class ComplianceDecision(Model):
    """The decision for one reader, sender and output form, with the text that may leave.

    ``recipient`` is who reads the final text: ``customer``, ``colleague`` or ``public``.
    """

    decision: ComplianceVerdict
    reason: str
    recipient: Literal["customer", "colleague", "public"]
    if_partial_allow_redaction_list: tuple[Redaction, ...] = ()
    final_answer_text_after_enforcement: str
    audit_trail_entry: AuditTrailEntry
    guard_findings: tuple[str, ...] = ()
    """Outbound guard: placeholders, internal headings, mentions or links left in the text."""


class FreshnessWarning(Model):
    """A source the draft leans on and its state against its review SLA, in words."""

    evidence_id: str
    source_id: str
    document_id: str
    title: str
    state: FreshnessState
    superseded: bool = False
    days_past_due: int = 0
    message: str
    owner: str = ""
