"""``countersign tool`` and the doctor: what can be looked up, by whom, in which state."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from core.settings import Settings, load_settings
from core.wiring import open_office
from core.wiring_doctor import looks
from tests.connectors.warehouse import ENDLESS, a_file, a_warehouse


@pytest.fixture
def told(company_home: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs ``countersign tool …`` on the demo company: exit code, standard output."""

    def run(*words: str, home: Path = company_home) -> tuple[int, str]:
        code = main(["--home", str(home), "tool", *words])
        return code, capsys.readouterr().out

    return run


def test_the_list_names_every_tool_its_parameters_and_whether_it_is_yours(told: Any) -> None:
    code, out = told("list", "--as", "ana")
    assert code == 0
    assert "check_order_status(order_id)" in out
    assert "calculate_refund(order_id, reason, [items], [on])" in out
    _, out = told("list", "--json")
    tools = {tool["name"]: tool for tool in json.loads(out)["tools"]}
    assert tools["check_order_status"]["allowed"] is False
    assert tools["get_return_policy"]["allowed"] is True
    assert tools["calculate_refund"]["parameters"]["reason"]["required"] is True


def test_a_call_prints_the_row_and_its_key(told: Any) -> None:
    code, out = told("call", "check_order_status", "--arg", "order_id=A-10293", "--as", "ana")
    assert code == 0
    assert "records:orders/A-10293" in out
    code, out = told(
        "call", "check_order_status", "--arg", "order_id=A-10293", "--as", "ana", "--json"
    )
    data = json.loads(out)
    assert (data["call"]["outcome"], data["call"]["rows"]) == ("answered", 1)
    assert data["answer"]["rows"][0]["metadata"]["customer_id"] == "88"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("check_order_status", "--arg", "order_id=A-1' OR 1=1 --", "--as", "ana"), 1, "not found"),
        (("check_order_status", "--as", "ana"), 2, "needs order_id"),
        (("check_order_status", "--arg", "order_id=A-10293"), 1, "not allowed"),
        (("drop_table", "--as", "ana"), 1, "There is no tool 'drop_table'"),
        (("earlier_cases", "--arg", "customer_id=88", "--arg", "days=many", "--as", "ana"), 2,
         "days is text that does not fit; give a number of days"),
    ],
)  # fmt: skip
def test_a_call_that_brings_nothing_says_why_and_by_its_exit_code(
    told: Any, words: tuple[str, ...], code: int, said: str
) -> None:
    found, out = told("call", *words)
    assert (found, said in out) == (code, True)


def test_an_argument_without_a_value_is_bad_usage(told: Any) -> None:
    assert told("call", "check_order_status", "--arg", "order_id", "--as", "ana")[0] == 2


@pytest.fixture
def connected(home: Path) -> Path:
    """A demo home with a warehouse connector."""
    a_warehouse(home)
    a_file(home)
    return home


def test_a_declared_query_is_a_tool_like_any_other(told: Any, connected: Path) -> None:
    code, out = told("call", "scans", "--arg", "order_id=A-10293", "--as", "ana", home=connected)
    assert code == 0
    assert "records:parcel_scans/S-2" in out
    assert "Secretville" not in out


def test_a_slow_connector_ends_with_what_needs_attention(told: Any, connected: Path) -> None:
    a_file(connected, sql=ENDLESS, more="timeout_ms = 30")
    code, out = told("call", "scans", "--arg", "order_id=A-10293", "--as", "ana", home=connected)
    assert (code, out.startswith("too slow: ")) == (3, True)


def test_a_foreign_row_is_dropped_and_stands_in_the_audit_chain(
    told: Any, connected: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = connected / "connectors.toml"
    written = path.read_text(encoding="utf-8")
    path.write_text(
        written.replace("tenant_id = :tenant AND", "(tenant_id = :tenant OR 1 = 1) AND"),
        encoding="utf-8",
    )
    code, out = told("call", "scans", "--arg", "order_id=A-10293", "--as", "ana", home=connected)
    assert code == 0
    assert "Secretville" not in out
    office = open_office(Settings(home=connected))
    with office.store.read() as transaction:
        last = transaction.audit_events(subject_kind="system", subject_id="tool:scans")[-1]
    assert (last.kind, last.actor) == ("access.violation_dropped", "ana")
    assert "S-9 dropped: of another tenant" in last.payload["dropped"][0]
    assert office.verify_audit().ok
    office.close()


def test_a_file_that_may_not_be_used_stops_the_call_and_shows_in_the_doctor(
    connected: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_file(connected, sql="DELETE FROM parcel_scans WHERE tenant_id = :tenant")
    assert main(["--home", str(connected), "tool", "list", "--as", "ana"]) == 2
    assert "connectors.warehouse.queries.scans" in capsys.readouterr().err
    office = open_office(Settings(home=connected))
    works, words = looks(office)["Connectors"]()
    assert (works, "begin with SELECT" in words) == (False, True)
    office.close()


def test_the_doctor_names_every_tool_and_the_state_of_every_connector(connected: Path) -> None:
    office = open_office(Settings(home=connected))
    seen = looks(office)
    works, words = seen["Read tools"]()
    assert works
    assert "check_order_status(order_id)" in words
    assert "scans(order_id)" in words
    assert seen["Connector warehouse"]() == (True, "sqlite, opened read only; scans")
    (connected / "warehouse.db").unlink()
    works, words = looks(office)["Connector warehouse"]()
    assert (works, "is not there" in words) == (False, True)
    office.close()


def test_the_file_lies_in_the_home_or_where_the_setting_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load_settings(tmp_path).connectors_file == tmp_path.resolve() / "connectors.toml"
    monkeypatch.setenv("COUNTERSIGN_CONNECTORS", str(tmp_path / "mine.toml"))
    assert load_settings(tmp_path).connectors_file == tmp_path / "mine.toml"
