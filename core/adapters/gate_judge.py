"""From pairs of question and passage to the probabilities *relevant* and *evidence*.

What the pair reader knows it reads, and its answers are weighed with the words'. Of the rest the
encoder measures what it knows; other scripts are judged by their words alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from core.adapters.gate_look import Asked, context, look
from core.adapters.gate_model import GateModel
from core.adapters.gate_reading import read_features
from core.adapters.pair_reader import Logits, Pair
from core.adapters.pair_window import pair_text
from core.ports import Encoder

Way = Literal["reader", "vectors", "words"]
"""What judged a pair, besides words."""

_HEADS: dict[Way, str] = {"reader": "", "vectors": "_vectors", "words": "_lexical"}


class Reader(Protocol):
    """Reads pairs of texts; ``PairReader`` is one."""

    def logits(self, pairs: Sequence[Pair]) -> Logits:
        """One row of the reader's outputs for each pair, in order."""
        ...

    def knows(self, text: str) -> bool:
        """Whether it can read ``text``."""
        ...


class Judged(NamedTuple):
    """What the heads make of a pair, 0..1 each, and what they went by."""

    relevant: float
    evidence: float
    way: Way
    reading: tuple[float, ...] = ()
    """The reader's row, where it read the pair."""


class PairJudge:
    """Judges pairs by the heads of ``model``. Without a ``reader`` words and vectors judge."""

    def __init__(self, model: GateModel, encoder: Encoder, reader: Reader | None) -> None:
        self._model, self._encoder, self._reader = model, encoder, reader

    def judge(self, pairs: Sequence[Asked]) -> tuple[Judged, ...]:
        """Each pair by itself, in order; the reader reads all in one batch."""
        if not pairs:
            return ()
        values, ways, readings = self.measure(pairs)
        out = []
        for row, way, reading in zip(values, ways, readings, strict=True):
            whole = [*row, *read_features(reading)] if reading else row
            out.append(
                Judged(
                    self._model.probability("relevant" + _HEADS[way], whole),
                    self._model.probability("evidence" + _HEADS[way], whole),
                    way,
                    reading,
                )
            )
        return tuple(out)

    def measure(
        self, pairs: Sequence[Asked]
    ) -> tuple[list[list[float]], list[Way], list[tuple[float, ...]]]:
        """Of each pair the values of ``FEATURES``, the way it is judged, and the reader's row."""
        texts = [pair_text(query, c.text, context(c)) for query, c in pairs]
        knows: dict[str, Way] = {query: self._way(query) for query, _ in pairs}
        ways: list[Way] = [
            "words" if knows[query] == "reader" and not self._reads(second) else knows[query]
            for (query, _), (_, second) in zip(pairs, texts, strict=True)
        ]
        values = look(pairs, self._model.idf, self._encoder, [way == "vectors" for way in ways])
        read = [text for text, way in zip(texts, ways, strict=True) if way == "reader"]
        rows = iter(self._reader.logits(read).tolist() if self._reader and read else ())
        return values, ways, [tuple(next(rows)) if way == "reader" else () for way in ways]

    def _way(self, query: str) -> Way:
        if self._reads(query):
            return "reader"
        return "vectors" if self._encoder.knows(query) else "words"

    def _reads(self, text: str) -> bool:
        return self._reader is not None and self._reader.knows(text)
