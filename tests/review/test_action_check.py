"""The last look at the records: what they say now decides, not what a run saw."""

from __future__ import annotations

import pytest

from core.models.evidence import EvidenceCandidate
from core.models.review import Case
from core.review.action_check import RecordCheck
from tests.review.builders import a_case, a_context
from tests.stages.evidence_builders import a_passage

REFUND = {"order_id": "A-1", "amount": "112.00", "currency": "USD", "reason": "return received"}
FIELD = {"case_id": "1042", "field": "order", "value": "A-1"}


class Records:
    """One order, whatever its number."""

    def __init__(self, **columns: str) -> None:
        self.acl = columns.pop("acl", "support-internal")
        self.held = {
            "order_number": "A-1",
            "customer_id": "88",
            "total": "118.95",
            "currency": "USD",
            "final_sale": "no",
            "returned_on": "2026-11-19",
            "refunded_on": "",
            **columns,
        }

    def order(self, tenant_id: str, number: str) -> EvidenceCandidate | None:
        if number != "A-1":
            return None
        return a_passage(
            "records:orders/A-1",
            tenant_id=tenant_id,
            acl_policy_id=self.acl,
            classification="internal",
            retrieval_source="record",
            metadata=self.held,
        )

    def customer(self, tenant_id: str, customer_id: str) -> EvidenceCandidate | None:
        raise AssertionError("nobody asked for a customer")


def _why(tool: str, arguments: dict[str, str], case: Case | None = None, **columns: str) -> str:
    held = case or a_case(fields={})
    check = RecordCheck(Records(**columns), lambda tenant, case_id: held if case_id else None)
    return check(a_context("ana"), tool, arguments, "1042" if held else "")


def test_what_the_record_still_bears_may_run() -> None:
    assert _why("start_refund", REFUND) == ""
    assert _why("update_case", FIELD) == ""
    assert _why("update_case", {**FIELD, "field": "membership", "value": "Gold"}) == ""


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"refunded_on": "2026-11-30"}, "was refunded on 2026-11-30"),
        ({"returned_on": ""}, "shows no return"),
        ({"final_sale": "yes"}, "Final Sale"),
        ({"total": "100.00"}, "cost 100.00"),
        ({"currency": "EUR"}, "paid in EUR"),
        ({"customer_id": "89"}, "of this customer"),
        ({"acl": "hr-confidential"}, "of this customer"),
    ],
)
def test_a_record_that_changed_stops_the_refund(columns: dict[str, str], says: str) -> None:
    why = _why("start_refund", REFUND, **columns)
    assert says in why


def test_an_order_that_is_gone_stops_everything() -> None:
    assert "No order A-2" in _why("start_refund", {**REFUND, "order_id": "A-2"})
    assert "No order A-2" in _why("update_case", {**FIELD, "value": "A-2"})


def test_a_field_that_was_filled_meanwhile_is_not_overwritten() -> None:
    assert "holds “A-9” by now" in _why("update_case", FIELD, a_case(fields={"order": "A-9"}))


def test_a_case_that_is_gone_bears_nothing() -> None:
    check = RecordCheck(Records(), lambda _tenant, _case_id: None)
    assert "no case 1042" in check(a_context("ana"), "start_refund", REFUND, "1042")
