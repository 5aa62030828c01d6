"""The open LanceDB table: connecting, what indexes it has, and errors in our own words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import lancedb

from core.errors import TryAgainLater, Unavailable

TABLE = "passages"
_OWN_SOURCE = re.compile(r",?\s*\S*\.rs:\d+(?::\d+)?")  # places in the vendor's own code


class OpenTable:
    """One open table of the index in ``folder``, at its newest version or at a past one."""

    def __init__(self, folder: Path, table: Any, number: int = 1) -> None:
        self.folder, self.table, self.number = folder, table, number
        self._has_vector_index = False

    def has_vector_index(self) -> bool:
        """Whether vectors are searched by an approximate index rather than exactly."""
        if not self._has_vector_index:  # once there it stays: only a rebuild takes it away
            indices = self.table.list_indices()
            self._has_vector_index = any("vector" in index.columns for index in indices)
        return self._has_vector_index


def connect(folder: Path) -> Any:
    """The database in ``folder``; its tables see other processes' commits at once."""
    # Without it a revoked document stays visible to sessions that opened the table earlier.
    return lancedb.connect(str(folder.resolve()), read_consistency_interval=timedelta(0))


@contextmanager
def translated(folder: Path) -> Iterator[None]:
    """Turn the vendor's errors into ``TryAgainLater`` and ``Unavailable``."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        if "conflict" in str(error).lower():
            raise TryAgainLater("another process is writing the passage index") from error
        reason = _OWN_SOURCE.sub("", (str(error).splitlines() or [type(error).__name__])[0])[:200]
        raise Unavailable(
            f"the passage index in {folder} cannot be used: {reason}. "
            "If it is damaged, run `countersign ingest --rebuild`."
        ) from error
