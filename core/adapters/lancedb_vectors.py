"""Vectors for passages: taken over from where the same text stands already, else encoded once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from core.adapters.lancedb_rows import read_text, vector_key
from core.models.source import Passage
from core.ports import Encoder, Vectors

_HELD = 8192
_ASKED_TOGETHER = 512


class VectorSource:
    """Vectors by the text they stand for. ``tables`` gives those of the same encoder.

    Safe to share between threads.
    """

    def __init__(self, encoder: Encoder, tables: Callable[[], Iterable[Any]]) -> None:
        self._encoder, self._tables = encoder, tables
        self._held: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def prepare(self, passages: Sequence[Passage]) -> int:
        """Have the vectors of these passages at hand; returns how many had to be computed."""
        return self._missing_computed({vector_key(p): p for p in passages})[1]

    def of(self, passages: Sequence[Passage]) -> Vectors:
        """One row a passage; zeros, which no search returns, for text the encoder does not know."""
        keys = [vector_key(passage) for passage in passages]
        known, _ = self._missing_computed(dict(zip(keys, passages, strict=True)))
        vectors = np.zeros((len(keys), self._encoder.dimension), dtype=np.float32)
        for number, key in enumerate(keys):
            vectors[number] = known[key]
        return vectors

    def forget(self) -> None:
        """Let go of what is remembered."""
        with self._lock:
            self._held.clear()

    def _missing_computed(self, wanted: dict[str, Passage]) -> tuple[dict[str, Vectors], int]:
        known = self._remembered(wanted)
        missing = [key for key in wanted if key not in known]
        stored = self._stored(missing)
        new = [key for key in missing if key not in stored]
        computed = self._computed([read_text(wanted[key]) for key in new])
        fresh = stored | dict(zip(new, computed, strict=True))
        self._remember(fresh)
        return known | fresh, len(new)

    def _computed(self, texts: list[str]) -> Vectors:
        vectors = np.zeros((len(texts), self._encoder.dimension), dtype=np.float32)
        known = [number for number, text in enumerate(texts) if self._encoder.knows(text)]
        if known:
            vectors[known] = self._encoder.encode([texts[number] for number in known])
        return vectors

    def _stored(self, keys: Sequence[str]) -> dict[str, Vectors]:
        found: dict[str, Vectors] = {}
        for table in self._tables() if keys else ():
            left = [key for key in keys if key not in found]
            for start in range(0, len(left), _ASKED_TOGETHER):
                # A damaged table spares no encoding; that must not stop what replaces it.
                with suppress(OSError, RuntimeError):
                    found |= _looked_up(table, left[start : start + _ASKED_TOGETHER])
        return found

    def _remembered(self, keys: Iterable[str]) -> dict[str, Vectors]:
        with self._lock:
            return {key: self._held[key] for key in keys if key in self._held}

    def _remember(self, fresh: dict[str, Vectors]) -> None:
        with self._lock:
            for key, vector in fresh.items():
                self._held[key] = vector.copy()  # a view would keep its whole batch in memory
            while len(self._held) > _HELD:
                self._held.popitem(last=False)


def _looked_up(table: Any, keys: Sequence[str]) -> dict[str, Vectors]:
    listed = ", ".join(f"'{key}'" for key in keys)  # hex digits only, see ``vector_key``
    query = table.search().where(f"vector_key IN ({listed})").select(["vector_key", "vector"])
    found = query.to_arrow()
    if not found.num_rows:
        return {}
    flat = np.asarray(found["vector"].combine_chunks().flatten(), dtype=np.float32)
    rows = flat.reshape(found.num_rows, -1)
    return dict(zip(found["vector_key"].to_pylist(), rows, strict=True))
