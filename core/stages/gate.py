"""The gate: each passage is included, set apart as contradicting the question, or left out.

The four questions are answered by a ``Gate``; the order in which they decide is fixed here:
injection, premise contradiction, relevance, usable evidence. The gate is a filter, not a security
boundary: what passes is still untrusted text.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, Protocol, runtime_checkable

from core.models.evidence import (
    FORCED_MARK,
    EvidenceCandidate,
    GateAnswer,
    GatedPassage,
    GateNote,
    GateThresholds,
    Route,
)
from core.models.gate_words import UNJUDGED
from core.ports import Gate
from core.text.tokens import content_words

Rule = Literal[
    "injection", "contradicts", "not_relevant", "no_evidence", "evidence", "forced", "unjudged"
]


class Probabilities(Protocol):
    """The four probabilities of one pair, each in 0..1."""

    @property
    def relevant(self) -> float: ...
    @property
    def evidence(self) -> float: ...
    @property
    def contradicts(self) -> float: ...
    @property
    def injection(self) -> float: ...


def rule_of(
    scores: Probabilities | None,
    thresholds: GateThresholds,
    *,
    forced: bool | None = None,
    looked_up: bool = False,
) -> tuple[Route, Rule]:
    """Where a pair goes and the rule that sends it there: the one place that knows the order.

    ``forced`` is a reviewer's decision, ``looked_up`` a passage fetched by its key. ``scores`` is
    ``None`` for what could not be judged.
    """
    if forced is False:
        return "exclude", "forced"
    if scores is not None and scores.injection > thresholds.injection_max:
        return "exclude", "injection"
    if forced:
        return "include", "forced"
    if looked_up:
        return "include", "evidence"
    return ("exclude", "unjudged") if scores is None else _tested(scores, thresholds)


def _tested(scores: Probabilities, thresholds: GateThresholds) -> tuple[Route, Rule]:
    """Premise contradiction, relevance, usable evidence, in this order."""
    if scores.contradicts > thresholds.contradicts_min:
        return "conflict", "contradicts"
    if scores.relevant < thresholds.relevant_min:
        return "exclude", "not_relevant"
    if scores.evidence > thresholds.evidence_min:
        return "include", "evidence"
    return "exclude", "no_evidence"


@runtime_checkable
class HoldsBack(Protocol):
    """A gate that shows passages to somebody else, and must not show those that are excluded."""

    def holding_back(self, injection_max: float) -> Gate:
        """The same gate for a run that excludes passages above ``injection_max``."""
        ...


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
    if isinstance(gate, HoldsBack):
        gate = gate.holding_back(thresholds.injection_max)
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
    if passage.scores is None:
        return passage  # no threshold speaks to what was never judged
    answer = GateAnswer(scores=passage.scores, note=passage.note, backend=passage.backend)
    again = _passage("", passage.candidate, answer, thresholds, forced=passage.forced)
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


def _passage(
    query: str,
    candidate: EvidenceCandidate,
    answer: GateAnswer,
    thresholds: GateThresholds,
    *,
    forced: bool | None,
) -> GatedPassage:
    note, scores = answer.note, answer.scores
    if forced and FORCED_MARK not in note.reasons:
        # Kept in the note, so that a later re-route under a laxer injection limit remembers it.
        note = note.model_copy(update={"reasons": (*note.reasons, FORCED_MARK)})
    route, rule = rule_of(scores, thresholds, forced=forced, looked_up=candidate.looked_up)
    return GatedPassage(
        candidate=candidate,
        scores=scores,
        note=note,
        backend=answer.backend,
        route=route,
        rule=rule,
        reason=_reason(query, candidate, answer, route, rule),
    )


def _reason(
    query: str, candidate: EvidenceCandidate, answer: GateAnswer, route: Route, rule: Rule
) -> str:
    """Why it goes there, in words for a person."""
    match rule:
        case "forced":
            return FORCED_MARK if route == "include" else "a reviewer left it out"
        case "injection":
            return "tries to instruct the model"
        case "contradicts":
            return _premise_reason(answer.note)
        case "not_relevant":
            return _subject_reason(query, candidate)
        case "evidence":
            return _looked_up_reason(candidate) if candidate.looked_up else "states what was asked"
        case "no_evidence":
            return "on the subject but does not state the answer"
        case "unjudged":
            return f"{UNJUDGED}{answer.failure}"


def _looked_up_reason(candidate: EvidenceCandidate) -> str:
    if candidate.retrieval_source == "record":
        return "the record that was looked up"
    return "from the case's own file"


def _premise_reason(note: GateNote) -> str:
    if note.premise.endswith(("?", "？")):
        return f"says otherwise than was asked: “{note.premise}”"
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
