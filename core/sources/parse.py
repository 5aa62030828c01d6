"""Parses files in a process of its own, so that a hostile file costs that one file."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from core.sources.beside import Beside, governed
from core.sources.budget import Budget, crashed, hung
from core.sources.documents import Found, FoundDocument, Source
from core.sources.hidden import UNPRINTABLE
from core.sources.limits import ReadLimits
from core.sources.parse_worker import in_process
from core.sources.readers import ROWS, suffix_of
from core.sources.wire import ALIVE, DONE, LAST, BrokenFrame, Request, unpack
from core.sources.worker import DEFAULT_MODULE, Worker, WorkerGone, borrow, give_back

_AHEAD = 16  # files asked for before the answers to the first are all taken
_AHEAD_BYTES = 12_000  # of their names: what a pipe surely holds
_NOTHING = Beside({}, {})


_LONGEST_LABEL = 200


class FileToRead(NamedTuple):
    """A file by its path, what to call it, its default document id, and what stands beside it."""

    path: Path
    item: str
    name: str
    beside: Beside = _NOTHING


class Parser:
    """Reads and cleans files in a child process that is started when first needed.

    A file that crashes the process, fills its memory or hangs becomes an ``IngestFailure``; the
    process is started anew and the next file is read. Use it as a context manager, from one
    thread at a time.
    """

    def __init__(
        self,
        limits: ReadLimits | None = None,
        *,
        isolated: bool = True,
        module: str = DEFAULT_MODULE,
    ) -> None:
        self._limits = limits or ReadLimits()
        self._isolated, self._module = isolated, module
        self._worker: Worker | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the process. What is asked for afterwards starts another."""
        if self._worker is not None:
            give_back(self._worker)
            self._worker = None

    def parse_path(
        self, path: Path, item: str, name: str, fields: Mapping[str, Any] | None = None
    ) -> Iterator[Found]:
        """Everything found in the file at ``path``; ``fields`` hold where it states none."""
        return self.parse_files([FileToRead(path, item, name, Beside(fields or {}, {}))])

    def parse_bytes(self, name: str, data: bytes) -> Iterator[Found]:
        """Everything found in an upload. ``name`` is a label whose suffix says the type; it is
        never used as a path."""
        name = label(name)
        request = Request(item=name, name=name, length=len(data), limits=self._limits)
        if not self._isolated:
            yield from in_process(Source(name, name, data, self._limits))
            return
        with contextlib.closing(self._answers(request, data)) as answers:
            yield from answers

    def parse_files(self, files: Iterable[FileToRead]) -> Iterator[Found]:
        """Everything found in ``files`` in order; the process reads ahead meanwhile."""
        if not self._isolated:
            for file in files:
                source = Source(file.item, file.name, file.path, self._limits)
                yield from (_governed(file, found) for found in in_process(source))
            return
        with contextlib.closing(self._ahead(iter(files))) as found:
            yield from found

    def _ahead(self, files: Iterator[FileToRead]) -> Generator[Found, None, None]:
        """Keeps a few requests under way. When the process ends, those are asked for again."""
        under_way: deque[tuple[FileToRead, Request]] = deque()
        try:
            while self._ask_more(files, under_way):
                file, request = under_way[0]
                for found in self._taken(request):
                    yield _governed(file, found)
                under_way.popleft()
                if self._worker is None:
                    self._ask_again(under_way)
        finally:
            if under_way:  # left early: answers nobody waits for would confuse the next to ask
                self._end()

    def _ask_more(
        self, files: Iterator[FileToRead], under_way: deque[tuple[FileToRead, Request]]
    ) -> bool:
        waiting = sum(len(request.path or "") for _, request in under_way)
        while len(under_way) < _AHEAD and waiting < _AHEAD_BYTES:
            file = next(files, None)
            if file is None:
                break
            path = str(file.path.absolute())
            request = Request.model_construct(
                item=file.item, name=file.name, path=path, length=0, limits=self._limits
            )
            under_way.append((file, request))
            waiting += len(path)
            self._ask(request)
        return bool(under_way)

    def _ask_again(self, under_way: Iterable[tuple[FileToRead, Request]]) -> None:
        for _, request in under_way:
            self._ask(request)

    def _ask(self, request: Request, data: bytes = b"") -> None:
        """A process that is gone shows when its answer is waited for."""
        if self._worker is None:
            self._worker = borrow(self._module)
        with contextlib.suppress(WorkerGone):
            self._worker.ask(request, data)

    def _answers(self, request: Request, data: bytes) -> Generator[Found, None, None]:
        done = False
        self._ask(request, data)
        try:
            yield from self._taken(request)
            done = True
        finally:
            if not done:
                self._end()

    def _taken(self, request: Request) -> Iterator[Found]:
        """The answers to the request that is first in line."""
        budget = Budget(self._limits, endless=suffix_of(request.name) in ROWS)
        try:
            self._running().ready()
            while True:
                kind, body = self._running().answer(budget.start())
                budget.stop()
                if kind == LAST:
                    self._end()
                if kind in (DONE, LAST):
                    return
                if kind != ALIVE:
                    yield unpack(kind, body)
        except WorkerGone as gone:
            self._end()
            yield hung(request.item, self._limits) if gone.hung else crashed(request.item)
        except BrokenFrame:
            self._end()
            yield crashed(request.item)

    def _running(self) -> Worker:
        if self._worker is None:
            raise WorkerGone
        return self._worker

    def _end(self) -> None:
        if self._worker is not None:
            self._worker.stop()
            self._worker = None


def label(name: str) -> str:
    """The name of an upload without its folders and without what cannot be printed."""
    last = UNPRINTABLE.sub(" ", name.replace("\\", "/")).rstrip("/").rpartition("/")[2].strip()
    return last[-_LONGEST_LABEL:] if last.strip(".") else "upload"


def _governed(file: FileToRead, found: Found) -> Found:
    return governed(found, file.item, file.beside) if isinstance(found, FoundDocument) else found
