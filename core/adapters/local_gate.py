"""The gate that runs here: rules, and small fitted models over words, vectors and a pair reader."""

from __future__ import annotations

from collections.abc import Sequence

from core.adapters.caching_encoder import remembering
from core.adapters.gate_injection import Suspicion
from core.adapters.gate_judge import ON_SUBJECT, Judged, PairJudge, Reader
from core.adapters.gate_look import Asked, context, suspicions
from core.adapters.gate_model import GateModel
from core.adapters.gate_premise import WHY, Passage, PremiseJudge
from core.models.evidence import EvidenceCandidate, GateAnswer, GateNote, GateScores
from core.ports import Encoder
from core.text.premise import Denial
from core.text.presupposition import question_parts
from core.text.relevance import answers_by_heading, excludes_by_list, states_all

_LISTED = 0.7
"""A passage on the subject whose closed list leaves out the name asked for answers the question."""
_PARTS_FROM = 0.2
"""Relevance to the whole message from which its parts are asked: below, they decide nothing."""


class LocalGate:
    """``Gate`` without a network or a large model. Safe to share between threads.

    A sentence is encoded once: the vectors come from an encoder that remembers. Without a
    ``reader`` words and vectors alone judge; ``sentences`` encodes what the reader may read.
    """

    def __init__(
        self,
        encoder: Encoder,
        *,
        reader: Reader | None = None,
        sentences: Encoder | None = None,
        model: GateModel | None = None,
    ) -> None:
        self._encoder = remembering(encoder)
        self._reader = reader
        self._sentences = None if sentences is None else remembering(sentences)
        self._model = model or GateModel.load()
        self._judge = PairJudge(self._model, self._encoder, reader, self._sentences)
        self._likeness = self._encoder if self._sentences is None else self._sentences
        self._premises = PremiseJudge(reader=reader)
        self._alone = "/unread" if reader is None else ""

    @property
    def name(self) -> str:
        """Backend and version of the weights; whether it judges by words and vectors alone."""
        return f"local-gate/{self._model.version}{self._alone}"

    def with_model(self, model: GateModel) -> LocalGate:
        """The same gate over other heads; what was encoded or read is not done again."""
        return LocalGate(self._encoder, reader=self._reader, sentences=self._sentences, model=model)

    def open(self) -> None:
        """Opens the reader ahead of the first pair. Raises ``Unavailable`` as that would."""
        if self._reader is not None:
            self._reader.open()

    def score(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[GateAnswer, ...]:
        """Scores and findings for each candidate, in order."""
        if not candidates:
            return ()
        judged = self._judged(query, candidates)
        doubts = suspicions(candidates, self._likeness)
        verdicts = self._premises.judge_all(
            query,
            [
                Passage(c.text, context(c), found.relevant)
                for c, found in zip(candidates, judged, strict=True)
            ],
        )
        out = []
        for at, candidate in enumerate(candidates):
            headings = context(candidate)
            contradicts, denied = verdicts[at]
            doubt, signs = doubts[at]
            injection = self._model.probability("injection", signs)
            scores = _scores(judged[at], contradicts, injection)
            if scores.relevant >= ON_SUBJECT and excludes_by_list(query, candidate.text):
                scores = scores.model_copy(update={"evidence": max(scores.evidence, _LISTED)})
            # Where the encoder has no vote, other words for the same thing must be known by name.
            stated = judged[at].way == "words" and states_all(query, candidate.text, headings)
            if stated or answers_by_heading(query, candidate.text, headings):
                scores = _at_least(scores, _LISTED)
            note = _note(denied, doubt, injection, judged[at])
            out.append(GateAnswer(scores=scores, note=note, backend=self.name))
        return tuple(out)

    def _judged(self, query: str, candidates: Sequence[EvidenceCandidate]) -> list[Judged]:
        """A passage that answers one part of a message is evidence, if it is on its subject."""
        whole = list(self._judge.judge([Asked(query, candidate) for candidate in candidates]))
        places = [at for at, found in enumerate(whole) if found.relevant >= _PARTS_FROM]
        asked = [(at, part) for part in question_parts(query) for at in places]
        parts = self._judge.judge([Asked(part, candidates[at]) for at, part in asked])
        for (at, _), part in zip(asked, parts, strict=True):
            evidence = min(whole[at].relevant, part.evidence)
            whole[at] = whole[at]._replace(evidence=max(whole[at].evidence, evidence))
        return whole


def _at_least(scores: GateScores, share: float) -> GateScores:
    relevant, evidence = max(scores.relevant, share), max(scores.evidence, share)
    return scores.model_copy(update={"relevant": relevant, "evidence": evidence})


def _scores(judged: Judged, contradicts: float, injection: float) -> GateScores:
    return GateScores(
        relevant=judged.relevant,
        evidence=judged.evidence,
        contradicts=round(contradicts, 4),
        injection=injection,
    )


def _note(denied: Denial | None, found: Suspicion, injection: float, judged: Judged) -> GateNote:
    suspicious = injection > 0.5
    return GateNote(
        premise=denied.premise if denied else "",
        counter_quote=denied.quote if denied else "",
        injection_quote=found.quote if suspicious else "",
        reasons=_reasons(denied, found if suspicious else None, words_alone=judged.way == "words"),
    )


def _reasons(
    denied: Denial | None, speaks: Suspicion | None, *, words_alone: bool
) -> tuple[str, ...]:
    reasons = []
    if speaks:
        reasons.append("a sentence speaks to the model instead of the customer")
        reasons.extend(speaks.kinds)
    if denied:
        reasons.append(WHY[denied.kind])
    if words_alone:
        reasons.append("judged by its words alone: the encoder does not know this language")
    return tuple(reasons)
