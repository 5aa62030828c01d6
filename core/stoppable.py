"""Work on a thread of its own that can be asked to stop, kept by who began it.

A screen begins it, looks in again, and may stop it; the work itself asks between its steps whether
it should. What it made stays until it is collected or the next work of the same person begins.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from core.errors import Conflicted

T = TypeVar("T")
Work = Callable[[Callable[[], bool]], T]
"""Is given what says whether somebody asked it to stop."""


class UnderWay(Generic[T]):
    """One piece of work. ``about`` says in words what it is."""

    def __init__(self, work: Work[T], about: str) -> None:
        self.about = about
        self._stop, self._done = threading.Event(), threading.Event()
        self._made: list[T] = []
        self._broke: Exception | None = None
        self._thread = threading.Thread(
            target=self._run, args=(work,), name="stoppable", daemon=True
        )
        self._thread.start()

    def _run(self, work: Work[T]) -> None:
        try:
            self._made.append(work(self._stop.is_set))
        except Exception as error:  # noqa: BLE001 - raised again where it is collected
            self._broke = error
        finally:
            self._done.set()

    @property
    def is_stopping(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Ask it to end before its next step."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Until it has ended; ``False`` when it has not within ``seconds``."""
        return self._done.wait(seconds)

    def result(self) -> T:
        """What it made, once ended. Raises what it raised."""
        if self._broke is not None:
            raise self._broke
        return self._made[0]


class Works(Generic[T]):
    """The process's one place for such work, one piece for each person. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by: dict[str, UnderWay[T]] = {}

    def begin(self, who: str, work: Work[T], *, about: str) -> UnderWay[T]:
        """Begin it. Raises ``Conflicted`` while another piece of the same person goes on."""
        with self._lock:
            going = self._by.get(who)
            if going is not None and not going.wait(0):
                raise Conflicted(f"“{going.about}” is still being answered. Stop it, or wait.")
            self._by[who] = UnderWay(work, about)
            return self._by[who]

    def of(self, who: str) -> UnderWay[T] | None:
        """What the person began last and nobody collected yet."""
        with self._lock:
            return self._by.get(who)

    def collect(self, who: str) -> T | None:
        """What the ended work made, once; ``None`` while it goes on or without any.

        Raises what it raised.
        """
        with self._lock:
            work = self._by.get(who)
            if work is None or not work.wait(0):
                return None
            del self._by[who]
        return work.result()
