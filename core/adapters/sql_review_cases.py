"""Cases, leases, autosaved edits and what was opened."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, select, update

from core.adapters.sql_schema import cases, leases, opened_items, working_edits
from core.adapters.sql_transaction import SqlTransaction
from core.errors import BadInput, NotFound, StaleVersion
from core.models.review import Case, CaseState, Lease, WorkingEdit


class CasePart(SqlTransaction):
    """The part of a review transaction that a case's work in progress lives in."""

    def case(self, case_id: str) -> Case | None:
        return self._one(Case, select(cases.c.body).where(cases.c.case_id == case_id))

    def cases(self, tenant_id: str, states: Sequence[CaseState] | None = None) -> tuple[Case, ...]:
        statement = select(cases.c.body).where(cases.c.tenant_id == tenant_id)
        if states is not None:
            statement = statement.where(cases.c.state.in_(states))
        return self._all(Case, statement.order_by(cases.c.updated_at, cases.c.case_id))

    def add_case(self, case: Case) -> None:
        values = {
            "case_id": case.case_id,
            "tenant_id": case.tenant_id,
            "state": case.state,
            "version": case.version,
            "updated_at": case.updated_at,
            "body": case.model_dump_json(),
        }
        if not self._add(cases, values):
            raise BadInput(f"Case {case.case_id!r} exists already. Give the new case another id.")

    def save_case(self, case: Case, *, expected_version: int) -> Case:
        saved = case.model_copy(update={"version": expected_version + 1})
        changed = self._change(
            update(cases)
            .where(
                cases.c.case_id == case.case_id,
                cases.c.tenant_id == case.tenant_id,
                cases.c.version == expected_version,
            )
            .values(
                state=saved.state,
                version=saved.version,
                updated_at=saved.updated_at,
                body=saved.model_dump_json(),
            )
        )
        if changed:
            return saved
        stored = self.case(case.case_id)
        if stored is None or stored.tenant_id != case.tenant_id:
            raise NotFound(f"There is no case {case.case_id!r}.")
        raise StaleVersion(
            f"Case {case.case_id} changed meanwhile (it is at version {stored.version}, "
            f"you read version {expected_version}). Reload it and decide again."
        )

    def lease(self, case_id: str) -> Lease | None:
        return self._one(Lease, select(leases.c.body).where(leases.c.case_id == case_id))

    def leases(self, tenant_id: str) -> dict[str, Lease]:
        statement = select(leases.c.body).join(cases).where(cases.c.tenant_id == tenant_id)
        return {lease.case_id: lease for lease in self._all(Lease, statement)}

    def put_lease(self, lease: Lease) -> None:
        self._put(leases, {"case_id": lease.case_id, "body": lease.model_dump_json()})

    def drop_lease(self, case_id: str) -> None:
        self._change(delete(leases).where(leases.c.case_id == case_id))

    def working_edit(self, case_id: str, user_id: str) -> WorkingEdit | None:
        statement = select(working_edits.c.body).where(
            working_edits.c.case_id == case_id, working_edits.c.user_id == user_id
        )
        return self._one(WorkingEdit, statement)

    def put_working_edit(self, edit: WorkingEdit) -> None:
        values = {
            "case_id": edit.case_id,
            "user_id": edit.user_id,
            "body": edit.model_dump_json(),
        }
        self._put(working_edits, values)

    def drop_working_edit(self, case_id: str, user_id: str) -> None:
        self._change(
            delete(working_edits).where(
                working_edits.c.case_id == case_id, working_edits.c.user_id == user_id
            )
        )

    def add_opened(
        self, case_id: str, user_id: str, draft_id: str, item_id: str, at: datetime
    ) -> None:
        values = {
            "case_id": case_id,
            "user_id": user_id,
            "draft_id": draft_id,
            "item_id": item_id,
            "at": at,
        }
        self._add(opened_items, values)

    def opened(self, case_id: str, user_id: str, draft_id: str) -> tuple[str, ...]:
        statement = select(opened_items.c.item_id).where(
            opened_items.c.case_id == case_id,
            opened_items.c.user_id == user_id,
            opened_items.c.draft_id == draft_id,
        )
        return tuple(
            self._connection.execute(statement.order_by(opened_items.c.position)).scalars()
        )
