"""Decisions on proposed actions, and the receipts of tools that work on this very database."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select, update

from core.adapters.sql_schema_actions import action_receipts, actions
from core.adapters.sql_transaction import SqlTransaction
from core.errors import Conflicted, NotFound, StaleVersion
from core.models.action import ActionRecord, ActionState


class ActionPart(SqlTransaction):
    """The part of a review transaction that actions live in."""

    def add_action(self, action: ActionRecord) -> None:
        values = {
            "tenant_id": action.tenant_id,
            "proposal_id": action.proposal_id,
            "case_id": action.case_id,
            "trace_id": action.trace_id,
            "tool": action.proposal.tool,
            "state": action.state,
            "body": action.model_dump_json(),
        }
        if not self._add(actions, values):
            raise Conflicted("This action was decided on already; look at its state.")

    def save_action(self, action: ActionRecord, *, expected_state: ActionState) -> ActionRecord:
        changed = self._change(
            update(actions)
            .where(
                actions.c.tenant_id == action.tenant_id,
                actions.c.proposal_id == action.proposal_id,
                actions.c.state == expected_state,
            )
            .values(
                case_id=action.case_id,
                trace_id=action.trace_id,
                state=action.state,
                body=action.model_dump_json(),
            )
        )
        if changed:
            return action
        stored = self.action(action.tenant_id, action.proposal_id)
        if stored is None:
            raise NotFound(f"There is no action {action.proposal_id!r}.")
        raise StaleVersion(
            f"Action {action.proposal_id} is {stored.state} by now, not {expected_state}."
        )

    def action(self, tenant_id: str, proposal_id: str) -> ActionRecord | None:
        found = (actions.c.tenant_id == tenant_id, actions.c.proposal_id == proposal_id)
        return self._one(ActionRecord, select(actions.c.body).where(*found))

    def actions(
        self,
        *,
        tenant_id: str | None = None,
        case_id: str | None = None,
        states: Sequence[ActionState] | None = None,
    ) -> tuple[ActionRecord, ...]:
        statement = select(actions.c.body)
        if tenant_id is not None:
            statement = statement.where(actions.c.tenant_id == tenant_id)
        if case_id is not None:
            statement = statement.where(actions.c.case_id == case_id)
        if states is not None:
            statement = statement.where(actions.c.state.in_(states))
        return self._all(ActionRecord, statement.order_by(actions.c.position))

    def add_action_receipt(self, key: str, receipt: str) -> None:
        values = {"key": key, "receipt": receipt, "at": self._clock.now()}
        if not self._add(action_receipts, values):
            raise Conflicted(f"Something was done under the key {key!r} already.")

    def action_receipt(self, key: str) -> str | None:
        found = select(action_receipts.c.receipt).where(action_receipts.c.key == key)
        receipt: str | None = self._connection.execute(found).scalar_one_or_none()
        return receipt
