"""How far an ingest is: counts, rate, and the time left."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from core.models.source import IngestProgress
from core.sources.load import list_files
from core.sources.parse import FileToRead

Progress = Callable[[IngestProgress], None]
"""Called after each document and each batch written, on the thread that ingests."""

_ROWS = (".jsonl", ".ndjson")
_MOST_FILES = 200_000
_MOST_BYTES = 4_000_000_000
_READ_TOGETHER = 1 << 20


class Meter:
    """Counts, and tells ``progress`` when there is one. Times are seconds of ``stopwatch``."""

    def __init__(
        self,
        progress: Progress | None,
        total: Callable[[], int | None],
        stopwatch: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._progress, self._stopwatch = progress, stopwatch
        self._began = stopwatch()
        self.now = IngestProgress(total=total() if progress is not None else None)

    def seconds(self) -> float:
        """Since the beginning."""
        return round(self._stopwatch() - self._began, 3)

    def count(self, **more: int) -> None:
        """Add to counts without telling yet."""
        values = {name: getattr(self.now, name) + number for name, number in more.items()}
        self.now = self.now.model_copy(update=values)

    def tell(self, **changes: Any) -> None:
        """Tell how far it is; ``changes`` are fields of ``IngestProgress`` to set."""
        if self._progress is None:
            return
        seconds = self.seconds()
        self.now = self.now.model_copy(update={"seconds": seconds, **changes})
        rate = self.now.passages / seconds if seconds > 0 else 0.0
        left = self._left(seconds)
        self.now = self.now.model_copy(
            update={"passages_per_second": round(rate, 1), "seconds_left": left}
        )
        self._progress(self.now)

    def _left(self, seconds: float) -> float | None:
        done, total = self.now.documents, self.now.total
        if self.now.phase == "done":
            return 0.0
        if total is None or not done or not seconds or self.now.phase != "reading":
            return None
        return round(max(0, total - done) * seconds / done, 1)


def how_many(paths: Sequence[Path]) -> int | None:
    """Documents under ``paths`` by a first look: files, and lines of files of rows.

    ``None`` when even looking would take long.
    """
    number = looked_at = 0
    for files, listed in enumerate(list_files(paths)):
        if files > _MOST_FILES or looked_at > _MOST_BYTES:
            return None
        if isinstance(listed, FileToRead) and listed.path.suffix.lower() in _ROWS:
            rows, length = _rows_in(listed.path)
            number, looked_at = number + rows, looked_at + length
        else:
            number += 1
    return number


def _rows_in(path: Path) -> tuple[int, int]:
    rows = length = 0
    last = b"\n"
    try:
        with path.open("rb") as file:
            while part := file.read(_READ_TOGETHER):
                rows, length, last = rows + part.count(b"\n"), length + len(part), part[-1:]
                if length > _MOST_BYTES:
                    break
    except OSError:
        return 1, 0
    return rows + (last != b"\n"), length
