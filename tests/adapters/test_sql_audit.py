"""Attempts to change history: through SQL, by hand, and by racing."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from core.adapters.sql_review_store import SqlReviewStore
from core.review.chain import verify_stored
from core.review.views import ChainState
from tests.contracts.builders import TENANT, a_case
from tests.contracts.review_store import AUDIT
from tests.fakes.fixed_clock import FixedClock

ROOT = Path(__file__).parents[2]
EVENTS = 6


@pytest.fixture
def store(engine: Engine) -> SqlReviewStore:
    """A store with six events in its chain."""
    store = SqlReviewStore(engine, FixedClock())
    with store.write() as change:
        for number in range(EVENTS):
            change.audit(**AUDIT, payload={"n": number})
    return store


def _verified(store: SqlReviewStore) -> ChainState:
    with store.read() as look:
        return verify_stored(look)


def _run_sql(engine: Engine, *statements: str) -> None:
    with engine.connect().execution_options(countersign_writes=True) as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
        connection.commit()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_events SET actor = 'mallory' WHERE seq = 3",
        "UPDATE audit_events SET payload = '{}'",
        "DELETE FROM audit_events WHERE seq = 6",
        "DELETE FROM audit_events",
        "UPDATE audit_head SET seq = 5",
        "DELETE FROM audit_head",
    ],
)
def test_sql_cannot_change_or_shorten_the_chain(
    store: SqlReviewStore, engine: Engine, statement: str
) -> None:
    with pytest.raises(DBAPIError, match=r"append-only|only grows"):
        _run_sql(engine, statement)
    assert _verified(store) == ChainState(ok=True, events=EVENTS, head=_verified(store).head)


def test_sqlite_insert_or_replace_cannot_rewrite_an_event(
    store: SqlReviewStore, engine: Engine
) -> None:
    statement = "INSERT OR REPLACE INTO audit_events SELECT * FROM audit_events WHERE seq = 3"
    if engine.dialect.name != "sqlite":
        statement = "TRUNCATE audit_events"
    with pytest.raises(DBAPIError, match="append-only"):
        _run_sql(engine, statement)
    assert _verified(store).ok


def _disarm(engine: Engine) -> None:
    if engine.dialect.name == "sqlite":
        names = ("audit_events_no_update", "audit_events_no_delete", "audit_head_only_forward")
        _run_sql(engine, *(f"DROP TRIGGER {name}" for name in names))
    else:
        _run_sql(
            engine,
            "ALTER TABLE audit_events DISABLE TRIGGER ALL",
            "ALTER TABLE audit_head DISABLE TRIGGER ALL",
        )


@pytest.mark.parametrize(
    ("tampering", "broken_at", "reason"),
    [
        ("UPDATE audit_events SET actor = 'mallory' WHERE seq = 3", 3, "changed after"),
        ("UPDATE audit_events SET payload = '{\"n\":9}' WHERE seq = 1", 1, "changed after"),
        ("UPDATE audit_events SET payload = 'nonsense' WHERE seq = 2", 2, "changed after"),
        ("UPDATE audit_events SET subject_kind = 'nonsense' WHERE seq = 2", 2, "changed after"),
        ("UPDATE audit_events SET at = at + 1 WHERE seq = 6", 6, "changed after"),
        ("DELETE FROM audit_events WHERE seq = 4", 4, "missing"),
        ("DELETE FROM audit_events WHERE seq = 1", 1, "missing"),
        ("DELETE FROM audit_events WHERE seq > 4", 5, "should end at event 6"),
        ("DELETE FROM audit_events", 1, "should end at event 6"),
        ("UPDATE audit_events SET hash = prev_hash WHERE seq = 5", 5, "changed after"),
    ],
)
def test_tampering_behind_the_triggers_is_found_with_its_number(
    store: SqlReviewStore, engine: Engine, tampering: str, broken_at: int, reason: str
) -> None:
    _disarm(engine)
    _run_sql(engine, tampering)
    state = _verified(store)
    assert (state.ok, state.broken_at) == (False, broken_at)
    assert reason in state.reason


def test_threads_append_without_a_fork(store: SqlReviewStore) -> None:
    def append(number: int) -> None:
        with store.write() as change:
            change.audit(**AUDIT, payload={"thread": number})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(append, range(80)))
    state = _verified(store)
    assert (state.ok, state.events) == (True, EVENTS + 80)


APPENDER = """
import sys
from core.adapters.sql_migrate import open_database
from core.adapters.sql_review_store import SqlReviewStore
from core.adapters.system_clock import SystemClock
store = SqlReviewStore(open_database(sys.argv[1]), SystemClock())
for number in range(25):
    with store.write() as change:
        case = change.case("1042")
        change.save_case(case, expected_version=case.version)
        change.audit(tenant_id="athena", actor=sys.argv[2], kind="case.touched",
                     subject_kind="case", subject_id="1042", payload={"version": case.version})
"""


def test_processes_append_without_a_fork_and_no_read_then_write_is_lost(
    store: SqlReviewStore, database_url: str
) -> None:
    with store.write() as change:
        change.add_case(a_case())
    workers = [
        subprocess.Popen([sys.executable, "-c", APPENDER, database_url, f"w{n}"], cwd=ROOT)
        for n in range(3)
    ]
    assert [worker.wait(timeout=60) for worker in workers] == [0, 0, 0]
    state = _verified(store)
    assert (state.ok, state.events) == (True, EVENTS + 75)
    with store.read() as look:
        assert look.cases(TENANT)[0].version == 76
        versions = [e.payload["version"] for e in look.audit_events(after_seq=EVENTS)]
    assert versions == list(range(1, 76))


KILLED = """
import os, sys
from core.adapters.sql_migrate import open_database
from core.adapters.sql_review_store import SqlReviewStore
from core.adapters.system_clock import SystemClock
store = SqlReviewStore(open_database(sys.argv[1]), SystemClock())
with store.write() as change:
    case = change.case("1042")
    change.save_case(case.model_copy(update={"state": "approved"}), expected_version=1)
    change.audit(tenant_id="athena", actor="ana", kind="case.approved", subject_kind="case",
                 subject_id="1042", payload={})
    os._exit(9)
"""


def test_a_process_killed_inside_a_transaction_leaves_neither_change_nor_event(
    store: SqlReviewStore, database_url: str
) -> None:
    with store.write() as change:
        change.add_case(a_case())
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, database_url], cwd=ROOT, timeout=60, check=False
    )
    assert killed.returncode == 9
    with store.read() as look:
        assert look.case("1042") == a_case()
    assert _verified(store).events == EVENTS
    with store.write() as change:  # the lock died with its holder
        change.audit(**AUDIT, payload={})
    assert _verified(store).ok
