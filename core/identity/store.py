"""Changing users and access policies: what administrators' screens and the demo need."""

from __future__ import annotations

from typing import Protocol

from core.models.access import AclPolicy, User
from core.ports import PolicyStore


class PolicyAdmin(PolicyStore, Protocol):
    """The policy store with its writes. A change and its audit event are one transaction."""

    def put_user(self, user: User, *, actor: str) -> None:
        """Store or replace a user. Raises ``BadInput`` when the id belongs to another tenant."""
        ...

    def put_acl_policy(self, policy: AclPolicy, *, actor: str) -> None:
        """Store or replace an access policy of its tenant."""
        ...
