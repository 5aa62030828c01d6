"""A bounded memory of computed rows, the last used kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.float32]
Asked = TypeVar("Asked")


class ArrayMemory:
    """The rows of the ``kept`` last used digests. Safe to share between threads."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._rows: OrderedDict[bytes, Rows] = OrderedDict()
        self._lock = threading.Lock()

    def recalled(
        self,
        names: Sequence[bytes],
        asked: Sequence[Asked],
        width: int,
        compute: Callable[[Sequence[Asked]], Rows],
    ) -> Rows:
        """One row for each of ``asked``, whose digests are ``names``, in an array of the caller's.

        All that is not remembered is computed in one call, each once.
        """
        held = self._held(names)
        missing = {name: one for name, one in zip(names, asked, strict=True) if name not in held}
        if missing:
            # Outside the lock: two threads may compute one row twice, none waits for another.
            computed = compute(list(missing.values()))
            # Copies, for a row is a view that would keep its whole batch in memory.
            fresh = {n: row.copy() for n, row in zip(missing, computed, strict=True)}
            held |= fresh
            self._keep(fresh)
        out = np.empty((len(names), width), dtype=np.float32)
        for number, name in enumerate(names):
            out[number] = held[name]
        return out

    def __len__(self) -> int:
        """Number of rows remembered at present."""
        return len(self._rows)

    def _held(self, names: Sequence[bytes]) -> dict[bytes, Rows]:
        held: dict[bytes, Rows] = {}
        with self._lock:
            for name in names:
                if (row := self._rows.get(name)) is not None:
                    held[name] = row
                    self._rows.move_to_end(name)
        return held

    def _keep(self, fresh: Mapping[bytes, Rows]) -> None:
        with self._lock:
            self._rows.update(fresh)
            while len(self._rows) > self._kept:
                self._rows.popitem(last=False)
