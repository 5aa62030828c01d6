"""Users and access policies over SQL; a change and its audit event are one transaction."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Table, select

from core.adapters import sql_audit
from core.adapters.sql_engine import reading, upsert, writing
from core.adapters.sql_schema import acl_policies, users
from core.errors import BadInput
from core.identity.store import UserCheck
from core.models.access import AclPolicy, User
from core.models.base import Model
from core.ports import Clock
from core.review.store import SubjectKind


class SqlPolicyStore:
    """``PolicyAdmin`` on an engine from ``open_database``. Safe to share by threads."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock

    def user(self, user_id: str) -> User | None:
        with reading(self._engine) as connection:
            body = _body(connection, users, users.c.user_id == user_id)
        return None if body is None else User.model_validate_json(body)

    def users(self, tenant_id: str) -> tuple[User, ...]:
        with reading(self._engine) as connection:
            return _users(connection, tenant_id)

    def acl_policies(self, tenant_id: str) -> tuple[AclPolicy, ...]:
        wanted = select(acl_policies.c.body).where(acl_policies.c.tenant_id == tenant_id)
        with reading(self._engine) as connection:
            bodies = connection.execute(wanted.order_by(acl_policies.c.policy_id)).scalars()
            return tuple(AclPolicy.model_validate_json(body) for body in bodies)

    def put_user(
        self, user: User, *, actor: str, reason: str = "", check: UserCheck | None = None
    ) -> None:
        with writing(self._engine) as connection:
            if check is not None:
                check(_users(connection, user.tenant_id))
            before = _body(connection, users, users.c.user_id == user.user_id)
            if before is not None and User.model_validate_json(before).tenant_id != user.tenant_id:
                raise BadInput(f"The user id {user.user_id!r} is taken. Choose another.")
            key = {"user_id": user.user_id, "tenant_id": user.tenant_id}
            upsert(connection, users, {**key, "body": user.model_dump_json()})
            self._record(
                connection, user.tenant_id, "user", user.user_id, before, user, actor, reason
            )

    def put_acl_policy(self, policy: AclPolicy, *, actor: str) -> None:
        key = {"tenant_id": policy.tenant_id, "policy_id": policy.policy_id}
        with writing(self._engine) as connection:
            before = _body(
                connection,
                acl_policies,
                (acl_policies.c.tenant_id == policy.tenant_id)
                & (acl_policies.c.policy_id == policy.policy_id),
            )
            upsert(connection, acl_policies, {**key, "body": policy.model_dump_json()})
            self._record(
                connection, policy.tenant_id, "policy", policy.policy_id, before, policy, actor
            )

    def _record(
        self,
        connection: Connection,
        tenant_id: str,
        subject_kind: SubjectKind,
        subject_id: str,
        before: str | None,
        after: Model,
        actor: str,
        reason: str = "",
    ) -> None:
        old = None if before is None else type(after).model_validate_json(before)
        if old == after:
            return
        payload = {"before": old, "after": after, **({"reason": reason} if reason else {})}
        kind = f"{subject_kind}.{'added' if old is None else 'changed'}"
        event = sql_audit.Entry(tenant_id, actor, kind, subject_kind, subject_id, payload)
        sql_audit.append(connection, self._clock, [event])


def _users(connection: Connection, tenant_id: str) -> tuple[User, ...]:
    wanted = select(users.c.body).where(users.c.tenant_id == tenant_id)
    bodies = connection.execute(wanted.order_by(users.c.user_id)).scalars()
    return tuple(User.model_validate_json(body) for body in bodies)


def _body(connection: Connection, table: Table, found: ColumnElement[bool]) -> Any:
    return connection.execute(select(table.c.body).where(found)).scalar_one_or_none()
