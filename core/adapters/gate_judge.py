"""From features to *relevant* and *evidence*: a first look at all passages, a reading of some.

The first look weighs words and vectors. What it finds clearly off the subject is not read; the
rest is read by the pair reader, whose answers are weighed with the features once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple, Protocol

import numpy as np

from core.adapters.gate_look import Look, context
from core.adapters.gate_model import GateModel
from core.adapters.gate_reading import read_features
from core.adapters.pair_reader import Logits, Pair
from core.adapters.pair_window import pair_text
from core.models.evidence import EvidenceCandidate

_READ_FROM = 0.03
"""Relevance at the first look below which a passage is not read."""
_PARTS_FROM = 0.2
"""The same for the parts of a message: they can only raise what is on the subject of the whole."""


class Reader(Protocol):
    """Reads pairs of texts; ``PairReader`` is one."""

    def logits(self, pairs: Sequence[Pair]) -> Logits:
        """One row of the reader's outputs for each pair, in order."""
        ...


class Judged(NamedTuple):
    """What the heads make of a passage, 0..1 each."""

    relevant: float
    evidence: float
    reading: Logits | None = None
    """The reader's row for the whole question, where it read the passage."""


class PairJudge:
    """Weighs looks by the heads of ``model``. Without a ``reader`` the first look decides."""

    def __init__(self, model: GateModel, reader: Reader | None) -> None:
        self._model, self._reader = model, reader

    def judge(
        self, queries: Sequence[str], seen: Look, candidates: Sequence[EvidenceCandidate]
    ) -> tuple[Judged, ...]:
        """Each passage under the message ``queries[0]`` and its parts, the other ``queries``.

        A passage that answers one part of a message is evidence, if it is on its subject.
        """
        first = {
            (q, p): self._first(seen.pairs[q][p], vectors=seen.known[q])
            for q, p in product(range(len(queries)), range(len(candidates)))
        }
        readings = self._readings(queries, seen, candidates, first)
        out = []
        for p in range(len(candidates)):
            whole, *parts = (
                self._weighed(seen.pairs[q][p], first[q, p], readings.get((q, p)))
                for q in range(len(queries))
            )
            best = max((part.evidence for part in parts), default=0.0)
            evidence = max(whole.evidence, min(whole.relevant, best))
            out.append(whole._replace(evidence=evidence))
        return tuple(out)

    def _first(self, values: Sequence[float], *, vectors: bool) -> Judged:
        suffix = "_first" if vectors else "_lexical"
        return Judged(
            self._model.probability("relevant" + suffix, values),
            self._model.probability("evidence" + suffix, values),
        )

    def _readings(
        self,
        queries: Sequence[str],
        seen: Look,
        candidates: Sequence[EvidenceCandidate],
        first: dict[tuple[int, int], Judged],
    ) -> dict[tuple[int, int], Logits]:
        """The reader's answers by question and passage, all from one call."""
        if self._reader is None:
            return {}
        places = [
            (q, p)
            for q, p in first
            if seen.known[q] and first[0, p].relevant >= (_PARTS_FROM if q else _READ_FROM)
        ]
        pairs = [
            pair_text(queries[q], candidates[p].text, context(candidates[p])) for q, p in places
        ]
        return dict(zip(places, self._reader.logits(pairs), strict=True))

    def _weighed(self, values: Sequence[float], first: Judged, reading: Logits | None) -> Judged:
        if reading is None:
            return first
        whole = [*values, *read_features(first.relevant, first.evidence, reading)]
        return Judged(
            self._model.probability("relevant", whole),
            self._model.probability("evidence", whole),
            np.asarray(reading),
        )
