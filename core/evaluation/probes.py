"""One stage at a time, without an index: what the public evaluation sets measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.models.evidence import EvidenceCandidate, GatedPassage, GateThresholds
from core.ports import ClaimChecker, ClaimVerdict, Gate
from core.stages.gate import gate
from core.text.answer_values import find_value_conflicts


class Probes:
    """The gate, the claim checker and the conflict finder on texts that come with the question."""

    def __init__(self, *, gate: Gate, checker: ClaimChecker, thresholds: GateThresholds) -> None:
        self._gate, self._checker, self._thresholds = gate, checker, thresholds

    def gate(self, query: str, passage: EvidenceCandidate) -> GatedPassage:
        """The four probabilities of one pair and its route."""
        return gate(query, (passage,), gate=self._gate, thresholds=self._thresholds)[0]

    def check(self, claim: str, evidence: Sequence[str]) -> ClaimVerdict:
        """Whether the texts bear the claim."""
        named = [(f"EVID-{n:04d}", text) for n, text in enumerate(evidence, start=1)]
        return self._checker.check(claim, named)

    def conflicts(self, query: str, passages: Sequence[EvidenceCandidate]) -> dict[str, Any]:
        """Groups of passages that answer the question with different values.

        ``conflicts`` is empty unless at least two values stand against each other; ``resolution``
        says so, or why nobody but a person may decide.
        """
        groups = find_value_conflicts(query, [(p.chunk_id, p.text) for p in passages])
        values = [{"value": g.value, "passage_ids": list(g.passage_ids)} for g in groups]
        if len(values) < 2:
            return {"conflicts": [], "values": values, "resolution": "NO_CONFLICT"}
        return {
            "conflicts": [{"values": values}],
            "values": values,
            "resolution": "NO_WINNER_NEED_HUMAN",
        }
