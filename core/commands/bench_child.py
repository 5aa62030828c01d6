"""Work of the bench that runs in a process of its own, so that its memory is its own."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import ParamSpec, TypeVar

from core.evaluation.ingest_bench import IngestBench, run_ingest_bench
from core.evaluation.scale_bench import ScaleRow, measure_size
from core.ports import Encoder, PassageIndex
from core.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")


def in_child(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """The result of ``work``, done in a fresh process that ends with it."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        with _no_script():
            running = pool.submit(work, *arguments, **named)
        return running.result()


@contextmanager
def _no_script() -> Iterator[None]:
    """A spawned process runs its parent's script again; the work needs nothing of it, and what
    stands there need not be a script that runs (a page under test, say)."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


def scale_step(passages: int) -> ScaleRow:
    """One size of the scale bench in a folder that is deleted again."""
    with tempfile.TemporaryDirectory(prefix="countersign-scale-") as folder:
        return measure_size(passages, Path(folder), _index)


def _index(folder: Path, encoder: Encoder) -> PassageIndex:
    from core.adapters.lancedb_index import LanceIndex  # slow import
    from core.sources.chunk import CHUNKER_VERSION

    return LanceIndex(folder, encoder, chunker=CHUNKER_VERSION)


def ingest_step(documents: int, like: Settings, texts: list[str]) -> IngestBench:
    """The ingest bench in a home that is deleted again."""
    from core.wiring import open_office  # slow import

    with tempfile.TemporaryDirectory(prefix="countersign-ingest-") as scratch:
        home = Path(scratch) / "home"
        # A copy, for settings made anew would take COUNTERSIGN_HOME for their home.
        office = open_office(
            like.model_copy(
                update={"home": home, "database_url": None, "model_cache": like.model_folder}
            )
        )
        try:
            return run_ingest_bench(
                documents,
                Path(scratch) / "documents",
                texts=texts,
                ingest=lambda paths: office.ingest(
                    paths, tenant_id=office.settings.tenant, actor="bench"
                ),
            )
        finally:
            office.close()
