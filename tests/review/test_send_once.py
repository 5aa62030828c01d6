"""Two people, two sessions, two workers, a killed process: one case, one reply."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine

from core.adapters.file_channel import FileChannel
from core.adapters.sql_migrate import open_database
from core.errors import Conflicted
from tests.fakes.scripted_copilot import PLAIN_REPLY
from tests.review.builders import Bureau, approve

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def office(engine: Engine) -> Bureau:
    """A bureau over SQLite and over PostgreSQL."""
    bureau = Bureau(engine)
    bureau.take_in()
    return bureau


def at_once(*actions: Callable[[], object]) -> list[object]:
    """Run the actions at the same moment; what each returned or raised, in order."""
    results: list[object] = [None] * len(actions)
    gate = threading.Barrier(len(actions))

    def run(number: int, action: Callable[[], object]) -> None:
        gate.wait()
        try:
            results[number] = action()
        except Conflicted as error:
            results[number] = error

    threads = [
        threading.Thread(target=run, args=(number, action)) for number, action in enumerate(actions)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    return results


def test_two_sessions_of_one_person_cannot_both_send_a_case(office: Bureau) -> None:
    view = office.desk("ana").open("1042")

    results = at_once(*[lambda: approve(office.desk("ana"), view) for _ in range(6)])

    assert sum(not isinstance(result, Conflicted) for result in results) == 1
    assert len(office.items()) == 1
    with office.store.read() as txn:
        assert len(txn.dispositions(case_id="1042")) == 1


def test_two_different_decisions_at_once_leave_one(office: Bureau) -> None:
    desk = office.desk("ana")
    view = desk.open("1042")
    version = view.case.version

    results = at_once(
        lambda: approve(desk, view),
        lambda: desk.refuse("1042", reason="no", case_version=version),
        lambda: desk.escalate("1042", reason="other", case_version=version),
        lambda: desk.ask_customer("1042", question="Which size?", case_version=version),
    )

    assert sum(not isinstance(result, Conflicted) for result in results) == 1
    with office.store.read() as txn:
        assert len(txn.dispositions(case_id="1042")) == 1
    assert len(office.items()) <= 1


def test_of_two_agents_who_open_a_case_at_once_one_gets_it(office: Bureau) -> None:
    views = at_once(
        lambda: office.desk("ana").open("1042"), lambda: office.desk("ben").open("1042")
    )

    assert sorted(view.mine for view in views) == [False, True]  # type: ignore[attr-defined]
    with office.store.read() as txn:
        assert len(txn.drafts("1042")) == 1


def test_undo_and_delivery_at_once_never_send_what_was_taken_back(office: Bureau) -> None:
    desk = office.desk("ana")
    approve(desk, desk.open("1042"))
    with office.store.write() as txn:
        (item,) = txn.outbox()
        txn.save_outbox(
            item.model_copy(update={"not_before": office.clock.now()}), expected_state="pending"
        )

    at_once(lambda: desk.undo("1042"), lambda: office.outbox().run_once())

    outcome = (office.items()[0].state, office.case().state, len(office.channel.sent))
    assert outcome in {("cancelled", "in_review", 0), ("delivered", "sent", 1)}


def test_several_workers_deliver_each_reply_once(office: Bureau) -> None:
    desk = office.desk("ana")
    approve(desk, desk.open("1042"))
    office.later(seconds=11)

    at_once(*[lambda: office.outbox().run_once() for _ in range(4)])

    assert len(office.channel.sent) == 1
    assert office.channel.calls == 1
    assert office.case().state == "sent"


def test_a_slow_worker_and_the_one_that_took_over_agree(office: Bureau) -> None:
    desk = office.desk("ana")
    approve(desk, desk.open("1042"))
    office.later(seconds=11)

    class Slow:
        """Takes so long that a second worker finds the item stuck and delivers it."""

        def __init__(self) -> None:
            self.nested = False

        def deliver(self, item: object) -> str:
            if not self.nested:
                self.nested = True
                office.later(seconds=121)
                office.outbox().run_once()
            return office.channel.deliver(item)  # type: ignore[arg-type]

    (item,) = office.outbox(Slow()).run_once()

    assert item.state == "delivered"
    assert len(office.channel.sent) == 1
    assert [e.kind for e in office.events()].count("outbox.delivered") == 1


_VICTIM = """
import os, signal, sys
from pathlib import Path
from core.adapters.file_channel import FileChannel
from core.adapters.sql_migrate import open_database
from tests.review.builders import Bureau, approve

url, folder, when = sys.argv[1:]
bureau = Bureau(open_database(url))

class Deadly(FileChannel):
    def deliver(self, item):
        if when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        receipt = super().deliver(item)
        os.kill(os.getpid(), signal.SIGKILL)
        return receipt

desk = bureau.desk()
approve(desk, desk.open("1042"))
if when == "approved":
    os.kill(os.getpid(), signal.SIGKILL)
bureau.later(seconds=11)
bureau.outbox(Deadly(Path(folder))).run_once()
"""


@pytest.mark.parametrize("when", ["approved", "before", "after"])
def test_killing_the_process_between_approval_and_delivery_loses_nothing_and_sends_once(
    database_url: str, tmp_path: Path, when: str
) -> None:
    engine = open_database(database_url)
    bureau = Bureau(engine)
    bureau.take_in()
    folder = tmp_path / "sent"
    victim = subprocess.run(
        [sys.executable, "-c", _VICTIM, database_url, str(folder), when],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert victim.returncode == -signal.SIGKILL, victim.stderr
    assert bureau.case().state == "approved"

    bureau.later(minutes=10)
    for _ in range(3):
        bureau.outbox(FileChannel(folder)).run_once()
        bureau.later(minutes=10)

    (file,) = folder.glob("*.eml")
    assert file.read_bytes().endswith(b"\r\n\r\n" + PLAIN_REPLY.encode())
    assert bureau.case().state == "sent"
    assert bureau.items()[0].state == "delivered"
    assert bureau.audit().verify().ok
    engine.dispose()
