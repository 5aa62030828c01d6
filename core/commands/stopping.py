"""Ctrl-C during a long run: the first asks it to end in a safe state, the second ends at once."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

STOPPED = 130
"""128 + SIGINT, as shells say it."""
_WORDS = b"countersign: stopping before the next stage; Ctrl-C again ends at once.\n"


@contextmanager
def until_interrupted() -> Iterator[Callable[[], bool]]:
    """Yields what says whether somebody pressed Ctrl-C meanwhile.

    Off the main thread signals cannot be heard: there it never says yes.
    """
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set
        return
    before = signal.getsignal(signal.SIGINT)

    def ask(_number: int, _frame: object) -> None:
        asked.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        # Written past the stream's buffer, which may be in use just now.
        os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, _WORDS)

    signal.signal(signal.SIGINT, ask)
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, before)
