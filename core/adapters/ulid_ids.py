"""Sortable ids."""

from __future__ import annotations

import threading

from ulid import ULID

_LARGEST = (1 << 128) - 1


class UlidIds:
    """``Ids`` from ULIDs, strictly rising within a process and across threads.

    Two ULIDs of the same millisecond are ordered by chance, and the wall clock may step back;
    in both cases the last id plus one is used, so a later id always compares greater.
    """

    def __init__(self) -> None:
        self._last = 0
        self._lock = threading.Lock()

    def new(self, prefix: str) -> str:
        """A fresh id such as ``case_01J…``."""
        with self._lock:
            drawn = int.from_bytes(ULID().bytes, "big")
            self._last = min(max(drawn, self._last + 1), _LARGEST)
            return f"{prefix}_{ULID.from_int(self._last)}"
