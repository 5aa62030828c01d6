"""The same promises over PostgreSQL: read-only transactions and the server's own time limit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text

from core.adapters.connectors import open_connectors
from tests.connectors.warehouse import ROWS, SELECT, Log, a_file, scans
from tests.postgres import MISSING, binaries, running_server

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    bindir = binaries()
    if bindir is None:
        pytest.skip(MISSING)
    with running_server(bindir) as server:
        address = f"{server}/postgres"
        engine = create_engine(address)
        with engine.begin() as connection:
            connection.execute(
                text(
                    "CREATE TABLE parcel_scans (scan_id text, tenant_id text, order_number text, "
                    "place text, scanned_on date)"
                )
            )
            for row in ROWS:
                values = dict(zip("abcde", row, strict=True))
                connection.execute(
                    text("INSERT INTO parcel_scans VALUES (:a, :b, :c, :d, CAST(:e AS date))"),
                    values,
                )
        engine.dispose()
        yield address


@pytest.fixture
def engine(url: str) -> Iterator[Engine]:
    engine = create_engine(url)
    yield engine
    engine.dispose()


def _file(folder: Path, url: str, sql: str = SELECT, more: str = "") -> Path:
    return a_file(folder, sql=sql, url=f'url = "{url}"', more=more)


def test_rows_come_back_with_typed_values_as_text(tmp_path: Path, url: str) -> None:
    called = scans(_file(tmp_path, url))
    assert [row.metadata["scanned_on"] for row in called.answer.rows] == [
        "2026-11-22",
        "2026-11-20",
    ]
    assert {row.tenant_id for row in called.answer.rows} == {"athena"}


@pytest.mark.parametrize(
    "hostile", ["A-10293' OR 1=1 --", "'; DROP TABLE parcel_scans; --", "A-1\\' OR 1=1 --", "%"]
)
def test_a_hostile_number_finds_nothing_and_changes_nothing(
    tmp_path: Path, url: str, engine: Engine, hostile: str
) -> None:
    assert scans(_file(tmp_path, url), hostile).call.outcome == "not_found"
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM parcel_scans")).scalar() == len(ROWS)


def test_a_slow_query_ends_by_the_servers_own_limit(tmp_path: Path, url: str) -> None:
    slow = SELECT.replace("ORDER BY", "AND pg_sleep(30) IS NOT NULL ORDER BY")
    called = scans(_file(tmp_path, url, slow, "timeout_ms = 60"))
    assert called.call.outcome == "too_slow"
    assert "did not answer within 0.06 s" in called.call.message


def test_a_function_that_writes_is_refused_by_the_read_only_transaction(
    tmp_path: Path, url: str, engine: Engine
) -> None:
    with engine.begin() as connection:
        connection.execute(
            text(
                "CREATE OR REPLACE FUNCTION sneaky() RETURNS text LANGUAGE sql AS "
                "$$ DELETE FROM parcel_scans RETURNING 'gone' $$"
            )
        )
    wrong = SELECT.replace("place,", "sneaky() AS place,")
    called = scans(_file(tmp_path, url, wrong))
    assert called.call.outcome == "unavailable"
    assert "read-only transaction" in called.call.message
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM parcel_scans")).scalar() == len(ROWS)


def test_a_row_of_another_tenant_never_leaves(tmp_path: Path, url: str) -> None:
    log = Log()
    leak = SELECT.replace("tenant_id = :tenant AND", "(tenant_id = :tenant OR true) AND")
    called = scans(_file(tmp_path, url, leak), log=log)
    assert len(called.answer.rows) == 2
    assert "Secretville" not in called.answer.model_dump_json()
    assert len(log.reported) == 1


def test_the_state_says_how_it_is_kept_from_writing(tmp_path: Path, url: str) -> None:
    (connector,) = open_connectors(_file(tmp_path, url))
    assert connector.state() == (True, "postgresql, read-only transactions; scans")
    connector.close()


def test_a_server_that_is_away_is_named_without_its_password(tmp_path: Path) -> None:
    away = "postgresql://reader:hunter2@127.0.0.1:1/none"
    called = scans(_file(tmp_path, away))
    assert called.call.outcome == "unavailable"
    assert "connector 'warehouse'" in called.call.message
    assert "hunter2" not in called.call.message
