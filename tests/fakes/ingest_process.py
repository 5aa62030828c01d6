"""An ingest in a process of its own, over real stores, that a test may kill."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import sys
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, NamedTuple

from core.adapters.lancedb_index import LanceIndex
from core.adapters.sql_migrate import open_database
from core.adapters.sql_registry import SqlRegistry
from core.models.source import IngestReport
from core.sources.ingest import ingest
from core.sources.rebuild import rebuild
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.word_encoder import WordEncoder

TENANT = "athena"
_BATCH = 6

_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload([__name__])


class Home:
    """Registry and index in a folder, as one process opens them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.engine = open_database(f"sqlite:///{folder}/countersign.db")
        self.registry = SqlRegistry(self.engine, FixedClock())
        self.index = LanceIndex(folder / "index", WordEncoder(), chunker="test-1")

    def take(self, *paths: Path, **more: Any) -> IngestReport:
        return ingest(
            paths,
            tenant_id=TENANT,
            actor="dana",
            registry=self.registry,
            index=self.index,
            clock=FixedClock(),
            batch=_BATCH,
            **more,
        )

    def rebuild(self) -> int:
        index = LanceIndex.beside(self.folder / "index", WordEncoder(), chunker="test-1")
        return rebuild(registry=self.registry, index=index, batch=_BATCH)

    def close(self) -> None:
        self.engine.dispose()


class Death(NamedTuple):
    """Where a process kills itself: ``before`` or ``after`` the ``nth`` call of a step."""

    step: str
    when: Literal["before", "after"]
    nth: int


def _ingest(folder: Path, corpus: Path, death: Death | None) -> None:
    home = Home(folder)
    if death is not None:
        _arm(home, death)
    home.take(corpus)
    home.close()


def _arm(home: Home, death: Death) -> None:
    part = home.registry if hasattr(home.registry, death.step) else home.index
    real, calls = getattr(part, death.step), itertools.count(1)

    def step(*args: Any, **more: Any) -> Any:
        now = next(calls) == death.nth
        if now and death.when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = real(*args, **more)
        if now:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(part, death.step, step)


def _rebuild(folder: Path) -> None:
    home = Home(folder)
    home.rebuild()
    home.close()


def ingesting(folder: Path, corpus: Path, death: Death | None = None) -> BaseProcess:
    """A started process that takes ``corpus`` into the home ``folder``; it may kill itself."""
    return _started(_ingest, folder, corpus, death)


def died(process: BaseProcess) -> bool:
    """Wait for its end; whether it killed itself."""
    process.join(timeout=120)
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode != 0


def rebuilding(folder: Path) -> BaseProcess:
    """A started process that builds the index of the home ``folder`` anew."""
    return _started(_rebuild, folder)


def killed_after(process: BaseProcess, seconds: float) -> bool:
    """Kill it without warning unless it ends before; whether it had to be killed."""
    process.join(timeout=seconds)
    if process.exitcode is not None:
        assert process.exitcode == 0
        return False
    process.kill()
    process.join()
    return True


def _started(target: Any, *args: Any) -> BaseProcess:
    process: BaseProcess = _PROCESSES.Process(target=target, args=args)
    main = sys.modules["__main__"]
    # A page test leaves its script behind as the main module; a child would run that first.
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        process.start()
    finally:
        sys.modules["__main__"] = main
    return process
