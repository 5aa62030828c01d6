"""What the screens show of cases, decisions and the audit: frozen values, ready to lay out.

Words follow the house rule: trust in words tied to a rule ("quote found", "past its review date by
12 days"), never a percentage. Building them lives in ``core.review.present``; pages hold no rule.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from core.models.action import ActionProposal, ActionRecord
from core.models.base import Model
from core.models.calculation import Calculation
from core.models.compliance import ComplianceDecision, FreshnessWarning
from core.models.draft import GeneratedClaim, ReportedConflict
from core.models.ledger import CitationLedger
from core.models.request import RiskLevel
from core.models.review import (
    AuditEvent,
    Case,
    CaseState,
    Disposition,
    DraftVersion,
    Escalation,
    Lease,
    OutboxItem,
    WorkingEdit,
)
from core.models.trace import PipelineRun, RagTrace


class QueueRow(Model):
    """One line of the queue. ``warning`` is a word when the draft needs care, else empty."""

    case_id: str
    subject: str
    customer: str
    channel: str
    risk: RiskLevel
    state: CaseState
    waiting_since: datetime
    held_by: str | None = None
    mine: bool = False
    warning: str = ""


class EvidenceCard(Model):
    """One accepted piece of evidence, record or passage. ``label`` is ``E1`` or ``R1``."""

    label: str
    evidence_id: str
    chunk_id: str
    document_id: str
    source_id: str
    title: str
    section: str
    text: str
    quotes: tuple[str, ...]
    """Exact spans of ``text`` the draft leans on."""
    trust: tuple[str, ...]
    """Words such as "quote found", "official policy", "reviewed 12 days ago"."""
    is_record: bool = False
    freshness: FreshnessWarning | None = None
    calculation: Calculation | None = None


class ConflictCard(Model):
    """One conflict: both sides with their quotes, the rule that decided, and what it asks of us.

    ``about`` says in a word what they disagree on, ``value_a`` and ``value_b`` are the bare values
    of two sources, ``since_a`` and ``since_b`` of when they are, ``task`` whose work it became
    where nobody could decide.
    """

    conflict_id: str
    conflict: ReportedConflict
    quote_a: str
    quote_b: str
    title_a: str
    title_b: str
    steps: tuple[str, ...]
    questions: tuple[str, ...]
    opened: bool = False
    about: str = ""
    value_a: str = ""
    value_b: str = ""
    since_a: str = ""
    since_b: str = ""
    task: str = ""


class LeftOutCard(Model):
    """A passage that was retrieved but left out, why in words, and what may be done about it."""

    chunk_id: str
    title: str
    section: str
    text: str
    reason: str
    can_use: bool
    """False for injection: no click brings it back."""


class ReviewCheck(Model):
    """One thing that must be opened or settled before approval. ``kind`` says where it is."""

    check_id: str
    kind: Literal["conflict", "stale", "money_or_date", "claim", "compliance", "state"]
    label: str
    done: bool


class CheckedText(Model):
    """A text with its claims, compliance and difference from the co-pilot's draft.

    ``blocking`` lists in words what stands between this text and approval. ``diff`` is a sequence
    of (operation, text) with operation ``same``, ``added`` or ``removed``, word by word.
    """

    text: str
    text_hash: str
    claims: tuple[GeneratedClaim, ...]
    compliance: ComplianceDecision
    diff: tuple[tuple[Literal["same", "added", "removed"], str], ...] = ()
    blocking: tuple[str, ...] = ()


class ActionView(Model):
    """A proposed action, or one decided on. ``words`` say how it stands and what to do about it.

    ``open`` while this user may decide on it now; ``blocked_by`` says in words what stands between
    them and confirming. ``take_back_until`` ends the undo window of this user's own confirmation.
    ``settled`` says that nothing moves by itself any more.
    """

    proposal: ActionProposal
    record: ActionRecord | None = None
    words: str
    open: bool = False
    settled: bool = False
    blocked_by: tuple[str, ...] = ()
    may_pass_bound: bool = False
    take_back_until: datetime | None = None
    may_settle: bool = False


class CaseView(Model):
    """Everything the reply desk shows of one case, for one user, as of now."""

    case: Case
    lease: Lease | None
    mine: bool
    read_only_reason: str = ""
    draft: DraftVersion | None = None
    run: PipelineRun | None = None
    evidence: tuple[EvidenceCard, ...] = ()
    conflicts: tuple[ConflictCard, ...] = ()
    left_out: tuple[LeftOutCard, ...] = ()
    claims: tuple[GeneratedClaim, ...] = ()
    ledger: CitationLedger | None = None
    freshness: tuple[FreshnessWarning, ...] = ()
    checks: tuple[ReviewCheck, ...] = ()
    can_approve: bool = False
    approve_blocked_by: tuple[str, ...] = ()
    override_possible: bool = False
    """Nothing but unverified sentences stands in the way: a reason would allow approval."""
    working_edit: WorkingEdit | None = None
    history: tuple[Disposition, ...] = ()
    outbox: OutboxItem | None = None
    undo_until: datetime | None = None
    banner: str = ""
    """Set when a newer draft or a changed source slid under the reader."""
    what_would_change: tuple[str, ...] = ()
    case_facts: tuple[str, ...] = ()
    suggested_question: str = ""
    suggested_escalation_to: str = ""
    actions: tuple[ActionView, ...] = ()
    """What tools that write would change; nothing of it runs by approving the reply."""


class EscalationRow(Model):
    """One line of the escalation board. ``overdue`` against its clock at ``due_at``."""

    escalation: Escalation
    subject: str
    customer: str
    overdue: bool


class EscalationView(Model):
    """The packet the receiver opens: what the first agent saw, as it was."""

    escalation: Escalation
    case: Case
    draft: DraftVersion | None
    run: PipelineRun | None
    evidence: tuple[EvidenceCard, ...]
    conflicts: tuple[ConflictCard, ...]
    history: tuple[Disposition, ...]


class DecisionRow(Model):
    """One decision in the audit list."""

    disposition: Disposition
    subject: str
    actor_name: str
    sources: tuple[str, ...] = ()
    status: str = ""


class DecisionView(Model):
    """One decision with what was known at the time. ``passages`` show the text as it was then."""

    disposition: Disposition
    case: Case
    draft: DraftVersion | None
    copilot_draft: DraftVersion | None
    diff: tuple[tuple[Literal["same", "added", "removed"], str], ...]
    passages: tuple[EvidenceCard, ...]
    conflicts: tuple[ConflictCard, ...]
    trace: RagTrace | None
    outbox: OutboxItem | None
    events: tuple[AuditEvent, ...]
    actions: tuple[ActionRecord, ...] = ()
    """What was decided on proposed actions of the case, whatever became of its reply."""


class ChainState(Model):
    """The audit chain as last verified. ``broken_at`` is the first bad sequence number."""

    ok: bool
    events: int
    head: str
    broken_at: int | None = None
    reason: str = ""
