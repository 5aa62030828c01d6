"""The last look at the records before a change is confirmed, and again before it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.models.access import SecurityContext
from core.models.evidence import EvidenceCandidate
from core.models.review import Case
from core.ports import RecordStore
from core.review.access import may_see
from core.text.identifiers import same_customer
from core.text.refund_due import amount, refund_refused


class RecordCheck:
    """``StillBorne`` over the company's records: the order as it is now, not as a run saw it."""

    def __init__(self, records: RecordStore, case_of: Callable[[str, str], Case | None]) -> None:
        """``case_of`` finds a case by tenant and id."""
        self._records = records
        self._case_of = case_of

    def __call__(
        self, context: SecurityContext, tool: str, arguments: Mapping[str, str], case_id: str
    ) -> str:
        case = self._case_of(context.tenant_id, case_id)
        if case is None:
            return f"There is no case {case_id} any more."
        if tool == "start_refund":
            return self._refund(context, case, arguments)
        return self._field(context, case, arguments)

    def _field(self, context: SecurityContext, case: Case, arguments: Mapping[str, str]) -> str:
        field, value = arguments["field"], arguments["value"]
        if held := case.fields.get(field, "").strip():
            return f"The field “{field}” holds “{held}” by now."
        if field == "order" and self._order(context, case, value) is None:
            return f"No order {value} of this customer is on record."
        return ""

    def _refund(self, context: SecurityContext, case: Case, arguments: Mapping[str, str]) -> str:
        row = self._order(context, case, arguments["order_id"])
        if row is None:
            return f"No order {arguments['order_id']} of this customer is on record."
        if refused := refund_refused(row.metadata):
            return refused
        if row.metadata.get("currency") != arguments["currency"]:
            return f"The order was paid in {row.metadata.get('currency')}."
        total, asked = amount(row.metadata["total"]), amount(arguments["amount"])
        if total is None or asked is None or asked > total:
            return f"The order cost {row.metadata['total']} in total."
        return ""

    def _order(self, context: SecurityContext, case: Case, number: str) -> EvidenceCandidate | None:
        row = self._records.order(context.tenant_id, number)
        if row is None or not may_see(context, row):
            return None
        return row if same_customer(case.customer_id, row.metadata.get("customer_id")) else None
