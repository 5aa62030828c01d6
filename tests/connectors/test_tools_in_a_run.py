"""Injection, foreign rows, wrong types and slow databases, through the whole flow."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.adapters.connectors import open_connectors
from core.errors import TooSlow
from core.models.evidence import EvidenceCandidate
from core.models.trace import PipelineRun
from core.tools.ports import ReadTool
from tests.connectors.small_flow import a_flow, asked, demo_records
from tests.connectors.warehouse import ENDLESS, SELECT, Log, a_file, a_warehouse
from tests.stages.language_builders import rights

CALLED = 'called_for = "order"'
HOSTILE = (
    "A-1' OR 1=1 --",
    "A-10293'; DROP TABLE orders; --",
    "A-10293' UNION SELECT * FROM customers --",
    'A-1" OR "1"="1',
    "A-10293%00",
    "A-1029_",
    "A-%",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("flow")
    demo_records(folder)
    a_warehouse(folder)
    return folder


def _connected(folder: Path, sql: str = SELECT, more: str = CALLED) -> list[ReadTool]:
    (connector,) = open_connectors(a_file(folder, sql=sql, more=more))
    return list(connector.tools)


def _orders(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "records.db")) as connection:
        return int(connection.execute("SELECT count(*) FROM orders").fetchone()[0])


def _rows(run: PipelineRun) -> list[str]:
    return [g.candidate.source_uri for g in run.gated if g.candidate.looked_up]


@pytest.mark.parametrize("number", HOSTILE)
def test_a_hostile_order_number_finds_no_other_order_and_changes_nothing(
    folder: Path, number: str
) -> None:
    before = _orders(folder)
    run = asked(a_flow(folder / "records.db"), f"What is the status of order {number}?")
    assert run.trace.failure == ""
    assert set(_rows(run)) <= {"records:orders/A-10293"}
    assert all(c.outcome in ("answered", "not_found") for c in run.trace.tool_calls)
    assert _orders(folder) == before


@given(
    st.text(
        alphabet=st.one_of(st.sampled_from("A-10293'\";%_\\/*()=, "), st.characters()),
        min_size=1,
        max_size=40,
    )
)
def test_whatever_stands_for_a_number_only_the_order_it_names_is_read(
    folder: Path, number: str
) -> None:
    flow = a_flow(folder / "records.db")
    answer, call = flow.toolbox.call("check_order_status", rights("agent"), {"order_id": number})
    canonical = number.strip().lstrip("#").upper()
    assert [row.metadata["order_number"] for row in answer.rows] in ([], [canonical])
    assert call.outcome in ("answered", "not_found")


def test_a_connector_called_for_orders_brings_its_rows_into_the_run(folder: Path) -> None:
    run = asked(
        a_flow(folder / "records.db", _connected(folder)), "Where is the parcel of order A-10293?"
    )
    assert "records:parcel_scans/S-2" in _rows(run)
    assert [(c.tool, c.outcome) for c in run.trace.tool_calls] == [
        ("check_order_status", "answered"),
        ("scans", "answered"),
    ]


def test_a_foreign_row_never_enters_a_run_even_when_the_sql_is_wrong(folder: Path) -> None:
    leak = SELECT.replace("tenant_id = :tenant AND", "(tenant_id = :tenant OR 1 = 1) AND")
    log = Log()
    flow = a_flow(folder / "records.db", _connected(folder, leak), log)
    run = asked(flow, "Where is the parcel of order A-10293?")
    assert "Secretville" not in run.model_dump_json()
    assert run.trace.access_violations_dropped == 1
    assert len(log.reported) == 1


def test_a_slow_connector_is_named_and_the_rest_is_answered(folder: Path) -> None:
    slow = _connected(folder, ENDLESS, f"{CALLED}\ntimeout_ms = 30")
    run = asked(a_flow(folder / "records.db", slow), "What is the status of order A-10293?")
    assert run.answer.status == "answered"
    assert 'The status of order A-10293 is "delivered"' in run.answer.answer_markdown
    (words,) = run.answer.missing_information
    assert words.startswith("scans for order A-10293 could not be read: ")
    assert "did not answer within 0.03 s" in words
    assert run.answer.confidence != "high"
    assert run.trace.failure == ""


class _SlowRecords:
    """A database that takes too long."""

    def __init__(self) -> None:
        self.asked = 0

    def order(self, tenant_id: str, number: str) -> EvidenceCandidate | None:
        self.asked += 1
        raise TooSlow("The records database did not answer within 5 s; nothing was read.")

    def customer(self, tenant_id: str, customer_id: str) -> EvidenceCandidate | None:
        raise AssertionError("nobody asked for a customer")


def test_a_slow_records_database_is_neither_a_guess_nor_the_end_of_the_run() -> None:
    records = _SlowRecords()
    run = asked(a_flow(records), "What is the status of order A-10293?")
    assert run.trace.failure == ""
    assert run.answer.status == "insufficient_evidence"
    assert any("could not be read" in words for words in run.answer.missing_information)
    assert "We could not look this number up at the moment" in run.answer.answer_markdown
    assert "could not find" not in run.answer.answer_markdown
    assert [c.outcome for c in run.trace.tool_calls] == ["too_slow"]
    assert records.asked == 1  # no later round waits for it again


def test_an_unknown_order_is_said_to_be_unknown(folder: Path) -> None:
    run = asked(a_flow(folder / "records.db"), "What is the status of order A-99999?")
    assert run.answer.status == "insufficient_evidence"
    assert "We could not find this number in our records" in run.answer.answer_markdown


def test_a_number_too_long_to_be_one_ends_in_words(folder: Path) -> None:
    run = asked(a_flow(folder / "records.db"), f"What is the status of order A-{'9' * 80}?")
    assert run.trace.failure == ""
    assert [c.outcome for c in run.trace.tool_calls] == ["wrong_type"]
    assert any("order_id is text that does not fit" in m for m in run.answer.missing_information)
