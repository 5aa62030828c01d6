"""A parsing process whose reader of text does what a hostile file might make a reader do."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from core.sources import parse_worker, readers
from core.sources.documents import Found, FoundDocument, Source

BLOCK = 16_000_000


def _hang(_: str) -> None:
    time.sleep(3_600)


def _spin(_: str) -> None:
    while True:
        pass


def _crash(_: str) -> None:
    os.kill(os.getpid(), 11)


def _exit(_: str) -> None:
    os._exit(0)


def _eat(_: str) -> None:
    eaten = []
    while True:
        eaten.append(bytearray(BLOCK))


def _babble(descriptor: str) -> None:
    os.write(int(descriptor), b"Z\xff\xff\xff\xffnonsense")


def _print(_: str) -> None:
    sys.stdout.write("D\0\0\0\2{}")
    sys.stdout.flush()
    os.write(1, b"D\0\0\0\2{}")


def _raise(_: str) -> None:
    raise LookupError("anything")


def _write(path: str) -> None:
    Path(path).write_text("x" * 10_000)


ORDERS = {
    "HANG": _hang,
    "SPIN": _spin,
    "CRASH": _crash,
    "EXIT": _exit,
    "EAT": _eat,
    "BABBLE": _babble,
    "PRINT": _print,
    "RAISE": _raise,
    "WRITE": _write,
}


def read_plain(source: Source) -> Iterator[Found]:
    """Obeys the first word of the file; any other file is read as it is."""
    text = source.bytes(source.limits.file_bytes).decode()
    order, _, rest = text.partition(" ")
    if order in ORDERS:
        ORDERS[order](rest)
    yield FoundDocument(
        item=source.item,
        document_id=source.name,
        source_id=source.name,
        title=source.name,
        original=",".join(sorted(os.environ)) if order == "ENVIRONMENT" else text,
        media_type="text/plain",
    )
    if order == "HALF":
        os._exit(1)


readers.READERS[".txt"] = "tests.sources.hostile_worker:read_plain"

if __name__ == "__main__":
    parse_worker.main()
