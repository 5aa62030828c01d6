"""The tools that write: one change for each key, whatever is asked again."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import Engine

from core.adapters.case_fields import CaseFields
from core.adapters.file_actions import FileActions
from core.adapters.sql_review_store import SqlReviewStore
from core.errors import BadInput, TryAgainLater
from core.review.action_tool import StartRefund, UpdateCase
from tests.contracts.builders import TENANT, a_case
from tests.fakes.breaking_store import BreakingStore
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.recording_channel import Killed

REFUND = StartRefund(
    order_id="A-1", amount=Decimal("12.50"), currency="USD", reason="../../return 退货"
)


def _refunds(folder: Path) -> FileActions:
    return FileActions("start_refund", StartRefund, folder)


def test_a_refund_becomes_one_readable_file(tmp_path: Path) -> None:
    tool = _refunds(tmp_path / "actions")
    assert tool.receipt_of("../key") is None
    receipt = tool.run(REFUND, idempotency_key="../key", tenant_id=TENANT)
    (file,) = (tmp_path / "actions").iterdir()
    held = json.loads(file.read_text(encoding="utf-8"))
    assert receipt == f"file:{file.name}" == tool.receipt_of("../key")
    assert held["arguments"] == {
        "order_id": "A-1",
        "amount": "12.50",
        "currency": "USD",
        "reason": "../../return 退货",
    }
    assert (held["tool"], held["tenant_id"]) == ("start_refund", TENANT)


def test_a_key_used_before_keeps_its_first_file(tmp_path: Path) -> None:
    tool = _refunds(tmp_path)
    more = REFUND.model_copy(update={"amount": Decimal(99)})
    with ThreadPoolExecutor(4) as pool:
        receipts = set(
            pool.map(
                lambda each: tool.run(each, idempotency_key="k", tenant_id=TENANT),
                [REFUND, REFUND, REFUND, REFUND],
            )
        )
    assert tool.run(more, idempotency_key="k", tenant_id=TENANT) in receipts
    (file,) = tmp_path.iterdir()
    assert json.loads(file.read_text())["arguments"]["amount"] == "12.50"


def test_a_folder_that_cannot_be_written_is_a_passing_fault(tmp_path: Path) -> None:
    (tmp_path / "actions").write_text("in the way")
    with pytest.raises(TryAgainLater, match="cannot be written"):
        _refunds(tmp_path / "actions").run(REFUND, idempotency_key="k", tenant_id=TENANT)


def test_a_tool_takes_only_its_own_arguments(tmp_path: Path) -> None:
    other = UpdateCase(case_id="1042", field="order", value="A-1")
    with pytest.raises(BadInput, match="does not take UpdateCase"):
        _refunds(tmp_path).run(other, idempotency_key="k", tenant_id=TENANT)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def store(engine: Engine) -> SqlReviewStore:
    store = SqlReviewStore(engine, FixedClock())
    with store.write() as txn:
        txn.add_case(a_case(fields={"membership": "Gold"}))
    return store


def _note_order(store: SqlReviewStore, key: str = "k", **changes: str) -> str:
    given = {"case_id": "1042", "field": "order", "value": "A-1", **changes}
    tenant = given.pop("tenant_id", TENANT)
    arguments = UpdateCase.model_validate(given)
    return CaseFields(store).run(arguments, idempotency_key=key, tenant_id=tenant)


def test_a_field_is_written_once_with_its_receipt_and_event(store: SqlReviewStore) -> None:
    first = _note_order(store)
    assert _note_order(store, value="A-2") == first == CaseFields(store).receipt_of("k")
    with store.read() as txn:
        case = txn.case("1042")
        (event,) = txn.audit_events()
    assert case is not None
    assert (case.fields, case.version) == ({"membership": "Gold", "order": "A-1"}, 2)
    assert (event.kind, event.payload["before"], event.payload["after"]) == (
        "case.field_changed",
        "",
        "A-1",
    )


def test_a_crash_while_a_field_is_written_leaves_neither_field_nor_receipt(
    store: SqlReviewStore,
) -> None:
    tool = CaseFields(BreakingStore(store, "case.field_changed", Killed()))
    arguments = UpdateCase(case_id="1042", field="order", value="A-1")
    with pytest.raises(Killed):
        tool.run(arguments, idempotency_key="k", tenant_id=TENANT)
    assert CaseFields(store).receipt_of("k") is None
    with store.read() as txn:
        case = txn.case("1042")
    assert case is not None
    assert "order" not in case.fields


@pytest.mark.parametrize("changes", [{"case_id": "9"}, {"tenant_id": "other"}])
def test_a_case_that_is_not_there_or_not_ours_is_refused(
    store: SqlReviewStore, changes: dict[str, str]
) -> None:
    with pytest.raises(BadInput, match="There is no case"):
        _note_order(store, **changes)


def test_a_field_that_steers_the_desk_is_no_argument() -> None:
    with pytest.raises(ValueError, match="order"):
        UpdateCase.model_validate({"case_id": "1042", "field": "audience", "value": "colleague"})
