"""The claim checker that runs here: rules over values and wording, then a small fitted model.

``supported`` needs a reason: the claim stands in the evidence word for word or nearly so, or
everything it says is covered, no value is missing or different, and the model agrees. What is
neither borne nor denied is ``unclear``.
"""

from __future__ import annotations

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
    look_at,
)
from core.text.compare import Finding
from core.text.quote import find_quote

SUPPORTED, UNSUPPORTED = 0.55, 0.35
"""Probability from which a claim is supported, and below which it is unsupported."""
_ALIGNED = 0.6
_VALUES = frozenset({"number", "money", "date", "bound"})
_HARD = frozenset({"number", "money", "date", "name"})
_WORDS = {
    "quote": "quote found",
    "near": "nearly word for word in the evidence",
    "covered": "what it says is covered by the evidence, and its values agree",
    "thin": "little of it is in the evidence",
    "open": "the evidence neither bears nor denies it",
    "nothing": "there is no evidence to hold it against",
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

    def __init__(self, encoder: Encoder | None = None, *, model: CheckerModel | None = None) -> None:
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
        view = look_at(claim, evidence_sentences([text for _, text in evidence]))
        if view is None:
            return LocalVerdict("unclear", 0.0, (_WORDS["nothing"],))
        return self._weighed(view, evidence)

    def _weighed(self, view: ClaimView, evidence: Sequence[tuple[str, str]]) -> LocalVerdict:
        score = self._model.probability(view.numbers)
        denied = _denied(view)
        if denied:
            best = view.nearest[0]
            return LocalVerdict(
                "contradicted",
                round(min(score, 0.3), 4),
                tuple(f.message for f in denied),
                (_sentence_span(best, evidence),),
                best.span.text,
            )
        lacking = [f for f in view.whole.missing if f.kind in _HARD]
        if _near_quote(view) and not lacking:
            return _borne("near", max(score, 0.9), view, evidence)
        if score >= SUPPORTED and not lacking:
            return _borne("covered", score, view, evidence)
        reasons = tuple(f.message for f in (*lacking, *view.whole.missing))
        if lacking or score < UNSUPPORTED:
            said = tuple(dict.fromkeys(reasons)) or (_WORDS["thin"],)
            return LocalVerdict("unsupported", round(min(score, 0.5), 4), said)
        return LocalVerdict("unclear", score, tuple(dict.fromkeys((*reasons, _WORDS["open"]))))


def _denied(view: ClaimView) -> list[Finding]:
    """What the nearest sentence says otherwise, when both are about the same thing."""
    close = view.comparison
    if close.alignment < _ALIGNED and view.number("recall_best") < _ALIGNED:
        return []
    return [f for f in close.contradicted if f.kind in _VALUES or f.kind == "negation"]


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
    why: str, score: float, view: ClaimView, evidence: Sequence[tuple[str, str]]
) -> LocalVerdict:
    """Supported, by the best sentence and those that add words to it."""
    spans = tuple(_sentence_span(s, evidence) for s in view.nearest[:2])
    return LocalVerdict("supported", round(score, 4), (_WORDS[why],), spans)


def _sentence_span(sentence: EvidenceSentence, evidence: Sequence[tuple[str, str]]) -> EvidenceSpan:
    evidence_id, text = evidence[sentence.source]
    return _span(evidence_id, text, sentence.span.start, sentence.span.end)


def _span(evidence_id: str, text: str, start: int, end: int) -> EvidenceSpan:
    return EvidenceSpan(evidence_id=evidence_id, start=start, end=end, quote=text[start:end])
