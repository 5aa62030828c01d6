"""One writer of the index at a time: among threads, and among processes on one machine."""

from __future__ import annotations

import fcntl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from core.errors import TryAgainLater

WAIT_SECONDS = 120.0
"""How long a writer queues before ``TryAgainLater``. Folding a large index in takes a while."""

_LOOK_AGAIN_AFTER = 0.02


class FileLock:
    """Held through the file ``path``; the system lets go of it when its process ends, however.

    A thread that holds it may take it again. ``busy`` is said when it cannot be had in time.
    """

    def __init__(self, path: Path, *, busy: str, wait: float = WAIT_SECONDS) -> None:
        self._path, self._busy, self._wait = path, busy, wait
        self._threads = threading.RLock()
        self._depth = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Wait for the lock and hold it. Raises ``TryAgainLater``."""
        give_up = time.monotonic() + self._wait
        if not self._threads.acquire(timeout=self._wait):
            raise TryAgainLater(self._busy)
        try:
            if self._depth:
                yield
                return
            with self._path.open("ab") as file:  # closing it lets go
                self._take(file, give_up)
                self._depth += 1
                try:
                    yield
                finally:
                    self._depth -= 1
        finally:
            self._threads.release()

    def _take(self, file: IO[bytes], give_up: float) -> None:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= give_up:
                    raise TryAgainLater(self._busy) from None
                time.sleep(_LOOK_AGAIN_AFTER)
            else:
                return


def rebuild_lock(folder: Path) -> FileLock:
    """Held by the one process that builds a new index in ``folder``; a second is told at once."""
    folder.mkdir(parents=True, exist_ok=True)
    busy = "another process is building this index anew; wait until it is done"
    return FileLock(folder / "rebuild.lock", busy=busy, wait=0.0)
