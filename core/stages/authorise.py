"""Rights, from identity and policy store alone. Nothing a person writes reaches this stage."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from core.models.access import AclPolicy, Action, Classification, Role, SecurityContext, User

CLASSIFICATIONS: dict[Role, tuple[Classification, ...]] = {
    "guest": ("public",),
    "agent": ("public", "internal"),
    "knowledge_owner": ("public", "internal"),
    "supervisor": ("public", "internal"),
    "hr": ("public", "internal", "confidential"),
    "admin": ("public", "internal"),
}
"""How sensitive a document may be for each role. A document must *also* carry an access policy
that lets the reader in: an administrator reads no personnel file."""

ACTIONS: dict[Role, tuple[Action, ...]] = {
    "guest": ("ask",),
    "agent": ("ask", "review", "send"),
    "knowledge_owner": ("ask", "own_knowledge"),
    "supervisor": ("ask", "review", "send", "supervise", "take_over_lease"),
    "hr": ("ask", "own_knowledge"),
    "admin": ("ask", "administer"),
}
"""What each role may do."""

PUBLIC = "public"
"""The access policy that documents carry unless they say otherwise. It lets everyone in unless the
store defines it otherwise, so a home without any policy still answers from public sources."""

_SENSITIVITY: tuple[Classification, ...] = ("public", "internal", "confidential", "restricted")
_ACTION_ORDER: tuple[Action, ...] = (
    "ask",
    "review",
    "send",
    "own_knowledge",
    "supervise",
    "take_over_lease",
    "administer",
)


def authorise(
    user: User | None, policies: Sequence[AclPolicy], *, tenant_id: str
) -> SecurityContext:
    """The rights of ``user`` in ``tenant_id``.

    Nobody, an inactive user, and a user of another tenant are the least privileged guest. Default
    deny: only policies of the tenant that name everyone, a role or the department of the user are
    allowed, every other one is listed as denied.
    """
    known = user if user and user.active and user.tenant_id == tenant_id else None
    roles: tuple[Role, ...] = known.roles if known and known.roles else ("guest",)
    department = known.department if known else ""
    own = _with_public([p for p in policies if p.tenant_id == tenant_id], tenant_id)
    allowed = [p.policy_id for p in own if _lets_in(p, roles, department)]
    return SecurityContext(
        tenant_id=tenant_id,
        user_id=known.user_id if known else "guest",
        roles=roles,
        department=department,
        permission_level=known.permission_level if known else "L1",
        allowed_acl_policy_ids=tuple(sorted(set(allowed))),
        denied_acl_policy_ids=tuple(sorted({p.policy_id for p in own} - set(allowed))),
        allowed_classifications=tuple(
            c for c in _SENSITIVITY if any(c in CLASSIFICATIONS[r] for r in roles)
        ),
        actions=tuple(a for a in _ACTION_ORDER if any(a in ACTIONS[r] for r in roles)),
        policy_version=policy_version(own),
    )


def _with_public(policies: list[AclPolicy], tenant_id: str) -> list[AclPolicy]:
    if any(policy.policy_id == PUBLIC for policy in policies):
        return policies
    everyone = AclPolicy(
        policy_id=PUBLIC, tenant_id=tenant_id, description="Everyone", everyone=True
    )
    return [everyone, *policies]


def _lets_in(policy: AclPolicy, roles: Sequence[Role], department: str) -> bool:
    if policy.everyone:
        return True
    if any(role in policy.roles for role in roles):
        return True
    return bool(department) and department in policy.departments


def policy_version(policies: Sequence[AclPolicy]) -> str:
    """A fingerprint of the access policies and the role tables, whatever their order."""
    stated = {
        "policies": sorted(
            (
                p.policy_id,
                p.tenant_id,
                sorted(p.roles),
                sorted(p.departments),
                p.everyone,
            )
            for p in policies
        ),
        "classifications": {role: list(values) for role, values in CLASSIFICATIONS.items()},
        "actions": {role: list(values) for role, values in ACTIONS.items()},
    }
    canonical = json.dumps(stated, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]
