"""From pairs of question and passage to the probabilities *relevant* and *evidence*.

Words and vectors take a first look. What the pair reader knows and the first look does not find
clearly off the subject it reads, and its answers are weighed with the rest. Scripts that no encoder
knows are judged by their words alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from core.adapters.gate_look import Asked, context, look
from core.adapters.gate_model import GateModel
from core.adapters.gate_reading import read_features
from core.adapters.pair_reader import Logits, Pair
from core.adapters.pair_window import pair_text
from core.models.evidence import EvidenceCandidate
from core.ports import Encoder
from core.text.own_numbers import without_own_numbers

Way = Literal["reader", "vectors", "words"]
"""What judged a pair, besides words."""

READ_FROM = 0.05
"""Relevance at the first look from which a pair is read. On held-back rows this spares 45 % of the
passages off the subject and five in a thousand of those on it, most of them of another namesake."""

ON_SUBJECT = 0.45
"""Relevance from which a passage is taken to be on the subject, whatever a run's own floor."""

FIRST_HEADS = ("relevant_vectors", "evidence_vectors")
"""Whose verdict the last heads weigh beside the reader's."""

_HEADS: dict[Way, str] = {"reader": "", "vectors": "_vectors", "words": "_lexical"}


class Reader(Protocol):
    """Reads pairs of texts; ``PairReader`` is one."""

    def logits(self, pairs: Sequence[Pair]) -> Logits:
        """One row of the reader's outputs for each pair, in order."""
        ...

    def knows(self, text: str) -> bool:
        """Whether it can read ``text``."""
        ...

    def open(self) -> None:
        """Opens what it needs, ahead of the first pair."""
        ...


class Judged(NamedTuple):
    """What the heads make of a pair, 0..1 each, and what they went by."""

    relevant: float
    evidence: float
    way: Way


class Looked(NamedTuple):
    """A pair as the first look leaves it: the values of ``FEATURES``, and the two texts to read
    where the reader knows them."""

    values: list[float]
    way: Way
    texts: Pair | None


class PairJudge:
    """Judges pairs by the heads of ``model``. Without a ``reader`` words and vectors judge.

    ``sentences`` measures likeness where the reader knows both texts (the heads are fitted to its
    vectors), ``encoder`` elsewhere.
    """

    def __init__(
        self,
        model: GateModel,
        encoder: Encoder,
        reader: Reader | None = None,
        sentences: Encoder | None = None,
    ) -> None:
        self._model, self._encoder, self._reader = model, encoder, reader
        self._sentences = encoder if sentences is None else sentences

    def judge(self, pairs: Sequence[Asked]) -> tuple[Judged, ...]:
        """Each pair by itself, in order; the reader reads all in one batch."""
        looked = self._looked(pairs)
        judged = [self._weighed(pair.values, pair.way) for pair in looked]
        places = [
            at for at, pair in enumerate(looked) if pair.texts and judged[at].relevant >= READ_FROM
        ]
        for at, reading in zip(places, self._read([looked[at] for at in places]), strict=True):
            odds = [self._model.odds(head, looked[at].values) for head in FIRST_HEADS]
            judged[at] = self._weighed(read_features(odds, reading), "reader")
        return tuple(judged)

    def _looked(self, pairs: Sequence[Asked]) -> list[Looked]:
        known = {query: self._knows(query) for query, _ in pairs}
        texts = [self._texts(query, c) if known[query] else None for query, c in pairs]
        encoders = [
            self._voting(pair) if text is None else self._sentences
            for pair, text in zip(pairs, texts, strict=True)
        ]
        values = look(pairs, self._model.idf, encoders)
        ways: list[Way] = ["words" if encoder is None else "vectors" for encoder in encoders]
        return [Looked(*entry) for entry in zip(values, ways, texts, strict=True)]

    def _voting(self, pair: Asked) -> Encoder | None:
        knows = self._encoder.knows
        return self._encoder if knows(pair.query) and knows(pair.candidate.text) else None

    def _texts(self, query: str, candidate: EvidenceCandidate) -> Pair | None:
        heading = context(candidate)
        asked = without_own_numbers(query, f"{heading} {candidate.text}")
        texts = pair_text(asked, candidate.text, heading)
        return texts if self._knows(texts[1]) else None

    def _read(self, looked: Sequence[Looked]) -> list[tuple[float, ...]]:
        pairs = [pair.texts for pair in looked if pair.texts]
        if self._reader is None or not pairs:
            return []
        return [tuple(row) for row in self._reader.logits(pairs).tolist()]

    def _weighed(self, values: Sequence[float], way: Way) -> Judged:
        return Judged(
            self._model.probability("relevant" + _HEADS[way], values),
            self._model.probability("evidence" + _HEADS[way], values),
            way,
        )

    def _knows(self, text: str) -> bool:
        return self._reader is not None and self._reader.knows(text)
