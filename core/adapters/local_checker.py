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
from core.text.compare import Finding, compare_sentences
from core.text.quote import find_quote
from core.text.scope import foreign_scope

SUPPORTED, UNSUPPORTED = 0.55, 0.35
"""Probability from which a claim is supported, and below which it is unsupported."""
_ALIGNED = 0.6
_FOREIGN = 0.15
"""How far each limit (express, UK, a date span) the claim does not name moves a sentence off."""
_VALUES = frozenset({"number", "money", "date", "bound"})
_UNITS = frozenset({"day", "week", "month", "year", "hour", "minute", "time", "date"})
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
        view = look_at(claim, evidence_sentences([text for _, text in evidence]))
        if view is None:
            return LocalVerdict("unclear", 0.0, (_WORDS["nothing"],))
        return self._weighed(claim, view, evidence)

    def _weighed(
        self, claim: str, view: ClaimView, evidence: Sequence[tuple[str, str]]
    ) -> LocalVerdict:
        score = self._model.probability(view.numbers)
        if denied := _denied(claim, view):
            return LocalVerdict(
                "contradicted",
                round(min(score, 0.3), 4),
                tuple(f.message for f in denied.findings),
                (_sentence_span(denied.sentence, evidence),),
                denied.sentence.span.text,
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


class _Side(NamedTuple):
    """A sentence that speaks of the claim's matter, and how closely (lower sorts first)."""

    distance: float
    sentence: EvidenceSentence
    findings: tuple[Finding, ...] = ()


def _denied(claim: str, view: ClaimView) -> _Side | None:
    """The sentence that says otherwise about the same thing, a differing value before a negation.

    A sentence that states the claim's own value as closely speaks for it: a policy may name 30
    days for one thing and 45 for another.
    """
    values: list[_Side] = []
    turned: list[_Side] = []
    agreeing: list[_Side] = []
    for share, sentence in view.rivals:
        compared = compare_sentences(claim, sentence.span.text)
        if max(compared.alignment, share) < _ALIGNED:
            continue
        distance = _FOREIGN * len(foreign_scope(claim, sentence.span.text)) - share
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
