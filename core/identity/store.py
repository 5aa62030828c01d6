"""Changing users and access policies: what administrators' screens and the demo need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from core.models.access import AclPolicy, User
from core.models.source import Governance
from core.ports import PolicyStore

UserCheck = Callable[[Sequence[User]], None]
"""Gets a tenant's users as they are stored; raises when the change may not be made."""


class PolicyAdmin(PolicyStore, Protocol):
    """The policy store with its writes. A change and its audit event are one transaction."""

    def put_user(
        self, user: User, *, actor: str, reason: str = "", check: UserCheck | None = None
    ) -> None:
        """Store or replace a user. Raises ``BadInput`` when the id belongs to another tenant.

        ``reason`` goes into the audit event. ``check`` runs inside the transaction, before the
        write: what it raises leaves everything as it was.
        """
        ...

    def put_acl_policy(self, policy: AclPolicy, *, actor: str) -> None:
        """Store or replace an access policy of its tenant."""
        ...


class ListedSource(Protocol):
    """What the rights simulator reads of a document version: never its text."""

    @property
    def document_id(self) -> str: ...
    @property
    def source_id(self) -> str: ...
    @property
    def tenant_id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def governance(self) -> Governance: ...
    @property
    def withdrawn(self) -> bool: ...


class SourceList(Protocol):
    """The governed documents of a tenant, without their texts."""

    def list_sources(self, tenant_id: str, /) -> Sequence[ListedSource]:
        """Every version, by source, oldest first."""
        ...
