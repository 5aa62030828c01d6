"""Orders and customers come back as evidence that can be quoted and located."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from core.adapters.records_build import build_records
from core.adapters.records_db import SqliteRecords
from core.errors import BadSource, TooSlow, Unavailable
from core.text.sentences import split_sentences

DATA = Path(__file__).resolve().parents[2] / "data"
TENANT = "athena"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("records") / "records.db"
    build_records(
        built, customers=DATA / "customers.csv", orders=DATA / "orders.csv", tenant_id=TENANT
    )
    return built


@pytest.fixture(scope="module")
def records(path: Path) -> SqliteRecords:
    return SqliteRecords(path)


def _copies(tmp_path: Path) -> tuple[Path, Path]:
    customers, orders = tmp_path / "customers.csv", tmp_path / "orders.csv"
    customers.write_bytes((DATA / "customers.csv").read_bytes())
    orders.write_bytes((DATA / "orders.csv").read_bytes())
    return customers, orders


def test_an_order_is_evidence_located_by_its_row_key(records: SqliteRecords) -> None:
    order = records.order(TENANT, "A-10293")
    assert order is not None
    assert order.chunk_id == order.source_uri == "records:orders/A-10293"
    assert (order.authority, order.source_type) == ("case_record", "INTERNAL_DB_TABLE")
    assert (order.permission_tag, order.acl_policy_id) == ("PERSONAL_DATA_PII", "support-internal")
    assert order.retrieval_source == "record"
    assert order.metadata["customer_id"] == "88"
    assert order.metadata["placed_on"] == "2026-11-18"


def test_each_fact_of_an_order_is_a_sentence_of_its_own(records: SqliteRecords) -> None:
    order = records.order(TENANT, "A-10293")
    assert order is not None
    sentences = [span.text for span in split_sentences(order.text)]
    assert 'The status of order A-10293 is "delivered" as of 24 November 2026.' in sentences
    assert "Order A-10293 was delivered on 24 November 2026." in sentences
    assert "Order A-10293 was placed on 18 November 2026 by customer 88." in sentences
    assert all("A-10293" in sentence for sentence in sentences)


@pytest.mark.parametrize("written", ["a-10293", " A-10293 ", "#A-10293"])
def test_a_number_is_found_however_it_was_typed(records: SqliteRecords, written: str) -> None:
    order = records.order(TENANT, written)
    assert order is not None
    assert order.document_id == "records:orders/A-10293"


@pytest.mark.parametrize("written", ["88", "C-0088", "c-88"])
def test_a_customer_is_found_by_either_form_of_the_id(records: SqliteRecords, written: str) -> None:
    customer = records.customer(TENANT, written)
    assert customer is not None
    assert customer.source_uri == "records:customers/88"
    assert "Customer 88 is Maya Lindqvist." in customer.text


def test_a_status_without_a_day_stands_alone(records: SqliteRecords) -> None:
    order = records.order(TENANT, "A-10311")
    assert order is not None
    assert order.text.startswith('The status of order A-10311 is "processing". ')


def test_a_return_without_a_refund_says_so(records: SqliteRecords) -> None:
    order = records.order(TENANT, "A-10219")
    assert order is not None
    assert "The refund for order A-10219 has not been paid yet." in order.text


@pytest.mark.parametrize("number", ["A-99999", "", "' OR 1=1 --", "A-10293' --", "%", "A-1029_"])
def test_an_unknown_or_hostile_number_is_none(records: SqliteRecords, number: str) -> None:
    assert records.order(TENANT, number) is None
    assert records.customer(TENANT, number) is None


def test_another_tenant_sees_no_row(records: SqliteRecords) -> None:
    assert records.order("other", "A-10293") is None
    assert records.customer("other", "88") is None


def test_reading_never_writes_to_the_file(path: Path, records: SqliteRecords) -> None:
    before = path.read_bytes()
    path.chmod(0o444)
    assert records.order(TENANT, "A-10305") is not None
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir()] == ["records.db"]


def test_every_order_reads_as_whole_sentences(path: Path, records: SqliteRecords) -> None:
    connection = sqlite3.connect(path)
    numbers = [row[0] for row in connection.execute("SELECT order_number FROM orders")]
    connection.close()
    assert len(numbers) >= 60
    for number in numbers:
        order = records.order(TENANT, number)
        assert order is not None
        assert order.text.endswith(".")
        assert "None" not in order.text
        assert "  " not in order.text


def test_a_missing_database_says_how_to_build_it(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="countersign demo"):
        SqliteRecords(tmp_path / "none.db").order(TENANT, "A-10293")


def test_a_file_that_is_no_database_is_unavailable(tmp_path: Path) -> None:
    broken = tmp_path / "records.db"
    broken.write_bytes(b"not a database at all, only some text that is long enough to be read")
    with pytest.raises(Unavailable, match="cannot be read"):
        SqliteRecords(broken).order(TENANT, "A-10293")


def test_building_again_gives_the_same_rows(tmp_path: Path) -> None:
    customers, orders = _copies(tmp_path)
    target = tmp_path / "home" / "records.db"
    first = build_records(target, customers=customers, orders=orders, tenant_id=TENANT)
    again = build_records(target, customers=customers, orders=orders, tenant_id=TENANT)
    assert first == again
    assert [p.name for p in target.parent.iterdir()] == ["records.db"]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (
            "A-10293,88,2026-11-18",
            "A-10293,88,18.11.2026",
            r"orders\.csv:\d+: placed_on '18\.11\.2026' is not a date",
        ),
        ("68.95", "n/a", r"orders\.csv:\d+: total 'n/a' is not an amount"),
        ("A-10103,", "A-10101,", "order_number 'A-10101' appears twice"),
        ("A-10293,88,", "A-10293,777,", "no customer '777'"),
        ("order_number,", "number,", "header is not as expected"),
        ("A-10293,88,", "A-10293,88", "one value for each column"),
    ],
)
def test_a_faulty_row_is_named_and_the_old_database_stays(
    tmp_path: Path, old: str, new: str, complaint: str
) -> None:
    customers, orders = _copies(tmp_path)
    target = tmp_path / "records.db"
    build_records(target, customers=customers, orders=orders, tenant_id=TENANT)
    text = orders.read_text(encoding="utf-8")
    assert old in text
    orders.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(BadSource, match=complaint):
        build_records(target, customers=customers, orders=orders, tenant_id=TENANT)
    assert SqliteRecords(target).order(TENANT, "A-10293") is not None
    assert not list(tmp_path.glob("*.new"))


def test_a_database_that_is_held_by_somebody_else_ends_too_slow_and_not_for_ever(
    path: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "records.db"
    copy.write_bytes(path.read_bytes())
    holder = sqlite3.connect(copy, isolation_level=None)
    try:
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(TooSlow, match=r"did not answer within 0\.03 s"):
            SqliteRecords(copy, timeout_ms=30).order(TENANT, "A-10293")
    finally:
        holder.close()
