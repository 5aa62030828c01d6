"""An encoder that remembers: gate and draft look at the same sentences, request after request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b

from core.adapters.array_memory import ArrayMemory
from core.ports import Encoder, Vectors

KEPT = 8192
"""Vectors kept by default: about 15 MB at 384 dimensions."""


class CachingEncoder:
    """``Encoder`` over another one; the vectors of the ``kept`` last used texts are not computed
    again. Safe to share between threads. Texts are kept as digests, never as text.
    """

    def __init__(self, encoder: Encoder, *, kept: int = KEPT) -> None:
        self._encoder, self._vectors = encoder, ArrayMemory(kept)

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
        return self._vectors.recalled(names, texts, self.dimension, compute)

    def __len__(self) -> int:
        """Number of vectors remembered at present."""
        return len(self._vectors)


def _name(text: str, role: bytes) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16, person=role).digest()


def remembering(encoder: Encoder) -> Encoder:
    """``encoder`` itself when it remembers already, else with a memory of its own."""
    return encoder if isinstance(encoder, CachingEncoder) else CachingEncoder(encoder)
