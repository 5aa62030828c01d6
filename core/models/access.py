"""Who is asking, and what they may see and do. Rights come from the store, never from text."""

from __future__ import annotations

from typing import Literal

from core.models.base import Model

Role = Literal["agent", "knowledge_owner", "supervisor", "hr", "admin", "guest"]
PermissionLevel = Literal["L1", "L2", "L3", "L4", "L5"]
Classification = Literal["public", "internal", "confidential", "restricted"]
Action = Literal[
    "ask", "review", "send", "own_knowledge", "supervise", "administer", "take_over_lease"
]


class User(Model):
    """A person who signs in. ``permission_level`` L1 sees least, L5 most."""

    user_id: str
    tenant_id: str
    name: str
    email: str
    roles: tuple[Role, ...]
    department: str
    permission_level: PermissionLevel
    active: bool = True


class AclPolicy(Model):
    """Who may read what carries this policy: any listed role or department, or everyone."""

    policy_id: str
    tenant_id: str
    description: str
    roles: tuple[Role, ...] = ()
    departments: tuple[str, ...] = ()
    everyone: bool = False


class SecurityContext(Model):
    """The rights of one request, derived from identity and policy store."""

    tenant_id: str
    user_id: str
    roles: tuple[Role, ...]
    department: str
    permission_level: PermissionLevel
    allowed_acl_policy_ids: tuple[str, ...]
    denied_acl_policy_ids: tuple[str, ...] = ()
    allowed_classifications: tuple[Classification, ...]
    allowed_source_types: tuple[str, ...] = ()
    actions: tuple[Action, ...] = ()
    purpose: str = "customer_service"
    policy_version: str = ""
    """Fingerprint of the policy store the rights were derived from."""
