"""Writes a field of a case in the console's own store, once for each key."""

from __future__ import annotations

from core.errors import BadInput
from core.models.base import Model
from core.review.action_tool import UpdateCase
from core.review.store import ReviewStore


class CaseFields:
    """``ActionTool`` for ``update_case``: change, receipt and audit event in one transaction."""

    def __init__(self, store: ReviewStore) -> None:
        self._store = store

    @property
    def name(self) -> str:
        return "update_case"

    @property
    def parameters(self) -> type[Model]:
        return UpdateCase

    def run(self, arguments: Model, *, idempotency_key: str, tenant_id: str) -> str:
        """Set the field and return a receipt. Raises ``BadInput`` for a case that is not there."""
        if not isinstance(arguments, UpdateCase):
            raise BadInput(f"update_case does not take {type(arguments).__name__}.")
        with self._store.write() as txn:
            if (receipt := txn.action_receipt(idempotency_key)) is not None:
                return receipt
            case = txn.case(arguments.case_id)
            if case is None or case.tenant_id != tenant_id:
                raise BadInput(f"There is no case {arguments.case_id!r}.")
            before = case.fields.get(arguments.field, "")
            fields = {**case.fields, arguments.field: arguments.value}
            # The time of its last change stays: that is how long the customer has been waiting.
            changed = case.model_copy(update={"fields": fields})
            saved = txn.save_case(changed, expected_version=case.version)
            receipt = f"case {saved.case_id}, version {saved.version}"
            txn.add_action_receipt(idempotency_key, receipt)
            txn.audit(
                tenant_id=tenant_id,
                actor="system:actions",
                kind="case.field_changed",
                subject_kind="case",
                subject_id=saved.case_id,
                payload={
                    "field": arguments.field,
                    "before": before,
                    "after": arguments.value,
                    "idempotency_key": idempotency_key,
                    "version": saved.version,
                },
            )
            return receipt

    def receipt_of(self, idempotency_key: str) -> str | None:
        """What was done under the key, ``None`` for nothing."""
        with self._store.read() as txn:
            return txn.action_receipt(idempotency_key)
