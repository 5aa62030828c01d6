"""Cases, drafts, decisions, deliveries and the audit chain: what the desk stores."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal

from pydantic import Field

from core.models.base import Model
from core.models.compliance import ComplianceDecision
from core.models.draft import GeneratedClaim
from core.models.ledger import CitationLedger
from core.models.request import Channel, Language, OutputForm, RiskLevel

CaseState = Literal[
    "new",
    "drafted",
    "in_review",
    "edited",
    "approved",
    "sent",
    "escalated",
    "awaiting_customer",
    "refused",
    "rejected",
]
DispositionKind = Literal[
    "approve", "edit", "escalate", "ask_customer", "refuse", "reject", "undo", "resolve"
]
EscalationReason = Literal[
    "insufficient_evidence",
    "conflicting_sources",
    "policy_exception",
    "legal_or_safety",
    "customer_request",
    "high_value",
    "stage_failure",
    "other",
]
OutboxState = Literal["pending", "delivering", "delivered", "failed", "cancelled"]


class Message(Model):
    """One message of a case. The body is untrusted text."""

    message_id: str
    author: Literal["customer", "agent", "system"]
    at: datetime
    body: str


class CaseEvent(Model):
    """A dated event on the case's own record (an inspection, a complaint, a warning)."""

    event_id: str
    kind: str
    on: date
    description: str


class ChecklistItem(Model):
    """One thing that must be done before the case may close."""

    item_id: str
    label: str
    done: bool


class Case(Model):
    """One customer conversation that needs a reply. ``version`` grows with every stored change."""

    case_id: str
    tenant_id: str
    subject: str
    customer_id: str | None = None
    customer_name: str | None = None
    recipient: str = ""
    channel: Channel = "email"
    output_form: OutputForm = "email"
    risk: RiskLevel = "low"
    language: Language = "en"
    state: CaseState = "new"
    version: int = 1
    opened_at: datetime
    updated_at: datetime
    messages: tuple[Message, ...] = ()
    fields: dict[str, str] = Field(default_factory=dict)
    events: tuple[CaseEvent, ...] = ()
    checklist: tuple[ChecklistItem, ...] = ()
    assigned_to: str | None = None

    def question(self) -> str:
        """The latest customer message, or the subject when there is none."""
        written = [m.body for m in self.messages if m.author == "customer"]
        return written[-1] if written else self.subject

    def reader(self) -> Literal["customer", "colleague", "public"]:
        """Who reads the reply: a colleague only where the case record says so (``audience``)."""
        if self.output_form == "public_post":
            return "public"
        return "colleague" if self.fields.get("audience") == "colleague" else "customer"


class Lease(Model):
    """Who works on a case and until when."""

    case_id: str
    user_id: str
    user_name: str
    acquired_at: datetime
    expires_at: datetime


class DraftVersion(Model):
    """One text for one case: the co-pilot's, or a person's edit of it. Never changed.

    ``text`` is what would be sent, byte for byte (no markers); ``text_hash`` its SHA-256 in hex.
    ``markdown`` keeps the ``[#EVID-…]`` markers of a co-pilot draft. ``base_draft_id`` is what an
    edit started from. Claims, ledger and compliance are those of exactly this text. A ``question``
    to the customer and a ``refusal`` are kept like drafts but never take the place of the reply.
    ``warning`` is a word for the queue when the draft needs care ("conflict", "claims open").
    """

    draft_id: str
    case_id: str
    number: int
    kind: Literal["copilot", "edited", "question", "refusal"]
    text: str
    markdown: str
    text_hash: str
    trace_id: str
    claims: tuple[GeneratedClaim, ...] = ()
    ledger: CitationLedger | None = None
    compliance: ComplianceDecision | None = None
    created_by: str
    created_at: datetime
    base_draft_id: str | None = None
    override_reason: str = ""
    warning: str = ""


class WorkingEdit(Model):
    """An unsaved edit, autosaved per case and user. ``saved_at`` feeds the "saved …" stamp."""

    case_id: str
    user_id: str
    base_draft_id: str
    text: str
    saved_at: datetime


class Disposition(Model):
    """What a reviewer did, on exactly which text, having opened what, after how long (s)."""

    disposition_id: str
    case_id: str
    kind: DispositionKind
    draft_id: str | None = None
    text_hash: str | None = None
    by: str
    at: datetime
    reason: str = ""
    note: str = ""
    to: str = ""
    opened_items: tuple[str, ...] = ()
    seconds_to_decide: float | None = None


class Escalation(Model):
    """A case handed on, with the packet the receiver needs. ``trace_id`` opens the whole run."""

    escalation_id: str
    case_id: str
    reason: EscalationReason
    missing: str = ""
    note: str = ""
    raised_by: str
    assigned_to: str = ""
    raised_at: datetime
    due_at: datetime
    draft_id: str | None = None
    trace_id: str | None = None
    state: Literal["open", "resolved", "returned"] = "open"
    resolution: str = ""
    resolved_by: str | None = None
    resolved_at: datetime | None = None


class OutboxItem(Model):
    """One approved reply on its way. ``body`` hashes to ``body_hash``, the approved text's hash.

    ``idempotency_key`` is stable over retries: a channel that has seen it delivers nothing again.
    ``not_before`` ends the undo window.
    """

    item_id: str
    case_id: str
    draft_id: str
    disposition_id: str
    channel: str
    recipient: str
    subject: str
    body: str
    body_hash: str
    idempotency_key: str
    state: OutboxState = "pending"
    not_before: datetime
    attempts: int = 0
    last_error: str = ""
    created_at: datetime
    delivered_at: datetime | None = None
    receipt: str = ""


class AuditEvent(Model):
    """One link of the audit chain. ``hash`` is SHA-256 over the canonical JSON of all the rest.

    ``seq`` counts from 1 without gaps per database; ``prev_hash`` is the hash of ``seq - 1`` (64
    zeros for the first).
    """

    seq: int
    at: datetime
    tenant_id: str
    actor: str
    kind: str
    subject_kind: Literal["case", "source", "policy", "user", "outbox", "run", "export", "system"]
    subject_id: str
    payload: dict[str, Any] = Field(default_factory=dict)
    prev_hash: str
    hash: str


BOTH_SIDES = "conflict-"
"""Begins the ids of the two flags of one conflict; up to the last dash they are the same."""


class SourceFlag(Model):
    """A flag on a passage, raised by a person where it was used, by the intake where a document
    speaks to a model (then ``chunk_id`` is empty and ``claim`` the exact quote), or by the co-pilot
    where no rule decides between two versions (then ``claim`` is what this one says and
    ``questions`` are what its owner has to answer); opens work for its owner. ``resolution`` says
    how it was settled."""

    flag_id: str
    tenant_id: str
    source_id: str
    document_id: str
    chunk_id: str
    case_id: str | None = None
    claim: str = ""
    reason: str
    raised_by: str
    raised_at: datetime
    state: Literal["open", "done"] = "open"
    questions: tuple[str, ...] = ()
    resolution: str = ""
    resolved_by: str = ""
    resolved_at: datetime | None = None

    @property
    def pair(self) -> str:
        """What the flags on both sides of one conflict share of their ids; empty for others."""
        both = self.flag_id.startswith(BOTH_SIDES)
        return self.flag_id.rpartition("-")[0] if both else ""
