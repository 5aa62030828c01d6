"""What a retrieval system must do to be measured beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np

from core.ports import Encoder, Vectors

PeerText = tuple[str, str, str]
"""Document id, title and text."""


class Peer(Protocol):
    """A retrieval system from elsewhere, over texts held in memory."""

    @property
    def about(self) -> str:
        """How it is set up, in one line for the report."""
        ...

    def load(self, texts: Sequence[PeerText], *, split: bool, chinese: bool) -> int:
        """Take the texts in, cut by its own splitter if ``split``; returns how many pieces."""
        ...

    def search(self, query: str, *, limit: int) -> Iterable[str]:
        """Ids of the documents behind the ``limit`` best pieces, best first; ids may repeat."""
        ...


Peers = Mapping[str, Callable[[], Peer]]
"""How to open each peer; opening raises ``Unavailable`` where it is not installed."""


class SharedEncoder:
    """One encoder for ours and all peers. Passages are remembered, questions are not.

    So documents are encoded once however many systems read them, and no system's search is
    quicker because another asked the same before.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._kept: dict[str, Vectors] = {}

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

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of questions, computed anew each time."""
        return self._encoder.encode_queries(texts)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of passages, one row a text."""
        if len(texts) == 1:
            kept = self._kept.get(texts[0])
            return self._encoder.encode(texts) if kept is None else kept[None, :].copy()
        fresh = [text for text in dict.fromkeys(texts) if text not in self._kept]
        if fresh:
            self._kept |= dict(zip(fresh, self._encoder.encode(fresh), strict=True))
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([self._kept[text] for text in texts])

    def forget(self) -> None:
        """Let go of all texts, between two sets."""
        self._kept.clear()
