"""The gate that runs here: rules and small fitted models over words, sentences and vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.adapters.caching_encoder import remembering
from core.adapters.gate_features import (
    Passage,
    Question,
    features,
    prepare_passage,
    prepare_question,
)
from core.adapters.gate_injection import Suspicion, injection_features, suspicion
from core.adapters.gate_model import GateModel
from core.models.evidence import EvidenceCandidate, GateAnswer, GateNote, GateScores
from core.ports import Encoder
from core.text.asked import answered_no
from core.text.premise import Denial, denial
from core.text.presupposition import find_presuppositions, is_yes_no, question_parts
from core.text.relevance import answers_by_heading, excludes_by_list, states_all
from core.text.sentences import split_sentences

_YES_NO_CAP = 0.69
"""A yes/no question assumes nothing: a passage that answers "no" is evidence, not a conflict."""
_ON_SUBJECT, _LISTED = 0.45, 0.7
"""A passage on the subject whose closed list leaves out the name asked for answers the question."""
_REST = 5
_HEADING_SHARE = 0.85
_TELLING = 3
_ENOUGH_NEIGHBOURS = 3


class PairFeatures(NamedTuple):
    """What the fitted heads weigh for one pair."""

    pair: list[float]
    injection: list[float]
    vectors: bool
    """Whether the encoder had a vote."""


class LocalGate:
    """``Gate`` without a network or a large model. Safe to share between threads.

    A sentence is encoded once: the vectors come from an encoder that remembers.
    """

    def __init__(self, encoder: Encoder, *, model: GateModel | None = None) -> None:
        self._encoder = remembering(encoder)
        self._model = model or GateModel.load()

    @property
    def name(self) -> str:
        """Backend and version of the weights."""
        return f"local-gate/{self._model.version}"

    def score(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[GateAnswer, ...]:
        """Scores and findings for each candidate, in order."""
        if not candidates:
            return ()
        measured = self.measure(query, candidates)
        parts = [self.measure(part, candidates) for part in question_parts(query)]
        premises = find_presuppositions(query)
        asks = is_yes_no(query) and not premises
        out = []
        for at, (candidate, (pair, found)) in enumerate(zip(candidates, measured, strict=True)):
            context = _context(candidate)
            if asks:
                denied = None
                contradicts = min(_YES_NO_CAP, answered_no(query, candidate.text, context))
            else:
                denied = denial(premises, candidate.text, query=query, context=context)
                contradicts = denied.score if denied else 0.02
            scores = self._scores(pair, contradicts, [part[at][0] for part in parts])
            if scores.relevant >= _ON_SUBJECT and excludes_by_list(query, candidate.text):
                scores = scores.model_copy(update={"evidence": max(scores.evidence, _LISTED)})
            # Where the encoder has no vote, other words for the same thing must be known by name.
            stated = not pair.vectors and states_all(query, candidate.text, context)
            if stated or answers_by_heading(query, candidate.text, context):
                scores = _at_least(scores, _LISTED)
            note = _note(denied, found, pair, self._model)
            out.append(GateAnswer(scores=scores, note=note, backend=self.name))
        return tuple(out)

    def measure(
        self, query: str, candidates: Sequence[EvidenceCandidate]
    ) -> tuple[tuple[PairFeatures, Suspicion], ...]:
        """The features of every pair (fitting uses them too)."""
        found = [suspicion(candidate.text) for candidate in candidates]
        question = prepare_question(query, self._model.idf)
        passages = [prepare_passage(question, c.text, _context(c)) for c in candidates]
        known = self._encoder.knows(query)
        self._warm(query if known else "", passages if known else (), candidates, found)
        return tuple(
            (self._features(question, passage, candidate, doubt, known=known), doubt)
            for passage, candidate, doubt in zip(passages, candidates, found, strict=True)
        )

    def _features(
        self,
        question: Question,
        passage: Passage,
        candidate: EvidenceCandidate,
        doubt: Suspicion,
        *,
        known: bool,
    ) -> PairFeatures:
        cosines: list[float] = []
        if known and passage.best:
            asked = self._encoder.encode([question.text])[0]
            cosines = [float(v) for v in self._encoder.encode(passage.best) @ asked]
            if heading := _heading(candidate):
                # "Is there a student discount?" over "Students get 10% off" says what is answered.
                like = _HEADING_SHARE * float(self._encoder.encode([heading])[0] @ asked)
                cosines = [
                    max(like, value) if at == 0 else value for at, value in enumerate(cosines)
                ]
        off_topic = self._off_topic(candidate.text, doubt) if doubt.needs_topic else 0.0
        return PairFeatures(
            features(question, passage, cosines), injection_features(doubt, off_topic), known
        )

    def _scores(
        self, pair: PairFeatures, contradicts: float, parts: Sequence[PairFeatures]
    ) -> GateScores:
        """A passage that answers one part of a message is evidence, if it is on its subject."""
        relevant, evidence = self._pair(pair)
        for part in parts:
            evidence = max(evidence, min(relevant, self._pair(part)[1]))
        return GateScores(
            relevant=relevant,
            evidence=evidence,
            contradicts=round(contradicts, 4),
            injection=self._model.probability("injection", pair.injection),
        )

    def _pair(self, pair: PairFeatures) -> tuple[float, float]:
        suffix = "" if pair.vectors else "_lexical"
        return (
            self._model.probability("relevant" + suffix, pair.pair),
            self._model.probability("evidence" + suffix, pair.pair),
        )

    def _off_topic(self, text: str, doubt: Suspicion) -> float:
        """1 minus the likeness of the suspicious sentence to its most similar neighbour.

        A passage of a few sentences has no topic to stray from: 0.
        """
        suspect, others = _neighbours(text, doubt)
        if len(others) < _ENOUGH_NEIGHBOURS or not self._encoder.knows(suspect):
            return 0.0
        vectors = self._encoder.encode([suspect, *others])
        return float(1.0 - max(0.0, float((vectors[1:] @ vectors[0]).max())))

    def _warm(
        self,
        query: str,
        passages: Sequence[Passage],
        candidates: Sequence[EvidenceCandidate],
        found: Sequence[Suspicion],
    ) -> None:
        """Encodes everything that will be needed in one batch."""
        texts = [query] if query else []
        texts += [sentence for passage in passages for sentence in passage.best]
        texts += [heading for c in candidates if query and (heading := _heading(c))]
        for candidate, doubt in zip(candidates, found, strict=True):
            if doubt.needs_topic:
                suspect, others = _neighbours(candidate.text, doubt)
                texts += [suspect, *others]
        self._encoder.encode(list(dict.fromkeys(texts)))


def _at_least(scores: GateScores, share: float) -> GateScores:
    relevant, evidence = max(scores.relevant, share), max(scores.evidence, share)
    return scores.model_copy(update={"relevant": relevant, "evidence": evidence})


def _context(candidate: EvidenceCandidate) -> str:
    return " › ".join(part for part in (candidate.source_title, *candidate.heading_path) if part)


def _heading(candidate: EvidenceCandidate) -> str:
    """The nearest heading, where it says more than a word or two."""
    heading = candidate.heading_path[-1] if candidate.heading_path else candidate.source_title
    return heading if len(heading.split()) >= _TELLING else ""


def _neighbours(text: str, doubt: Suspicion) -> tuple[str, list[str]]:
    """The suspicious sentence and the longest others of the passage."""
    suspect = doubt.windows[0][0]
    others = [
        s.text for s in split_sentences(text) if s.start != suspect.start and len(s.text) > 20
    ]
    others.sort(key=len, reverse=True)
    return suspect.text[:320], [other[:320] for other in others[:_REST]]


def _note(
    denied: Denial | None, found: Suspicion, pair: PairFeatures, model: GateModel
) -> GateNote:
    suspicious = model.probability("injection", pair.injection) > 0.5
    return GateNote(
        premise=denied.premise if denied else "",
        counter_quote=denied.quote if denied else "",
        injection_quote=found.quote if suspicious else "",
        reasons=_reasons(denied, suspicious=suspicious, pair=pair),
    )


def _reasons(denied: Denial | None, *, suspicious: bool, pair: PairFeatures) -> tuple[str, ...]:
    reasons = []
    if suspicious:
        reasons.append("a sentence speaks to the model instead of the customer")
    if denied:
        reasons.append(_KINDS[denied.kind])
    if not pair.vectors:
        reasons.append("judged by its words alone: the encoder does not know this language")
    return tuple(reasons)


_KINDS = {
    "polarity": "the passage says the opposite of what the question assumes",
    "opposite": "the passage says the opposite of what the question assumes",
    "value": "the passage states another value than the question assumes",
    "existence": "the passage says there is no such thing",
}
