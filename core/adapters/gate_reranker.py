"""The gate's first question, "is it on the subject?", as a second look at search results."""

from __future__ import annotations

from collections.abc import Sequence

from core.models.evidence import EvidenceCandidate
from core.ports import Gate

_WEIGHT = 0.06
"""Small: the fused score already knows most of it. Measured on public sets, the gate's relevance
gained .013 nDCG@10 on chatty messages and cost up to .002 on plain questions; more weight loses."""


class GateReranker:
    """``Reranker`` by the relevance head of a gate."""

    weight = _WEIGHT

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    @property
    def name(self) -> str:
        """The gate behind it."""
        return f"gate/{self._gate.name}"

    def scores(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[float, ...]:
        """Probability that each is on the subject of the query."""
        return tuple(
            answer.scores.relevant if answer.scores else 0.0
            for answer in self._gate.score(query, candidates)
        )
