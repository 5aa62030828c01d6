"""A few requests at once, and never a longer wait than promised."""

from __future__ import annotations

import threading

import pytest

from core.adapters.bounded_pool import BoundedPool


def test_results_come_in_the_order_of_the_tasks() -> None:
    tasks = [lambda _, n=n: n for n in range(9)]
    assert BoundedPool(3).run(tasks, 10) == list(range(9))
    assert BoundedPool(3).run([], 10) == []


def test_as_many_run_at_once_as_the_pool_holds_and_no_more() -> None:
    together = threading.Barrier(2, timeout=10)
    running, most = [0], [0]
    lock = threading.Lock()

    def task(_: float) -> bool:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        together.wait()  # passes only when two are here
        with lock:
            running[0] -= 1
        return True

    assert BoundedPool(2).run([task] * 6, 10) == [True] * 6
    assert most == [2]


def test_all_callers_share_the_pool() -> None:
    pool, inside, leave = BoundedPool(1), threading.Event(), threading.Event()

    def holding(_: float) -> str:
        inside.set()
        leave.wait(10)
        return "held"

    caller = threading.Thread(target=pool.run, args=([holding], 10))
    caller.start()
    inside.wait(10)
    assert pool.run([lambda _: "got in"], 0.01) == [None]
    leave.set()
    caller.join()
    assert pool.run([lambda _: "got in"], 10) == ["got in"]


def test_a_task_that_does_not_end_is_not_waited_for() -> None:
    for_ever = threading.Event()
    done = BoundedPool(2).run([lambda _: for_ever.wait(10), lambda _: True], 0.05)
    for_ever.set()
    assert done == [None, True]


def test_a_task_is_told_the_seconds_left_to_it() -> None:
    (left,) = BoundedPool(1).run([lambda seconds: seconds], 5)
    assert left is not None
    assert 0 < left <= 5


def test_what_a_task_raises_is_raised() -> None:
    def broken(_: float) -> None:
        raise LookupError("broken")

    with pytest.raises(LookupError, match="broken"):
        BoundedPool(2).run([broken], 5)
