"""Reads ahead on a thread of its own, so that reading and encoding overlap."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import TypeVar

T = TypeVar("T")

_LOOK_AGAIN_AFTER = 0.1
_PATIENCE = 10.0
_END = object()


class _Failed:
    def __init__(self, error: BaseException) -> None:
        self.error = error


def read_ahead(things: Iterable[T], room: int) -> Generator[T]:
    """``things`` in order, at most ``room`` of them read before they are asked for.

    An error while reading is raised where it would have been met. Closing the iterator stops the
    thread.
    """
    waiting: Queue[object] = Queue(maxsize=room)
    stopped = Event()
    thread = Thread(target=_read, args=(things, waiting, stopped), name="read-ahead", daemon=True)
    thread.start()
    try:
        while (thing := waiting.get()) is not _END:
            if isinstance(thing, _Failed):
                raise thing.error
            yield thing  # type: ignore[misc]  # the queue holds what the thread read
    finally:
        stopped.set()
        _emptied(waiting)
        thread.join(timeout=_PATIENCE)  # one that is deep in a file ends by itself


def _read(things: Iterable[T], waiting: Queue[object], stopped: Event) -> None:
    try:
        for thing in things:
            if not _handed_over(thing, waiting, stopped):
                return
        _handed_over(_END, waiting, stopped)
    except BaseException as error:  # noqa: BLE001 - raised again in the thread that asked
        _handed_over(_Failed(error), waiting, stopped)
    finally:
        close = getattr(things, "close", None)
        if close is not None:
            close()


def _handed_over(thing: object, waiting: Queue[object], stopped: Event) -> bool:
    while not stopped.is_set():
        try:
            waiting.put(thing, timeout=_LOOK_AGAIN_AFTER)
        except Full:
            continue
        return True
    return False


def _emptied(waiting: Queue[object]) -> None:
    while True:
        try:
            waiting.get_nowait()
        except Empty:
            return
