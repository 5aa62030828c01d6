"""What a connector file may not hold is refused when it is read, by name and with the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.adapters.connectors import open_connectors
from core.errors import BadInput
from tests.connectors.warehouse import ORDER_ID, SELECT, a_file

EXAMPLE = Path(__file__).resolve().parents[2] / "data" / "connectors.example.toml"
_HEAD = "SELECT scan_id, tenant_id, order_number, place, scanned_on FROM parcel_scans "


def _refusal(path: Path) -> str:
    with pytest.raises(BadInput) as refused:
        open_connectors(path)
    return str(refused.value)


def test_the_example_file_is_taken() -> None:
    (warehouse,) = open_connectors(EXAMPLE)
    assert [tool.name for tool in warehouse.tools] == ["parcel_scans"]
    assert warehouse.tools[0].goes_with == ("order", "order_id")


def test_no_file_means_no_connectors(tmp_path: Path) -> None:
    assert open_connectors(tmp_path / "connectors.toml") == ()


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("DELETE FROM parcel_scans WHERE tenant_id = :tenant", "begin with SELECT or WITH"),
        ("UPDATE parcel_scans SET place = :order_id WHERE tenant_id = :tenant", "only reads"),
        (f"{SELECT}; DROP TABLE parcel_scans", "more than one statement"),
        (f"{SELECT} ; -- and\n SELECT 1", "more than one statement"),
        (
            "WITH gone AS (DELETE FROM parcel_scans WHERE tenant_id = :tenant AND "
            "order_number = :order_id RETURNING *) SELECT * FROM gone",
            "holds DELETE",
        ),
        (
            "SELECT * INTO copies FROM parcel_scans WHERE tenant_id = :tenant AND "
            "order_number = :order_id",
            "holds INTO",
        ),
        (f"{SELECT} FOR UPDATE", "holds UPDATE"),
        ("PRAGMA table_info(parcel_scans)", "begin with SELECT"),
        ("", "begin with SELECT"),
        (f"{SELECT} /* ", "not closed"),
        (f"{SELECT} AND place = 'it", "not closed"),
        (_HEAD + "WHERE order_number = :order_id", "tenant_id = :tenant"),
        (_HEAD + "WHERE order_number = :order_id -- tenant_id = :tenant", "tenant_id = :tenant"),
        (
            _HEAD + "WHERE order_number = :order_id AND 'tenant_id = x' <> ''",
            "limited to the caller's tenant",
        ),
        (
            "SELECT scan_id, :tenant AS tenant_id, order_number, place, scanned_on "
            "FROM parcel_scans WHERE tenant_id = :tenant AND order_number = :order_id",
            "use :tenant for nothing else",
        ),
        (
            _HEAD + "WHERE other_tenant_id = :tenant AND order_number = :order_id",
            "limited to the caller's tenant",
        ),
        (f"{SELECT} LIMIT :most", ":most, which is not declared"),
        (_HEAD + "WHERE tenant_id = :tenant", "'order_id' is not used"),
        (
            _HEAD + "WHERE tenant_id = :tenant AND order_number = '{order_id}' AND :order_id <> ''",
            "put together by hand",
        ),
        (_HEAD + "WHERE tenant_id = :tenant AND order_number = {order_id}", "by hand"),
        (_HEAD + "WHERE tenant_id = :tenant AND order_number = %(order_id)s", "by hand"),
        (_HEAD + "WHERE tenant_id = :tenant AND order_number = '%s'", "by hand"),
        (_HEAD + "WHERE tenant_id = :tenant AND order_number = ?", "by hand"),
        (_HEAD + "WHERE tenant_id = :tenant AND order_number = $1", "by hand"),
        (_HEAD + "WHERE tenant_id = :tenant AND order_number = ':order_id'", "by hand"),
        (SELECT.replace("tenant_id, order", "'athena' AS tenant_id, order"), "makes tenant_id up"),
        (SELECT.replace("tenant_id, order", "'athena'tenant_id, order"), "makes tenant_id up"),
        (SELECT.replace("tenant_id, order", "owner tenant_id, order"), "makes tenant_id up"),
        (
            SELECT.replace("tenant_id, order", 'max(tenant_id) AS "tenant_id", order'),
            "makes tenant_id up",
        ),
        (
            SELECT.replace("ORDER BY", "UNION ALL SELECT *, 'athena' FROM returns ORDER BY"),
            "a part of it is not limited",
        ),
        (SELECT.replace("ORDER BY", "AND dblink_exec('x', 'y') = '' ORDER BY"), "calls dblink"),
        (SELECT.replace("ORDER BY", "AND \"lo_export\" (1, '/x') = 1 ORDER BY"), "calls lo_export"),
        (SELECT.replace("ORDER BY", r"AND E'\'' ; DELETE FROM t --' = '' ORDER BY"), "a backslash"),
        (SELECT.replace("ORDER BY", "AND a[1; DELETE FROM t] ORDER BY"), "more than one"),
    ],
)
def test_sql_that_may_not_run_is_refused(tmp_path: Path, sql: str, words: str) -> None:
    message = _refusal(a_file(tmp_path, sql=sql))
    assert "connectors.warehouse.queries.scans" in message
    assert words in message


@pytest.mark.parametrize(
    "sql",
    [
        f"{SELECT};",
        f"-- newest first\n{SELECT}",
        f"{SELECT} /* a; b */",
        SELECT.replace("tenant_id = :tenant", 's."tenant_id" = :tenant').replace(
            "FROM parcel_scans", "FROM parcel_scans s"
        ),
        SELECT.replace("tenant_id = :tenant", ":tenant = tenant_id"),
        SELECT.replace("scanned_on FROM", 'scanned_on, "update" FROM'),
        f"WITH mine AS ({SELECT}) SELECT * FROM mine",  # noqa: S608 - only read, never run
        SELECT.replace("ORDER BY", "AND place LIKE '%a%' AND place <> 'delete; 12:30' ORDER BY"),
        SELECT.replace("ORDER BY", "AND scanned_on::text <> '' ORDER BY"),
        SELECT.replace(" tenant_id, order", " parcel_scans.tenant_id AS tenant_id, order"),
        SELECT.replace("SELECT scan_id, tenant_id", "SELECT DISTINCT tenant_id, scan_id"),
        SELECT.replace("order_number = :order_id", "order_number = ANY(ARRAY[:order_id, 'x'])"),
        SELECT.replace("ORDER BY", f"UNION {SELECT} ORDER BY"),
    ],
)
def test_one_select_that_binds_its_tenant_is_taken(tmp_path: Path, sql: str) -> None:
    (connector,) = open_connectors(a_file(tmp_path, sql=sql))
    assert [tool.name for tool in connector.tools] == ["scans"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"more": 'limit = "x"'}, "there is no such key"),
        ({"more": 'text = "{scan_id} in {town}"'}, "{town} is no column"),
        ({"more": "timeout_ms = 0"}, "timeout_ms"),
        ({"more": 'called_for = "parcel"'}, "called_for"),
        ({"more": 'roles = ["king"]'}, "roles"),
        ({"url": ""}, "give either url or url_env"),
        ({"url": 'url = "sqlite:///a.db"\nurl_env = "X"'}, "give either url or url_env"),
        ({"parameters": '{ order_id = { type = "uuid", description = "an id" } }'}, "type"),
        ({"parameters": "{ order_id = { } }"}, "description"),
        (
            {"parameters": ORDER_ID[:-1] + ', tenant = { description = "who asks" } }'},
            "filled in by code",
        ),
    ],
)
def test_a_declaration_that_makes_no_sense_is_refused(
    tmp_path: Path, changes: dict[str, str], words: str
) -> None:
    assert words in _refusal(a_file(tmp_path, **changes))


def test_a_table_of_the_companys_own_records_and_a_row_key_outside_the_columns_are_refused(
    tmp_path: Path,
) -> None:
    path = a_file(tmp_path)
    written = path.read_text(encoding="utf-8")
    path.write_text(written.replace('table = "parcel_scans"', 'table = "orders"'), encoding="utf-8")
    assert "other than orders and customers" in _refusal(path)
    path.write_text(written.replace('row_key = "scan_id"', 'row_key = "id"'), encoding="utf-8")
    assert "row_key: 'id' is not among the columns" in _refusal(path)


def test_a_file_that_is_no_toml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "connectors.toml"
    path.write_text("[connectors", encoding="utf-8")
    assert "not readable as TOML" in _refusal(path)


def test_two_queries_of_one_name_are_refused(tmp_path: Path) -> None:
    path = a_file(tmp_path)
    one = path.read_text(encoding="utf-8")
    other = one.replace("connectors.warehouse", "connectors.depot")
    path.write_text(one + other.replace('"parcel_scans"', '"depot_scans"'), encoding="utf-8")
    assert "two connectors have a query 'scans'" in _refusal(path)
