"""What the desk needs from storage. One transaction covers a change *and* its audit event.

Adapters implement it over SQLite and PostgreSQL; ``tests/contracts`` holds what both promise.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Literal, Protocol

from core.models.action import ActionRecord, ActionState
from core.models.review import (
    AuditEvent,
    Case,
    CaseState,
    Disposition,
    DraftVersion,
    Escalation,
    Lease,
    OutboxItem,
    OutboxState,
    SourceFlag,
    WorkingEdit,
)

SubjectKind = Literal["case", "source", "policy", "user", "outbox", "run", "export", "system"]


class ReviewTransaction(Protocol):
    """All reads and writes of one transaction. Leaving the block commits, an error rolls back.

    A write transaction holds the write lock from its start (``BEGIN IMMEDIATE`` / row locks), so a
    read followed by a write inside it is safe against other processes.
    """

    def case(self, case_id: str) -> Case | None:
        """The case, or ``None``."""
        ...

    def cases(self, tenant_id: str, states: Sequence[CaseState] | None = None) -> tuple[Case, ...]:
        """Cases of a tenant, longest waiting (``updated_at``) first."""
        ...

    def add_case(self, case: Case) -> None:
        """Store a new case. Raises ``BadInput`` when the id exists."""
        ...

    def save_case(self, case: Case, *, expected_version: int) -> Case:
        """Store ``case`` as version ``expected_version + 1``; ``StaleVersion`` if it moved on."""
        ...

    def lease(self, case_id: str) -> Lease | None:
        """The lease as stored, expired or not."""
        ...

    def leases(self, tenant_id: str) -> dict[str, Lease]:
        """All leases of a tenant's cases by case id."""
        ...

    def put_lease(self, lease: Lease) -> None:
        """Set or replace the lease of a case."""
        ...

    def drop_lease(self, case_id: str) -> None:
        """Remove the lease of a case, if any."""
        ...

    def add_draft(self, draft: DraftVersion) -> None:
        """Append a draft version. ``(case_id, number)`` is unique."""
        ...

    def draft(self, draft_id: str) -> DraftVersion | None:
        """One draft version."""
        ...

    def drafts(self, case_id: str) -> tuple[DraftVersion, ...]:
        """All versions of a case's drafts, oldest first."""
        ...

    def working_edit(self, case_id: str, user_id: str) -> WorkingEdit | None:
        """The autosaved edit of a user."""
        ...

    def put_working_edit(self, edit: WorkingEdit) -> None:
        """Set or replace the autosaved edit of a user."""
        ...

    def drop_working_edit(self, case_id: str, user_id: str) -> None:
        """Remove it, if any."""
        ...

    def add_opened(
        self, case_id: str, user_id: str, draft_id: str, item_id: str, at: datetime
    ) -> None:
        """Remember that a user opened an item (evidence, conflict, stale warning). Idempotent."""
        ...

    def opened(self, case_id: str, user_id: str, draft_id: str) -> tuple[str, ...]:
        """Item ids the user opened for this draft, in order."""
        ...

    def add_disposition(self, disposition: Disposition) -> None:
        """Append a decision."""
        ...

    def dispositions(
        self, *, case_id: str | None = None, tenant_id: str | None = None, limit: int = 500
    ) -> tuple[Disposition, ...]:
        """Decisions, oldest first for a case, newest first for a tenant."""
        ...

    def disposition(self, disposition_id: str) -> Disposition | None:
        """One decision."""
        ...

    def add_escalation(self, escalation: Escalation) -> None:
        """Append an escalation."""
        ...

    def save_escalation(self, escalation: Escalation) -> None:
        """Replace an escalation by its id."""
        ...

    def escalation(self, escalation_id: str) -> Escalation | None:
        """One escalation."""
        ...

    def escalations(self, tenant_id: str, state: str | None = None) -> tuple[Escalation, ...]:
        """Escalations of a tenant, earliest due first."""
        ...

    def add_outbox(self, item: OutboxItem) -> None:
        """Append an outbox item. A second ``idempotency_key`` raises ``Conflicted``."""
        ...

    def save_outbox(self, item: OutboxItem, *, expected_state: OutboxState) -> OutboxItem:
        """Replace an item if its stored state is the expected one, else ``StaleVersion``."""
        ...

    def outbox_item(self, item_id: str) -> OutboxItem | None:
        """One outbox item."""
        ...

    def outbox(
        self,
        *,
        tenant_id: str | None = None,
        states: Sequence[OutboxState] | None = None,
        case_id: str | None = None,
    ) -> tuple[OutboxItem, ...]:
        """Outbox items, oldest first."""
        ...

    def add_action(self, action: ActionRecord) -> None:
        """Append what was decided on a proposal. A second for the tenant raises ``Conflicted``."""
        ...

    def save_action(self, action: ActionRecord, *, expected_state: ActionState) -> ActionRecord:
        """Replace an action if its stored state is the expected one, else ``StaleVersion``."""
        ...

    def action(self, tenant_id: str, proposal_id: str) -> ActionRecord | None:
        """What was decided on a proposal, ``None`` where nobody has."""
        ...

    def actions(
        self,
        *,
        tenant_id: str | None = None,
        case_id: str | None = None,
        states: Sequence[ActionState] | None = None,
    ) -> tuple[ActionRecord, ...]:
        """Actions, oldest first."""
        ...

    def add_action_receipt(self, key: str, receipt: str) -> None:
        """Keep what a tool did under a key, with the change itself; twice is ``Conflicted``."""
        ...

    def action_receipt(self, key: str) -> str | None:
        """What was done under a key, ``None`` for nothing."""
        ...

    def add_flag(self, flag: SourceFlag) -> None:
        """Append a flag on a passage."""
        ...

    def flags(self, tenant_id: str, source_id: str | None = None) -> tuple[SourceFlag, ...]:
        """Flags, newest first."""
        ...

    def citing_dispositions(self, document_id: str) -> tuple[Disposition, ...]:
        """Approvals whose draft leans on this document version (reverse ledger)."""
        ...

    def audit(
        self,
        *,
        tenant_id: str,
        actor: str,
        kind: str,
        subject_kind: SubjectKind,
        subject_id: str,
        payload: dict[str, Any],
    ) -> AuditEvent:
        """Append the next link of the hash chain inside this transaction."""
        ...

    def audit_events(
        self,
        *,
        tenant_id: str | None = None,
        subject_kind: SubjectKind | None = None,
        subject_id: str | None = None,
        after_seq: int = 0,
        limit: int = 1000,
    ) -> tuple[AuditEvent, ...]:
        """Events in chain order."""
        ...

    def audit_head(self) -> tuple[int, str]:
        """Sequence number and hash the chain must end with; ``(0, 64 zeros)`` for an empty one."""
        ...


class ReviewStore(Protocol):
    """Opens transactions."""

    def write(self) -> AbstractContextManager[ReviewTransaction]:
        """A read-write transaction."""
        ...

    def read(self) -> AbstractContextManager[ReviewTransaction]:
        """A read-only snapshot; writes raise."""
        ...
