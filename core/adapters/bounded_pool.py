"""A few threads for slow requests, and never a longer wait than promised."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")
_GRACE = 0.25
"""Seconds past the promise: a request that times out by itself says best why."""


class BoundedPool:
    """At most ``size`` requests at once, for all callers together. Safe to share between threads.

    Threads are daemons: a server that drips its answer for ever holds a thread, not the process.
    """

    def __init__(self, size: int) -> None:
        self._size, self._slots = size, threading.BoundedSemaphore(size)

    def run(self, tasks: Sequence[Callable[[float], T]], seconds: float) -> list[T | None]:
        """The result of each task, ``None`` where it was not there within ``seconds``.

        A task is called with the seconds left to it. What one raises is raised here.
        """
        round_ = _Round(tasks, self._slots, time.monotonic() + seconds)
        threads = [
            threading.Thread(target=round_.work, name="remote-gate", daemon=True)
            for _ in range(min(self._size, len(tasks)))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(max(0.0, round_.left() + _GRACE))
        return round_.collected()


class _Round(Generic[T]):
    def __init__(
        self,
        tasks: Sequence[Callable[[float], T]],
        slots: threading.BoundedSemaphore,
        deadline: float,
    ) -> None:
        self._tasks, self._slots, self._deadline = tasks, slots, deadline
        self._results: list[T | None] = [None] * len(tasks)
        self._waiting = iter(range(len(tasks)))
        self._lock = threading.Lock()
        self._error: BaseException | None = None

    def left(self) -> float:
        return self._deadline - time.monotonic()

    def work(self) -> None:
        while (number := self._next()) is not None:
            if self.left() <= 0 or not self._slots.acquire(timeout=self.left()):
                return
            try:
                self._done(number, self._tasks[number](self.left()))
            except BaseException as error:  # noqa: BLE001 - handed to the caller, as it is
                self._error = error
                return
            finally:
                self._slots.release()

    def collected(self) -> list[T | None]:
        with self._lock:
            if self._error is not None:
                raise self._error
            return list(self._results)

    def _next(self) -> int | None:
        with self._lock:
            return next(self._waiting, None)

    def _done(self, number: int, result: T) -> None:
        with self._lock:
            self._results[number] = result
