"""One parsing process, seen from the side that asks: started late, watched, ended when it hangs."""

from __future__ import annotations

import atexit
import contextlib
import os
import subprocess
import sys
import threading
import time
from collections import deque
from pathlib import Path
from typing import BinaryIO, cast

from core.sources.wire import (
    ASK,
    READY,
    BrokenFrame,
    Request,
    pack_request,
    read_frame,
    write_frame,
)

DEFAULT_MODULE = "core.sources.parse_worker"
_ROOT = Path(__file__).resolve().parents[2]
_HELD_BYTES = 32_000_000  # answers that may wait to be taken; more makes the process wait
_KEPT_IDLE = 1
_START_SECONDS = 120.0
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "SYSTEMROOT", "TEMP", "TMP", "VIRTUAL_ENV")

Frame = tuple[bytes, bytes]


class WorkerGone(Exception):
    """The parsing process ended, said nonsense, or said nothing for too long (``hung``)."""

    def __init__(self, *, hung: bool = False) -> None:
        self.hung = hung
        super().__init__("hung" if hung else "ended")


class Worker:
    """A parsing process and a thread that takes its answers down."""

    def __init__(self, module: str = DEFAULT_MODULE) -> None:
        self.module = module
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-P", "-B", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            close_fds=True,
        )
        self._frames: deque[Frame] = deque()
        self._held = 0
        self._ended = self._ready = False
        self._change = threading.Condition()
        self._thread = threading.Thread(target=self._take_down, daemon=True, name="parse-answers")
        self._thread.start()

    def ask(self, request: Request, data: bytes = b"") -> None:
        """Send a request. Raises ``WorkerGone``."""
        stream = cast(BinaryIO, self._process.stdin)
        try:
            write_frame(stream, ASK, pack_request(request))
            stream.write(data)
            stream.flush()
        except (OSError, ValueError) as error:
            raise WorkerGone from error

    def ready(self) -> None:
        """Wait until the process has started: no file is to blame for that time."""
        if not self._ready:
            kind, _ = self.answer(_START_SECONDS)
            if kind != READY:
                raise WorkerGone
            self._ready = True

    def answer(self, seconds: float) -> Frame:
        """The next frame, waited for at most ``seconds``. Raises ``WorkerGone``."""
        until = time.monotonic() + seconds
        with self._change:
            while not self._frames:
                left = until - time.monotonic()
                if self._ended:
                    raise WorkerGone
                if left <= 0:
                    raise WorkerGone(hung=True)
                self._change.wait(left)
            frame = self._frames.popleft()
            self._held -= len(frame[1])
            self._change.notify_all()
        return frame

    def running(self) -> bool:
        """Whether the process is still there."""
        return self._process.poll() is None

    def stop(self) -> None:
        """End the process, at once if need be. May be called twice."""
        with self._change:
            self._ended = True
            self._change.notify_all()
        self._process.kill()
        self._process.wait()
        self._thread.join(timeout=5)
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                cast(BinaryIO, stream).close()

    def _take_down(self) -> None:
        stream = cast(BinaryIO, self._process.stdout)
        with contextlib.suppress(OSError, ValueError, BrokenFrame):
            while (frame := read_frame(stream)) is not None and self._room_for(frame):
                pass
        with self._change:
            self._ended = True
            self._change.notify_all()

    def _room_for(self, frame: Frame) -> bool:
        with self._change:
            while self._held > _HELD_BYTES and not self._ended:
                self._change.wait()
            self._frames.append(frame)
            self._held += len(frame[1])
            self._change.notify_all()
            return not self._ended


_idle: list[Worker] = []
_lock = threading.Lock()


def borrow(module: str) -> Worker:
    """An idle process, or a new one."""
    with _lock:
        for worker in [idle for idle in _idle if idle.module == module]:
            _idle.remove(worker)
            if worker.running():
                return worker
            worker.stop()
    return Worker(module)


def give_back(worker: Worker) -> None:
    """Keep a process for the next who asks; starting one costs a third of a second."""
    with _lock:
        if sum(idle.module == worker.module for idle in _idle) < _KEPT_IDLE:
            _idle.append(worker)
            return
    worker.stop()


@atexit.register
def stop_idle() -> None:
    """End the processes that nobody uses."""
    with _lock:
        idle, _idle[:] = list(_idle), []
    for worker in idle:
        worker.stop()


def _disown() -> None:
    """After a fork the processes are the parent's: two askers would read each other's answers."""
    _not_ours.extend(_idle)
    _idle.clear()


_not_ours: list[Worker] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_disown)


def _environment() -> dict[str, str]:
    """Nothing of the console's settings: they hold keys, and a parser needs none of them."""
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return passed | {
        "PYTHONPATH": str(_ROOT),
        "PYTHONUTF8": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
