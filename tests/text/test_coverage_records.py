"""A row covers a dimension that names it; a sum is covered by a calculation alone."""

from __future__ import annotations

from core.models.calculation import Calculation
from core.models.evidence import Evidence, EvidencePackage, GatedPassage
from core.models.plan import Dimension
from core.text.coverage_records import found_records
from tests.stages.language_builders import a_candidate, planned

_PLAN = planned("What is the status of order A-1029?")
_STATUS = Dimension(id="D1", name="order A-1029", query="status", kind="record", aspect="record")
_SUM = Dimension(
    id="D2", name="refund for order A-1029", query="how much", kind="record", aspect="amount"
)


def _package(*numbers: str, worked: bool = False, **unread: str) -> EvidencePackage:
    evidence = tuple(
        Evidence(
            evidence_id=f"EVID-{n:04d}",
            gated=GatedPassage(
                candidate=a_candidate(
                    f"records:orders/{number}",
                    text=f"Order {number} was delivered.",
                    retrieval_source="record",
                    calculation=_calculation() if worked else None,
                ),
                scores=None,
                route="include",
                rule="evidence",
                reason="",
            ),
        )
        for n, number in enumerate(numbers, start=1)
    )
    return EvidencePackage(request_id="r", query="q", selected_evidence=evidence, unread=unread)


def _calculation() -> Calculation:
    return Calculation(title="Refund", inputs=(), steps=(), result="$1.00")


def test_a_row_covers_the_order_it_names_and_no_longer_number() -> None:
    assert found_records(_STATUS, _PLAN, _package("A-1029")).rows
    assert not found_records(_STATUS, _PLAN, _package("A-10293")).rows


def test_a_sum_is_covered_by_a_calculation_and_a_status_by_none() -> None:
    row, worked = _package("A-1029"), _package("A-1029", worked=True)
    assert not found_records(_SUM, _PLAN, row).rows
    assert found_records(_SUM, _PLAN, worked).rows
    assert not found_records(_STATUS, _PLAN, worked).rows


def test_what_was_not_read_is_not_said_to_be_missing() -> None:
    empty = found_records(_STATUS, _PLAN, _package())
    assert empty.reason == "no record with that number was found"
    unread = _package(**{"A-1029": "could not be read: too slow."})
    assert found_records(_STATUS, _PLAN, unread).reason == "could not be read: too slow"
    failed = _package(**{"refund for order A-1029": "could not be worked out: it was cancelled."})
    assert "it was cancelled" in found_records(_SUM, _PLAN, failed).reason
