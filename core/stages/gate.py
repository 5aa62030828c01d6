"""The gate: each passage is included, set apart as contradicting the question, or left out.

The four questions are answered by a ``Gate``; the order in which they decide is fixed here:
injection, premise contradiction, relevance, usable evidence. The gate is a filter, not a security
boundary: what passes is still untrusted text.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from core.models.evidence import (
    EvidenceCandidate,
    GateAnswer,
    GatedPassage,
    GateNote,
    GateScores,
    GateThresholds,
    Route,
)
from core.ports import Gate
from core.text.tokens import content_words

Rule = Literal[
    "injection", "contradicts", "not_relevant", "no_evidence", "evidence", "forced", "unjudged"
]
_LOOKED_UP = ("record", "case_file")


def gate(
    query: str,
    candidates: Sequence[EvidenceCandidate],
    *,
    gate: Gate,
    thresholds: GateThresholds,
    force_include: Collection[str] = (),
    force_exclude: Collection[str] = (),
) -> tuple[GatedPassage, ...]:
    """Every candidate with its scores and route, in the order given.

    ``force_include`` and ``force_exclude`` are chunk ids a reviewer decided on: excluding beats
    everything, including beats everything but injection.
    """
    if not candidates:
        return ()
    scored = gate.score(query, candidates)
    return tuple(
        _passage(
            query,
            candidate,
            answer,
            thresholds,
            forced=_forced(candidate.chunk_id, force_include, force_exclude),
        )
        for candidate, answer in zip(candidates, scored, strict=True)
    )


def reroute(gated: Sequence[GatedPassage], thresholds: GateThresholds) -> tuple[GatedPassage, ...]:
    """The same passages under other thresholds. Needs no model call; forced routes stay forced."""
    return tuple(_rerouted(passage, thresholds) for passage in gated)


def _rerouted(passage: GatedPassage, thresholds: GateThresholds) -> GatedPassage:
    forced = _was_forced(passage)
    if passage.scores is None:
        return passage  # no threshold speaks to what was never judged
    answer = GateAnswer(scores=passage.scores, note=passage.note, backend=passage.backend)
    again = _passage("", passage.candidate, answer, thresholds, forced=forced)
    if passage.rule == "situation" and again.rule == "no_evidence":
        return passage  # what the purchase falls under does not hang on a threshold
    # Under the same rule the words of the first run stay: they were written knowing the question.
    return passage if again.rule == passage.rule and again.route == passage.route else again


def _forced(
    chunk_id: str, force_include: Collection[str], force_exclude: Collection[str]
) -> bool | None:
    if chunk_id in force_exclude:
        return False
    return True if chunk_id in force_include else None


def _was_forced(passage: GatedPassage) -> bool | None:
    if passage.rule == "forced":
        return passage.route == "include"
    return True if _FORCED_MARK in passage.note.reasons else None


_FORCED_MARK = "a reviewer asked to use it"


class _Verdict(NamedTuple):
    route: Route
    rule: Rule
    reason: str


def _passage(
    query: str,
    candidate: EvidenceCandidate,
    answer: GateAnswer,
    thresholds: GateThresholds,
    *,
    forced: bool | None,
) -> GatedPassage:
    note, scores = answer.note, answer.scores
    if forced and _FORCED_MARK not in note.reasons:
        # Kept in the note, so that a later re-route under a laxer injection limit remembers it.
        note = note.model_copy(update={"reasons": (*note.reasons, _FORCED_MARK)})
    verdict = _reviewed(scores, thresholds, forced=forced)
    if verdict is None:
        verdict = (
            _unjudged(candidate, answer.failure)
            if scores is None
            else _tested(query, candidate, scores, note, thresholds)
        )
    return GatedPassage(
        candidate=candidate,
        scores=scores,
        note=note,
        backend=answer.backend,
        route=verdict.route,
        rule=verdict.rule,
        reason=verdict.reason,
    )


def _reviewed(
    scores: GateScores | None, thresholds: GateThresholds, *, forced: bool | None
) -> _Verdict | None:
    """What a reviewer's decision and the injection test settle before anything else."""
    if forced is False:
        return _Verdict("exclude", "forced", "a reviewer left it out")
    if scores is not None and scores.injection > thresholds.injection_max:
        return _Verdict("exclude", "injection", "tries to instruct the model")
    return _Verdict("include", "forced", _FORCED_MARK) if forced else None


def _unjudged(candidate: EvidenceCandidate, failure: str) -> _Verdict:
    if candidate.retrieval_source in _LOOKED_UP:
        return _Verdict("include", "evidence", _looked_up_reason(candidate))
    return _Verdict("exclude", "unjudged", f"could not be judged: {failure}")


def _tested(
    query: str,
    candidate: EvidenceCandidate,
    scores: GateScores,
    note: GateNote,
    thresholds: GateThresholds,
) -> _Verdict:
    """Premise contradiction, relevance, usable evidence, in this order."""
    if candidate.retrieval_source in _LOOKED_UP:
        return _Verdict("include", "evidence", _looked_up_reason(candidate))
    if scores.contradicts > thresholds.contradicts_min:
        return _Verdict("conflict", "contradicts", _premise_reason(note))
    if scores.relevant < thresholds.relevant_min:
        return _Verdict("exclude", "not_relevant", _subject_reason(query, candidate))
    if scores.evidence > thresholds.evidence_min:
        return _Verdict("include", "evidence", "states what was asked")
    return _Verdict("exclude", "no_evidence", "on the subject but does not state the answer")


def _looked_up_reason(candidate: EvidenceCandidate) -> str:
    if candidate.retrieval_source == "record":
        return "the record that was looked up"
    return "from the case's own file"


def _premise_reason(note: GateNote) -> str:
    if note.premise:
        return f"denies what the question assumes: “{note.premise}”"
    return "denies what the question assumes"


def _subject_reason(query: str, candidate: EvidenceCandidate) -> str:
    """What the passage is about, against what was asked for and is missing from it."""
    subject = candidate.heading_path[-1] if candidate.heading_path else candidate.source_title
    if not subject:
        return "about another subject"
    held = set(content_words(" ".join((candidate.source_title, subject, candidate.text))))
    missing = next((word for word in _spoken_words(query) if set(content_words(word)) - held), "")
    return f"about “{subject}”, not {missing}" if missing else f"about “{subject}”"


def _spoken_words(query: str) -> tuple[str, ...]:
    """The question's content words as it wrote them, longest first, so a reason reads naturally."""
    seen = [word.strip("?!.,;:\"'“”()") for word in query.split()]
    return tuple(sorted((w for w in seen if content_words(w)), key=len, reverse=True))
