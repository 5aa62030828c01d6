"""An encoder that remembers: gate and draft look at the same sentences, request after request."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import blake2b

import numpy as np

from core.ports import Encoder, Vectors

KEPT = 8192
"""Vectors kept by default: about 15 MB at 384 dimensions."""


class CachingEncoder:
    """``Encoder`` over another one; the vectors of the ``kept`` last used texts are not computed
    again. Safe to share between threads. Texts are kept as digests, never as text.
    """

    def __init__(self, encoder: Encoder, *, kept: int = KEPT) -> None:
        self._encoder, self._kept = encoder, kept
        self._vectors: OrderedDict[bytes, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def fingerprint(self) -> str:
        """That of the encoder behind it."""
        return self._encoder.fingerprint

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self._encoder.dimension

    def knows(self, text: str) -> bool:
        """As the encoder behind it says."""
        return self._encoder.knows(text)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of passages, one row a text, in an array of the caller's own.

        All texts not remembered go to the encoder behind it in one batch, each once.
        """
        return self._recalled(texts, b"passage", self._encoder.encode)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of questions; remembered apart from those of passages."""
        return self._recalled(texts, b"query", self._encoder.encode_queries)

    def _recalled(
        self, texts: Sequence[str], role: bytes, compute: Callable[[Sequence[str]], Vectors]
    ) -> Vectors:
        names = [_name(text, role) for text in texts]
        held = self._held(names)
        missing = {name: text for name, text in zip(names, texts, strict=True) if name not in held}
        if missing:
            # Outside the lock: two threads may compute one vector twice, none waits for another.
            computed = compute(list(missing.values()))
            # Copies, for a row is a view that would keep its whole batch in memory.
            fresh = {n: row.copy() for n, row in zip(missing, computed, strict=True)}
            held |= fresh
            self._keep(fresh)
        out = np.empty((len(names), self.dimension), dtype=np.float32)
        for number, name in enumerate(names):
            out[number] = held[name]
        return out

    def __len__(self) -> int:
        """Number of vectors remembered at present."""
        return len(self._vectors)

    def _held(self, names: Sequence[bytes]) -> dict[bytes, Vectors]:
        held: dict[bytes, Vectors] = {}
        with self._lock:
            for name in names:
                if (vector := self._vectors.get(name)) is not None:
                    held[name] = vector
                    self._vectors.move_to_end(name)
        return held

    def _keep(self, fresh: dict[bytes, Vectors]) -> None:
        with self._lock:
            self._vectors.update(fresh)
            while len(self._vectors) > self._kept:
                self._vectors.popitem(last=False)


def _name(text: str, role: bytes) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16, person=role).digest()


def remembering(encoder: Encoder) -> Encoder:
    """``encoder`` itself when it remembers already, else with a memory of its own."""
    return encoder if isinstance(encoder, CachingEncoder) else CachingEncoder(encoder)
