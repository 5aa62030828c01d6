"""A gate that never pays twice for the same pair: answers are stored and asked for first."""

from __future__ import annotations

import hashlib
import json
import logging
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Protocol

from pydantic import ValidationError

from core.adapters.remote_gate import RemoteGate
from core.errors import CountersignError
from core.models.base import Model
from core.models.evidence import EvidenceCandidate, GateAnswer, GateNote, GateScores, TokenUsage

_log = logging.getLogger(__name__)
_FORM = "1"
"""Of the key: raised when another part of a pair is shown to the model."""
_IN_QUESTION, _IN_PASSAGE = ("premise",), ("counter_quote", "injection_quote")


class KeptAnswer(Model):
    """An answer as it is kept: the numbers, and where its quotes stand, as JSON."""

    scores: GateScores
    quotes: str
    backend: str


class AnswerShelf(Protocol):
    """Where answers are kept, by key."""

    def stored(self, keys: Sequence[str]) -> dict[str, KeptAnswer]:
        """Those of ``keys`` that are stored."""
        ...

    def store(self, answers: Mapping[str, KeptAnswer]) -> None:
        """Keep ``answers``; one stored before under its key stays."""
        ...


class RememberingGate:
    """``Gate`` over a remote one. Safe to share between threads.

    Threads that ask for the same pair at once share one request. Failures are never kept. A shelf
    that cannot be written costs the memory of an answer, not the answer.
    """

    def __init__(self, remote: RemoteGate, shelf: AnswerShelf) -> None:
        self._remote, self._shelf = remote, shelf
        self._asked: dict[str, Future[GateAnswer]] = {}
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The gate behind it."""
        return self._remote.name

    @property
    def fingerprint(self) -> str:
        """That of the gate behind it."""
        return self._remote.fingerprint

    def score(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[GateAnswer, ...]:
        """Stored answers where there are any; the rest is asked, each pair once."""
        keys = [key_of(self.fingerprint, query, candidate) for candidate in candidates]
        pairs = dict(zip(keys, candidates, strict=True))
        known = self._recalled(query, pairs)
        mine, awaited = self._claimed([key for key in pairs if key not in known])
        fresh = self._fresh(query, {key: pairs[key] for key in mine})
        # Only after our own are answered: two threads may wait for each other's pairs.
        shared = {key: _free(future.result()) for key, future in awaited.items()}
        return _in_order(keys, known | shared, fresh)

    def close(self) -> None:
        """Let go of connections."""
        self._remote.close()

    def _recalled(
        self, query: str, pairs: Mapping[str, EvidenceCandidate]
    ) -> dict[str, GateAnswer]:
        found = self._shelf.stored(list(pairs)) if pairs else {}
        read = {key: _read(stored, query, pairs[key].text) for key, stored in found.items()}
        return {key: answer for key, answer in read.items() if answer is not None}

    def _claimed(
        self, keys: Sequence[str]
    ) -> tuple[dict[str, Future[GateAnswer]], dict[str, Future[GateAnswer]]]:
        """Which pairs this thread asks for, and which another one is asking for right now."""
        mine: dict[str, Future[GateAnswer]] = {}
        awaited: dict[str, Future[GateAnswer]] = {}
        with self._lock:
            for key in keys:
                if key in self._asked:
                    awaited[key] = self._asked[key]
                else:
                    mine[key] = self._asked[key] = Future()
        return mine, awaited

    def _fresh(self, query: str, pairs: Mapping[str, EvidenceCandidate]) -> dict[str, GateAnswer]:
        if not pairs:
            return {}
        try:
            # Another thread may have stored its answer between our look and our claim: look again.
            answers = self._recalled(query, pairs)
            asked = {key: pair for key, pair in pairs.items() if key not in answers}
            if asked:
                given = self._remote.score(query, list(asked.values()))
                told = dict(zip(asked, given, strict=True))
                self._keep(query, asked, told)
                answers |= told
        except BaseException as error:
            self._settle(pairs, error=error)
            raise
        self._settle(pairs, answers=answers)
        return answers

    def _settle(
        self,
        keys: Mapping[str, object],
        *,
        answers: Mapping[str, GateAnswer] | None = None,
        error: BaseException | None = None,
    ) -> None:
        with self._lock:
            futures = {key: self._asked.pop(key) for key in keys}
        for key, future in futures.items():
            if answers is not None:
                future.set_result(answers[key])
            else:
                future.set_exception(error or RuntimeError("no answer"))

    def _keep(
        self,
        query: str,
        pairs: Mapping[str, EvidenceCandidate],
        answers: Mapping[str, GateAnswer],
    ) -> None:
        good = {
            key: KeptAnswer(
                scores=answer.scores,
                quotes=_places(answer.note, query, pairs[key].text),
                backend=answer.backend,
            )
            for key, answer in answers.items()
            if answer.scores is not None
        }
        if not good:
            return
        try:
            self._shelf.store(good)
        except CountersignError as error:
            _log.warning("%d gate answers could not be stored: %s", len(good), error)


def key_of(fingerprint: str, query: str, candidate: EvidenceCandidate) -> str:
    """The key of one pair: a hash of everything the model is shown, and of who is asked."""
    shown = [
        _FORM,
        fingerprint,
        query,
        candidate.source_title,
        *candidate.heading_path,
        "",
        candidate.text,
    ]
    packed = json.dumps(shown).encode("ascii")  # escapes keep the parts apart, whatever they hold
    return hashlib.blake2b(packed, digest_size=32).hexdigest()


def _places(note: GateNote, query: str, text: str) -> str:
    """Where the quotes of ``note`` stand, as JSON; what is no exact quote is not kept."""
    places: dict[str, tuple[int, int]] = {}
    for names, whole in ((_IN_QUESTION, query), (_IN_PASSAGE, text)):
        for name in names:
            quote = getattr(note, name)
            at = whole.find(quote) if quote else -1
            if at >= 0:
                places[name] = (at, at + len(quote))
    return json.dumps(places)


def _read(stored: KeptAnswer, query: str, text: str) -> GateAnswer | None:
    """The answer as it was; ``None`` for a row that somebody edited into nonsense."""
    try:
        places = json.loads(stored.quotes)
        quotes = {
            name: (query if name in _IN_QUESTION else text)[first:last]
            for name, (first, last) in places.items()
        }
        note = GateNote(**quotes)
    except (ValueError, TypeError, AttributeError, ValidationError):
        return None
    return GateAnswer(scores=stored.scores, note=note, backend=stored.backend)


def _free(answer: GateAnswer) -> GateAnswer:
    """An answer somebody else pays for."""
    return answer.model_copy(update={"usage": TokenUsage()})


def _in_order(
    keys: Sequence[str], known: Mapping[str, GateAnswer], fresh: Mapping[str, GateAnswer]
) -> tuple[GateAnswer, ...]:
    """One answer a key; the same pair given twice is paid for at its first place only."""
    out: list[GateAnswer] = []
    paid: set[str] = set()
    for key in keys:
        answer = fresh[key] if key in fresh else known[key]
        out.append(_free(answer) if key in paid else answer)
        paid.add(key)
    return tuple(out)
