"""A gate whose answers are a function of question and passage."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.models.evidence import EvidenceCandidate, GateAnswer, GateScores

Judge = Callable[[str, EvidenceCandidate], GateScores | str]
"""Scores, or why there are none."""


class ScriptedGate:
    """Asks ``judge`` for each pair and keeps what it was asked."""

    def __init__(self, judge: Judge, name: str = "scripted/1") -> None:
        self._judge, self._name = judge, name
        self.calls: list[tuple[str, tuple[EvidenceCandidate, ...]]] = []

    @property
    def name(self) -> str:
        return self._name

    def score(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[GateAnswer, ...]:
        self.calls.append((query, tuple(candidates)))
        return tuple(self._answer(self._judge(query, candidate)) for candidate in candidates)

    def _answer(self, found: GateScores | str) -> GateAnswer:
        if isinstance(found, str):
            return GateAnswer(failure=found, backend=self._name)
        return GateAnswer(scores=found, backend=self._name)
