"""The guard before every remote gate: what the local gate takes for an injection never leaves.

The local gate always reads every passage too. A passage it flags is answered locally; for the rest
the higher of both suspicions counts. What the remote gate does not judge is left out, or judged
locally, and says so.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from typing import Literal

from core.adapters.remote_gate import RemoteGate
from core.models.evidence import (
    EvidenceCandidate,
    GateAnswer,
    GateNote,
)
from core.models.gate_words import IN_PLACE
from core.ports import Gate
from core.text.sentences import split_sentences
from core.text.similarity import term_coverage

Fallback = Literal["exclude", "local"]
_DENIES = 0.5
_REST_SECONDS = 15.0


class GuardedGate:
    """``Gate``: ``local`` first, then ``remote`` for what may leave. Safe to share between threads.

    What the local scan puts above ``injection_max`` is held back. After a call in which every
    answer failed the remote gate is left alone for ``rest_seconds``: a run must not wait for a dead
    server once for every part of its question.
    """

    def __init__(
        self,
        local: Gate,
        remote: RemoteGate,
        *,
        injection_max: float,
        fallback: Fallback = "exclude",
        rest_seconds: float = _REST_SECONDS,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._local, self._remote = local, remote
        self._injection_max, self._fallback = injection_max, fallback
        self._rest = _Rest(rest_seconds, monotonic)

    @property
    def name(self) -> str:
        """The remote gate; that a local one stands before it goes without saying."""
        return self._remote.name

    def holding_back(self, injection_max: float) -> GuardedGate:
        """The same gate under another threshold."""
        other = copy.copy(self)
        other._injection_max = injection_max
        return other

    def score(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[GateAnswer, ...]:
        """One answer for each candidate, in order."""
        if not candidates:
            return ()
        own = self._local.score(query, candidates)
        leaving = [at for at, mine in enumerate(own) if self._may_leave(mine)]
        asked = self._asked(query, [candidates[at] for at in leaving])
        answered = dict(zip(leaving, asked, strict=True))
        return tuple(
            self._joined(query, candidates[at], mine, answered[at])
            if at in answered
            else self._held_back(mine)
            for at, mine in enumerate(own)
        )

    def close(self) -> None:
        """Let go of connections."""
        self._remote.close()

    def _may_leave(self, mine: GateAnswer) -> bool:
        """A passage the local scan did not read does not leave either."""
        return mine.scores is not None and mine.scores.injection <= self._injection_max

    def _asked(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[GateAnswer, ...]:
        if not candidates:
            return ()
        if why := self._rest.reason():
            return tuple(GateAnswer(backend=self.name, failure=why) for _ in candidates)
        answers = self._remote.score(query, candidates)
        if all(answer.failure for answer in answers):
            self._rest.begin(answers[0].failure)
        return answers

    def _held_back(self, mine: GateAnswer) -> GateAnswer:
        """Not sent: the local answer stands, whatever else it says."""
        return mine.model_copy(update={"backend": f"{mine.backend} (kept from {self.name})"})

    def _joined(
        self, query: str, candidate: EvidenceCandidate, mine: GateAnswer, theirs: GateAnswer
    ) -> GateAnswer:
        if theirs.scores is None:
            return theirs if self._fallback == "exclude" else self._instead(mine, theirs)
        doubt = max(theirs.scores.injection, mine.scores.injection if mine.scores else 1.0)
        scores = theirs.scores.model_copy(update={"injection": doubt})
        note = _note(query, candidate, mine.note, theirs.note, scores.contradicts)
        return theirs.model_copy(update={"scores": scores, "note": note})

    def _instead(self, mine: GateAnswer, theirs: GateAnswer) -> GateAnswer:
        backend = f"{mine.backend}{IN_PLACE}{self.name}: {theirs.failure})"
        return mine.model_copy(update={"backend": backend, "usage": theirs.usage})


class _Rest:
    """Why the remote gate is left alone at present. Shared by all views of one gate."""

    def __init__(self, seconds: float, monotonic: Callable[[], float]) -> None:
        self._seconds, self._monotonic = seconds, monotonic
        self._state = (0.0, "")

    def begin(self, reason: str) -> None:
        self._state = (self._monotonic() + self._seconds, reason)

    def reason(self) -> str:
        until, reason = self._state
        return reason if self._monotonic() < until else ""


def _note(
    query: str, candidate: EvidenceCandidate, mine: GateNote, theirs: GateNote, contradicts: float
) -> GateNote:
    """The remote gate's quotes, and local ones where it gave none."""
    premise, counter = theirs.premise, theirs.counter_quote
    if not counter and mine.counter_quote:
        premise, counter = mine.premise, mine.counter_quote
    if not counter and contradicts > _DENIES:
        counter = _nearest(query, candidate.text)
    return theirs.model_copy(
        update={
            "premise": premise or (mine.premise if counter else ""),
            "counter_quote": counter,
            "injection_quote": theirs.injection_quote or mine.injection_quote,
            "reasons": (*theirs.reasons, *mine.reasons),
        }
    )


def _nearest(query: str, text: str) -> str:
    """The sentence that shares most with the question: a denial is most likely there."""
    sentences = [span.text.strip() for span in split_sentences(text)]
    return max(sentences, key=lambda s: term_coverage(query, s), default="")
