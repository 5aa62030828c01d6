"""The claim checker that runs here: rules over values and wording, then a small fitted model.

``supported`` needs a reason: the claim stands in the evidence word for word or nearly so, or
everything it says is covered, no value is missing or different, and the model agrees. What is
neither borne nor denied is ``unclear``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from core.adapters.checker_model import CheckerModel
from core.models.draft import EvidenceSpan, SupportStatus
from core.ports import Encoder
from core.text.claim_features import (
    FEATURES,
    ClaimView,
    EvidenceSentence,
    evidence_sentences,
    joined,
    look_at,
)
from core.text.compare import Finding, compare_sentences
from core.text.quote import find_quote
from core.text.scope import foreign_scope
from core.text.turned import said_alike, turned

SUPPORTED, UNSUPPORTED, SURE = 0.5, 0.35, 0.8
"""Probability from which a claim is supported, below which it is unsupported, and from which
neither a name in another form nor a denial elsewhere in the sentence holds it back."""
_SHORT, _LONG = math.log(5), math.log(40)
"""A claim of so few content words, held against so many, stands or falls with each of its own."""
_LONGEST = 2_000
"""Characters of a claim; a sentence of evidence may have twice as many. Work grows with the values
of the one times the values of the other."""
_ALIGNED = 0.6
_FOREIGN = 0.15
"""How far each limit (express, UK, a date span) that only one of the two names sets them apart."""
_VALUES = frozenset({"number", "money", "date", "bound"})
_UNITS = frozenset({"day", "week", "month", "year", "hour", "minute", "time", "date"})
_WORDS = {
    "quote": "quote found",
    "near": "nearly word for word in the evidence",
    "covered": "what it says is covered by the evidence, and its values agree",
    "thin": "little of it is in the evidence",
    "open": "the evidence neither bears nor denies it",
    "opposite": "the same words with a negation more or less say the opposite",
    "turned": "one of the two is a denial and the other is not: read both",
    "word": "a word it turns on is not in the evidence",
    "nothing": "there is no evidence to hold it against",
    "long": "it is too long to be checked as one claim: split it into sentences",
}


class LocalVerdict(NamedTuple):
    """``ClaimVerdict`` of the local checker."""

    label: SupportStatus
    score: float
    reasons: tuple[str, ...] = ()
    spans: tuple[EvidenceSpan, ...] = ()
    suggestion: str | None = None


class LocalClaimChecker:
    """``ClaimChecker`` without a network. Safe to share between threads: it keeps no state."""

    def __init__(
        self, encoder: Encoder | None = None, *, model: CheckerModel | None = None
    ) -> None:
        self._encoder = encoder
        self._model = model or CheckerModel.load(FEATURES)

    @property
    def name(self) -> str:
        """Backend and version of the weights."""
        return f"local-checker/{self._model.version}"

    def check(self, claim: str, evidence: Sequence[tuple[str, str]]) -> LocalVerdict:
        """``evidence`` is ``(evidence_id, text)`` pairs; spans refer to those texts."""
        for evidence_id, text in evidence:
            if place := find_quote(claim, text):
                span = _span(evidence_id, text, *place)
                return LocalVerdict("supported", 1.0, (_WORDS["quote"],), (span,))
        if len(claim) > _LONGEST:
            return LocalVerdict("unclear", 0.0, (_WORDS["long"],))
        sentences = evidence_sentences([text for _, text in evidence])
        views = look_at(claim, [s for s in sentences if len(s.span.text) <= 2 * _LONGEST])
        if not views:
            return LocalVerdict("unclear", 0.0, (_WORDS["nothing"],))
        return self._weighed(views, evidence)

    def _weighed(
        self, views: Sequence[ClaimView], evidence: Sequence[tuple[str, str]]
    ) -> LocalVerdict:
        score = self._model.probability(joined(views))
        denied = next((d for d in map(_denied, views) if d is not None), None)
        if denied is not None:
            return LocalVerdict(
                "contradicted",
                round(min(score, 0.3), 4),
                tuple(f.message for f in denied.findings),
                (_sentence_span(denied.sentence, evidence),),
                denied.sentence.span.text,
            )
        if (opposite := _turned(views)) is not None:
            return LocalVerdict(
                "contradicted",
                round(min(score, 0.3), 4),
                (_WORDS["opposite"],),
                (_sentence_span(opposite, evidence),),
                opposite.span.text,
            )
        lacking = _lacking(views, score)
        if not lacking and all(map(_near_quote, views)):
            return _borne("near", max(score, 0.9), views, evidence)
        doubt = _doubt(views, score)
        if score >= SUPPORTED and not lacking and doubt is None:
            return _borne("covered", score, views, evidence)
        if lacking or score < UNSUPPORTED:
            reasons = lacking or (_WORDS["thin"],)
            return LocalVerdict("unsupported", round(min(score, 0.49), 4), reasons)
        return LocalVerdict("unclear", round(min(score, 0.6), 4), (_WORDS[doubt or "open"],))


def _turned(views: Sequence[ClaimView]) -> EvidenceSentence | None:
    """The sentence that says the claim's words the other way round, unless one says them alike."""
    for view in views:
        near = [sentence for _, sentence in view.rivals]
        if any(said_alike(view.text, s.span.text) for s in near):
            continue
        for sentence in near:
            if turned(view.text, sentence.span.text):
                return sentence
    return None


def _lacking(views: Sequence[ClaimView], score: float) -> tuple[str, ...]:
    """Values the evidence does not state; a name only where the model is not sure (it may stand
    there in another form)."""
    kinds = _VALUES if score >= SURE else _VALUES | {"name"}
    found = (f.message for v in views for f in v.whole.missing if f.kind in kinds)
    return tuple(dict.fromkeys(found))


def _doubt(views: Sequence[ClaimView], score: float) -> str | None:
    """What keeps a claim the model would let pass from being called supported."""
    if score >= SURE:
        return None
    if any(view.number("negation_differs") for view in views):
        return "turned"
    short = any(
        view.number("missing_words")
        and not view.number("near_words")
        and view.number("claim_length") <= _SHORT
        and view.number("evidence_length") >= _LONG
        for view in views
    )
    return "word" if short else None


class _Side(NamedTuple):
    """A sentence that speaks of the claim's matter, and how closely (lower sorts first)."""

    distance: float
    sentence: EvidenceSentence
    findings: tuple[Finding, ...] = ()


def _denied(view: ClaimView) -> _Side | None:
    """The sentence that says otherwise about the same thing, a differing value before a negation.

    A sentence that states the claim's own value as closely speaks for it: a policy may name 30
    days for one thing and 45 for another.
    """
    values: list[_Side] = []
    turned: list[_Side] = []
    agreeing: list[_Side] = []
    for share, sentence in view.rivals:
        compared = compare_sentences(view.text, sentence.span.text)
        if max(compared.alignment, share) < _ALIGNED:
            continue
        heading = " ".join(sentence.context)
        limits = len(foreign_scope(view.text, sentence.span.text))
        # The heading may name a limit of the claim ("Holiday returns"), so it counts this way only.
        limits += len(foreign_scope(f"{sentence.span.text} {heading}", view.text))
        distance = _FOREIGN * limits - share
        differing = tuple(f for f in compared.contradicted if f.kind in _VALUES)
        flipped = tuple(
            f for f in compared.contradicted if f.kind == "negation" and not _is_unit(f)
        )
        if differing:
            values.append(_Side(distance, sentence, differing))
        elif flipped:
            turned.append(_Side(distance, sentence, flipped))
        elif compared.agreed:
            agreeing.append(_Side(distance, sentence))
    nearest = min(agreeing, key=_distance, default=None)
    against = min(values, key=_distance, default=None) or min(turned, key=_distance, default=None)
    if against is None or (nearest is not None and nearest.distance <= against.distance):
        return None
    return against


def _distance(side: _Side) -> float:
    return side.distance


def _is_unit(finding: Finding) -> bool:
    """A denied unit ("not on the day of delivery") denies no claim."""
    words = {finding.claim.removeprefix("not "), finding.evidence.removeprefix("not ")}
    return bool(words & _UNITS)


def _near_quote(view: ClaimView) -> bool:
    return (
        view.number("in_order") >= 0.85
        and view.number("recall_best") >= 0.95
        and not view.whole.contradicted
        and not view.number("quantifier")
        and not view.number("modality")
        and not view.number("negation_differs")
    )


def _borne(
    why: str, score: float, views: Sequence[ClaimView], evidence: Sequence[tuple[str, str]]
) -> LocalVerdict:
    """Supported, by the best sentence and the next that adds words to it."""
    spans = tuple(_sentence_span(s, evidence) for view in views for s in view.nearest[:2])
    return LocalVerdict("supported", round(score, 4), (_WORDS[why],), tuple(dict.fromkeys(spans)))


def _sentence_span(sentence: EvidenceSentence, evidence: Sequence[tuple[str, str]]) -> EvidenceSpan:
    evidence_id, text = evidence[sentence.source]
    return _span(evidence_id, text, sentence.span.start, sentence.span.end)


def _span(evidence_id: str, text: str, start: int, end: int) -> EvidenceSpan:
    return EvidenceSpan(evidence_id=evidence_id, start=start, end=end, quote=text[start:end])
