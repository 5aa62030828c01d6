"""Time and ids from the machine."""

from __future__ import annotations

import threading
from datetime import UTC, timedelta

from core.adapters.system_clock import SystemClock
from core.adapters.ulid_ids import UlidIds


def test_the_clock_tells_aware_time_in_utc() -> None:
    assert SystemClock().now().tzinfo is UTC
    assert SystemClock().now() - SystemClock().now() < timedelta(seconds=1)


def test_later_ids_compare_greater() -> None:
    ids = UlidIds()
    made = [ids.new("case") for _ in range(2_000)]
    assert made == sorted(set(made))
    assert made[0].startswith("case_")


def test_threads_never_share_an_id() -> None:
    ids = UlidIds()
    made: list[str] = []
    threads = [
        threading.Thread(target=lambda: made.extend(ids.new("x") for _ in range(300)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 1_200
