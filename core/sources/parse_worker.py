"""The process that parses: ``python -m core.sources.parse_worker``.

Reads requests from its input and writes what it finds to its output. It may not write files, may
use only so much memory and processor time, and knows none of the console's secrets. Whatever a
hostile file does to it, it does to this process alone.
"""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from core.models.source import IngestFailure
from core.sources import readers
from core.sources.documents import Found, Source
from core.sources.limits import ReadLimits
from core.sources.wire import (
    ALIVE,
    DONE,
    FAILURE,
    LAST,
    READY,
    Request,
    pack,
    read_frame,
    unpack_request,
    write_frame,
)

try:
    import resource
    import signal
except ImportError:  # not on Windows: there the asking side's time limit has to do
    resource = None  # type: ignore[assignment]

_RESERVE = 32 * 1024**2  # bytes given back when memory runs out, to be able to say so
_BEAT_SECONDS = 0.2
_TIMES = 2  # the processor time allowed, in wall times: the asking side is to notice first


def main() -> None:
    """Serve requests until the input ends."""
    ask, answer = sys.stdin.buffer, _private_output()
    _restrict()
    _say(answer, READY, b"")
    while (frame := read_frame(ask)) is not None:
        if not _serve(unpack_request(frame[1]), ask, answer):
            return


def _private_output() -> BinaryIO:
    """Standard output for frames alone: what a library prints goes nowhere."""
    private = os.fdopen(os.dup(1), "wb", buffering=io.DEFAULT_BUFFER_SIZE)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)
    return private


def _serve(request: Request, ask: BinaryIO, answer: BinaryIO) -> bool:
    """Answer one request; ``False`` when this process had better end after it."""
    _limit(request.limits)
    where = Path(request.path) if request.path is not None else ask.read(request.length)
    reserve: bytes | None = bytes(_RESERVE)
    source = Source(
        request.item,
        request.name,
        where,
        request.limits,
        alive=_Pulse(answer).beat,
    )
    try:
        for found in readers.read(source):
            _say(answer, *pack(found))
            _give_time(request.limits)
    except MemoryError:
        reserve = None
        _say(answer, FAILURE, too_large(request.item).model_dump_json().encode())
    spent = reserve is None or _grown(request.limits)
    _say(answer, LAST if spent else DONE, b"")
    return not spent


class _Pulse:
    """Says that a file is getting on, but not more often than anybody needs to hear it."""

    def __init__(self, answer: BinaryIO) -> None:
        self._answer, self._next = answer, time.monotonic() + _BEAT_SECONDS

    def beat(self) -> None:
        """Called at each step."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _BEAT_SECONDS
            _say(self._answer, ALIVE, b"")


def too_large(item: str) -> IngestFailure:
    """A file that needs more memory than it may have."""
    return IngestFailure(
        path=item,
        reason="reading it takes more memory than one file may use",
        fix="split it into smaller files",
    )


def in_process(source: Source) -> Iterator[Found]:
    """The same answers without another process: for tests and for what is known to be harmless."""
    try:
        yield from readers.read(source)
    except MemoryError:
        yield too_large(source.item)


def _say(answer: BinaryIO, kind: bytes, body: bytes) -> None:
    write_frame(answer, kind, body)
    answer.flush()


def _restrict() -> None:
    if resource is None:
        return
    for name in ("RLIMIT_CORE", "RLIMIT_FSIZE"):
        if hasattr(resource, name):
            resource.setrlimit(getattr(resource, name), (0, 0))


def _limit(limits: ReadLimits) -> None:
    """Memory, and processor time: without the latter a file that hangs outlives a killed parent."""
    if resource is None:
        return
    if hasattr(resource, "RLIMIT_AS"):
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = limits.memory_bytes
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    _give_time(limits)


def _give_time(limits: ReadLimits) -> None:
    """Processor time until the next document. A file of rows may go on as long as rows come."""
    if resource is not None:
        signal.setitimer(signal.ITIMER_PROF, _TIMES * limits.steps_seconds)


def _grown(limits: ReadLimits) -> bool:
    """Whether what earlier files left behind would be held against the next one."""
    if resource is None:
        return False
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit > limits.memory_bytes // 2


if __name__ == "__main__":
    main()
