"""May this context read a document, and does this user answer for it."""

from __future__ import annotations

from core.models.access import SecurityContext, User
from core.models.source import Governance


def may_read(context: SecurityContext, tenant_id: str, governance: Governance) -> bool:
    """Whether the rights cover a document version; the same tests that retrieval filters by.

    Without a policy id in ``allowed_acl_policy_ids`` nothing is readable: deny by default.
    """
    return (
        tenant_id == context.tenant_id
        and governance.acl_policy_id in context.allowed_acl_policy_ids
        and governance.acl_policy_id not in context.denied_acl_policy_ids
        and governance.classification in context.allowed_classifications
        and (
            not context.allowed_source_types
            or governance.source_type in context.allowed_source_types
        )
    )


def covers(context: SecurityContext, made_under: SecurityContext) -> bool:
    """Whether all that could be read under ``made_under`` may be read under ``context`` too."""
    types, then = context.allowed_source_types, made_under.allowed_source_types
    return (
        context.tenant_id == made_under.tenant_id
        and set(made_under.allowed_acl_policy_ids) <= set(context.allowed_acl_policy_ids)
        and set(made_under.allowed_classifications) <= set(context.allowed_classifications)
        and (not types or (bool(then) and set(then) <= set(types)))
    )


def answers_for(user: User, owner: str) -> bool:
    """Whether ``owner``, as a document names it, is this user or the user's department."""
    names = (user.user_id, user.name, user.email, user.department)
    wanted = owner.strip().casefold()
    return bool(wanted) and wanted in {name.strip().casefold() for name in names if name}
