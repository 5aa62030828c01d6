"""Rows of an administrator's query, over SQLite: bound, limited, checked again, never for ever."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.adapters.connectors import open_connectors
from tests.connectors.warehouse import (
    ENDLESS,
    ROWS,
    SELECT,
    Log,
    a_file,
    a_toolbox,
    a_warehouse,
    scans,
)
from tests.stages.language_builders import rights

HOSTILE = (
    "A-10293' OR 1=1 --",
    "A-1' OR '1'='1",
    "A-10293'; DROP TABLE parcel_scans; --",
    "' UNION SELECT * FROM parcel_scans --",
    "%",
    "_-10293",
    "A-10293\x00",
    ":tenant",
    "borealis",
    "\"; ATTACH DATABASE 'x.db' AS x; --",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("warehouse")
    a_warehouse(folder)
    return folder


def _stored(folder: Path) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(folder / "warehouse.db")) as connection:
        return connection.execute("SELECT * FROM parcel_scans ORDER BY scan_id").fetchall()


def test_rows_come_back_as_evidence_with_their_row_key(folder: Path) -> None:
    called = scans(a_file(folder))
    first, second = called.answer.rows
    assert [first.source_uri, second.source_uri] == [
        "records:parcel_scans/S-2",
        "records:parcel_scans/S-1",
    ]
    assert (first.source_type, first.retrieval_source) == ("INTERNAL_DB_TABLE", "record")
    assert first.source_title == "Scan S-2"
    assert "The place of Scan S-2 is Albany." in first.text
    assert first.metadata["place"] == "Albany"
    assert called.call.row_keys == ("records:parcel_scans/S-2", "records:parcel_scans/S-1")


def test_a_declared_text_is_filled_from_the_row_alone(folder: Path) -> None:
    path = a_file(folder, more='text = "Scanned in {place} on {scanned_on}."')
    assert scans(path).answer.rows[0].text == "Scanned in Albany on 2026-11-22."


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_number_finds_nothing_and_changes_nothing(folder: Path, hostile: str) -> None:
    called = scans(a_file(folder), hostile)
    assert called.call.outcome == "not_found"
    assert _stored(folder) == sorted(ROWS)


@given(st.text(min_size=1, max_size=60))
def test_whatever_is_asked_for_only_rows_of_that_order_and_tenant_come_back(
    folder: Path, wanted: str
) -> None:
    called = scans(a_file(folder), wanted)
    assert all(row.metadata["order_number"] == wanted for row in called.answer.rows)
    assert all(row.tenant_id == "athena" for row in called.answer.rows)
    assert called.call.outcome in ("answered", "not_found")


@pytest.mark.parametrize(
    "leak",
    [
        SELECT.replace("tenant_id = :tenant AND", "(tenant_id = :tenant OR 1 = 1) AND"),
        f"WITH every AS ({SELECT.partition(' ORDER')[0]} UNION SELECT scan_id, tenant_id, "  # noqa: S608
        "order_number, place, scanned_on FROM parcel_scans) SELECT * FROM every",
    ],
)
def test_a_row_of_another_tenant_never_leaves_even_when_the_sql_is_wrong(
    folder: Path, leak: str
) -> None:
    log = Log()
    called = scans(a_file(folder, sql=leak), log=log)
    assert called.answer.rows
    assert {row.tenant_id for row in called.answer.rows} == {"athena"}
    assert "Secretville" not in called.answer.model_dump_json()
    (violations,) = log.reported
    assert called.call.dropped == len(violations)
    assert "S-9" not in called.call.model_dump_json()
    assert all("S-9 dropped: of another tenant" in said for said in violations)


def test_a_query_that_never_ends_is_interrupted(folder: Path) -> None:
    called = scans(a_file(folder, sql=ENDLESS, more="timeout_ms = 30"))
    assert called.call.outcome == "too_slow"
    assert "'warehouse' did not answer within 0.03 s" in called.call.message
    assert called.answer.rows == ()


@pytest.mark.parametrize("given_id", [10293, 10293.5, True, None, ["A-10293"]])
def test_a_wrong_type_is_named_and_the_database_is_not_asked(
    tmp_path: Path, given_id: object
) -> None:
    called = scans(a_file(tmp_path), given_id)  # no database lies there
    assert called.call.outcome == "wrong_type"
    assert "order_id is" in called.call.message
    assert "give an order number such as A-10293" in called.call.message


def test_a_missing_file_a_broken_one_and_a_missing_variable_say_so(tmp_path: Path) -> None:
    path = a_file(tmp_path)
    assert "warehouse.db is not there" in scans(path).call.message
    (tmp_path / "warehouse.db").write_bytes(b"not a database, but long enough to look at" * 40)
    broken = scans(path).call
    assert (broken.outcome, "cannot be read" in broken.message) == ("unavailable", True)
    unset = scans(a_file(tmp_path, url='url_env = "NO_SUCH_DATABASE_URL"')).call
    assert (unset.outcome, "set NO_SUCH_DATABASE_URL" in unset.message) == ("unavailable", True)


def test_a_column_that_is_not_there_is_named_and_the_state_says_so_before_anybody_asks(
    folder: Path,
) -> None:
    path = a_file(folder, sql=SELECT.replace("place, ", "town, "))
    assert "no such column: town" in scans(path).call.message
    (connector,) = open_connectors(path)
    works, words = connector.state()
    assert (works, "town" in words) == (False, True)


def test_the_state_of_a_connector_names_how_it_is_kept_from_writing(folder: Path) -> None:
    (connector,) = open_connectors(a_file(folder))
    assert connector.state() == (True, "sqlite, opened read only; scans")


def test_no_more_rows_than_allowed_are_handed_on_and_the_answer_says_there_are_more(
    folder: Path,
) -> None:
    answer = scans(a_file(folder, more="max_rows = 1")).answer
    assert [row.source_title for row in answer.rows] == ["Scan S-2"]
    assert answer.notes == ("scans holds more than 1 rows.",)


@pytest.mark.parametrize(
    ("more", "role", "outcome"),
    [
        ('roles = ["supervisor"]', "agent", "not_allowed"),
        ('roles = ["supervisor"]', "supervisor", "answered"),
        ('acl_policy = "hr-confidential"', "agent", "not_allowed"),
        ("", "guest", "not_allowed"),
        ("", "hr", "not_allowed"),
    ],
)
def test_roles_and_access_policies_decide_before_the_database_is_asked(
    folder: Path, more: str, role: str, outcome: str
) -> None:
    toolbox = a_toolbox(open_connectors(a_file(folder, more=more)))
    assert toolbox.call("scans", rights(role), {"order_id": "A-10293"}).call.outcome == outcome


def test_a_connector_of_other_companies_serves_none_of_ours(folder: Path) -> None:
    path = a_file(folder, url='url = "sqlite:///warehouse.db"\ntenants = ["borealis"]')
    assert scans(path).call.outcome == "not_allowed"


def test_the_file_is_opened_so_that_even_a_function_with_effects_cannot_write(
    folder: Path,
) -> None:
    sql = SELECT.replace("place,", "load_extension('x') AS place,")
    called = scans(a_file(folder, sql=sql))
    assert called.call.outcome == "unavailable"
    assert _stored(folder) == sorted(ROWS)


def test_optional_parameters_may_be_left_out_and_typed_ones_are_read(folder: Path) -> None:
    sql = (
        "SELECT scan_id, tenant_id, order_number, place, scanned_on FROM parcel_scans "
        "WHERE tenant_id = :tenant AND (:since IS NULL OR scanned_on >= :since) "
        "AND length(order_number) >= :least"
    )
    parameters = (
        '{ since = { type = "date", description = "a day such as 2026-11-30", optional = true }, '
        'least = { type = "integer", description = "a whole number from 0 on", at_least = 0 } }'
    )
    toolbox = a_toolbox(open_connectors(a_file(folder, sql=sql, parameters=parameters)))

    def keys(**given_values: object) -> set[str]:
        answer = toolbox.call("scans", rights("agent"), given_values).answer
        return {row.metadata["scan_id"] for row in answer.rows}

    assert keys(least=0) == {"S-1", "S-2", "S-3"}
    assert keys(least="0", since="2026-11-22") == {"S-2", "S-3"}
    refused = toolbox.call("scans", rights("agent"), {"least": -1}).call
    assert (refused.outcome, "least is a whole number" in refused.message) == ("wrong_type", True)


def test_a_number_beyond_the_database_is_a_wrong_type_and_no_breakage(folder: Path) -> None:
    path = a_file(
        folder,
        sql=SELECT.replace("= :order_id", "= :n"),
        parameters='{ n = { type = "integer", description = "a count" } }',
    )
    toolbox = a_toolbox(open_connectors(path))
    called = toolbox.call("scans", rights("agent"), {"n": "9" * 30})
    assert called.call.outcome == "wrong_type"
    assert "cannot take a value it was given" in called.call.message


def test_text_that_no_database_stores_is_a_wrong_type_and_no_breakage(folder: Path) -> None:
    assert scans(a_file(folder), "A-10293\udcff").call.outcome == "wrong_type"


def test_a_row_without_its_key_is_not_handed_on_because_it_could_not_be_cited(folder: Path) -> None:
    keyless = SELECT.replace("SELECT scan_id", "SELECT NULL AS scan_id")
    called = scans(a_file(folder, sql=keyless))
    assert called.call.outcome == "unavailable"
    assert "has no 'scan_id'" in called.call.message
    assert not called.answer.rows
