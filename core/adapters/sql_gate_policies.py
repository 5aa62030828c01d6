"""Gate policies over SQL; saving one and its audit event are one transaction."""

from __future__ import annotations

from pydantic import ValidationError
from sqlalchemy import Connection, Engine, select

from core.adapters import sql_audit
from core.adapters.sql_engine import insert_new, reading, writing
from core.adapters.sql_schema_gate import gate_policies
from core.errors import IntegrityBroken, StaleVersion
from core.models.evidence import GateThresholds
from core.models.gate_policy import GatePolicy
from core.ports import Clock


class SqlGatePolicies:
    """The gate's policies on an engine from ``open_database``. Safe to share by threads."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        self._engine, self._clock = engine, clock

    def active(self, tenant_id: str) -> GatePolicy | None:
        """The policy in force, ``None`` while none was saved."""
        with reading(self._engine) as connection:
            return _active(connection, tenant_id)

    def history(self, tenant_id: str, limit: int = 50) -> tuple[GatePolicy, ...]:
        """The tenant's policies, newest first."""
        wanted = select(gate_policies.c.body).where(gate_policies.c.tenant_id == tenant_id)
        wanted = wanted.order_by(gate_policies.c.position.desc()).limit(limit)
        with reading(self._engine) as connection:
            bodies = connection.execute(wanted).scalars()
            return tuple(_policy(body) for body in bodies)

    def save(self, policy: GatePolicy, *, before: GateThresholds) -> None:
        """Put ``policy`` in force in the place of the one it ``replaces``.

        ``before`` goes into the audit event where no policy held so far. Raises ``StaleVersion``
        when another one is in force by now; nothing is written then.
        """
        with writing(self._engine) as connection:
            current = _active(connection, policy.tenant_id)
            if (current.policy_id if current else "") != policy.replaces or not insert_new(
                connection, gate_policies, _row(policy)
            ):
                raise StaleVersion(_moved_on(current))
            was = current.thresholds if current else before
            payload = {
                "before": was.model_dump(),
                "after": policy.thresholds.model_dump(),
                "reason": policy.reason,
                "replaces": policy.replaces,
            }
            event = sql_audit.Entry(
                policy.tenant_id,
                policy.saved_by,
                "gate_policy.saved",
                "policy",
                policy.policy_id,
                payload,
            )
            sql_audit.append(connection, self._clock, [event])


def _active(connection: Connection, tenant_id: str) -> GatePolicy | None:
    wanted = select(gate_policies.c.body).where(gate_policies.c.tenant_id == tenant_id)
    newest = wanted.order_by(gate_policies.c.position.desc()).limit(1)
    body = connection.execute(newest).scalar_one_or_none()
    return None if body is None else _policy(body)


def _policy(body: str) -> GatePolicy:
    """Thresholds that cannot be read stop the run: the settings' would not be those chosen."""
    try:
        return GatePolicy.model_validate_json(body)
    except ValidationError as error:
        place = ".".join(str(part) for part in error.errors()[0]["loc"]) or "the whole"
        raise IntegrityBroken(
            f"A stored gate policy cannot be read ({place}: {error.errors()[0]['msg']}). It was "
            "changed outside Countersign: restore the database from a backup."
        ) from error


def _row(policy: GatePolicy) -> dict[str, object]:
    return {
        "policy_id": policy.policy_id,
        "tenant_id": policy.tenant_id,
        "replaces": policy.replaces,
        "saved_at": policy.saved_at,
        "body": policy.model_dump_json(),
    }


def _moved_on(current: GatePolicy | None) -> str:
    if current is None:
        return "No gate policy is in force any more. Reload, look, and save again."
    return (
        f"{current.saved_by} saved other gate thresholds meanwhile ({current.reason}). "
        "Reload, look at them, and save again if yours should still replace them."
    )
