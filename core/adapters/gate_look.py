"""Measures what the gate's heads weigh, for several questions over the same passages at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.adapters.gate_features import (
    Idf,
    Passage,
    Question,
    features,
    prepare_passage,
    prepare_question,
)
from core.adapters.gate_injection import Suspicion, injection_features, suspicion
from core.models.evidence import EvidenceCandidate
from core.ports import Encoder
from core.text.sentences import split_sentences

_REST = 5
_HEADING_SHARE = 0.85
_TELLING = 3
_ENOUGH_NEIGHBOURS = 3


class Look(NamedTuple):
    """Questions by passages: ``pairs[q][p]`` holds the values of ``FEATURES``."""

    pairs: list[list[list[float]]]
    known: tuple[bool, ...]
    """Of each question, whether the encoder had a vote."""
    suspicions: tuple[Suspicion, ...]
    injection: tuple[list[float], ...]
    """Of each passage, the values of ``INJECTION_FEATURES``."""


def look(
    encoder: Encoder, idf: Idf, queries: Sequence[str], candidates: Sequence[EvidenceCandidate]
) -> Look:
    """The features of every pair. ``encoder`` remembers: each text is encoded once, all in one
    batch."""
    found = tuple(suspicion(candidate.text) for candidate in candidates)
    contexts = [context(candidate) for candidate in candidates]
    questions = [prepare_question(query, idf) for query in queries]
    passages = [
        [prepare_passage(q, c.text, head) for c, head in zip(candidates, contexts, strict=True)]
        for q in questions
    ]
    known = tuple(encoder.knows(query) for query in queries)
    _warm(encoder, questions, passages, known, candidates, found)
    pairs = [
        [
            features(question, passage, _cosines(encoder, question, passage, candidate, known=vote))
            for passage, candidate in zip(row, candidates, strict=True)
        ]
        for question, row, vote in zip(questions, passages, known, strict=True)
    ]
    injection = tuple(
        injection_features(doubt, _off_topic(encoder, c.text, doubt) if doubt.needs_topic else 0.0)
        for c, doubt in zip(candidates, found, strict=True)
    )
    return Look(pairs, known, found, injection)


def context(candidate: EvidenceCandidate) -> str:
    """Title and headings of a passage in one line."""
    return " › ".join(part for part in (candidate.source_title, *candidate.heading_path) if part)


def _warm(
    encoder: Encoder,
    questions: Sequence[Question],
    passages: Sequence[Sequence[Passage]],
    known: Sequence[bool],
    candidates: Sequence[EvidenceCandidate],
    found: Sequence[Suspicion],
) -> None:
    """Encodes everything that will be needed in one batch."""
    texts: list[str] = []
    for question, row, vote in zip(questions, passages, known, strict=True):
        if vote:
            texts += [question.text, *(sentence for passage in row for sentence in passage.best)]
    if any(known):
        texts += [heading for c in candidates if (heading := _heading(c))]
    for candidate, doubt in zip(candidates, found, strict=True):
        if doubt.needs_topic:
            suspect, others = _neighbours(candidate.text, doubt)
            texts += [suspect, *others]
    encoder.encode(list(dict.fromkeys(texts)))


def _cosines(
    encoder: Encoder,
    question: Question,
    passage: Passage,
    candidate: EvidenceCandidate,
    *,
    known: bool,
) -> list[float]:
    """Likeness of the question to the passage's best sentences; none where it has no vote."""
    if not known or not passage.best:
        return []
    heading = _heading(candidate)
    asked, *vectors = encoder.encode(
        [question.text, *passage.best, *([heading] if heading else ())]
    )
    cosines = [float(vector @ asked) for vector in vectors]
    if heading:
        # "Is there a student discount?" over "Students get 10% off" says what is answered.
        cosines[0] = max(cosines[0], _HEADING_SHARE * cosines.pop())
    return cosines


def _heading(candidate: EvidenceCandidate) -> str:
    """The nearest heading, where it says more than a word or two."""
    heading = candidate.heading_path[-1] if candidate.heading_path else candidate.source_title
    return heading if len(heading.split()) >= _TELLING else ""


def _off_topic(encoder: Encoder, text: str, doubt: Suspicion) -> float:
    """1 minus the likeness of the suspicious sentence to its most similar neighbour.

    A passage of a few sentences has no topic to stray from: 0.
    """
    suspect, others = _neighbours(text, doubt)
    if len(others) < _ENOUGH_NEIGHBOURS or not encoder.knows(suspect):
        return 0.0
    vectors = encoder.encode([suspect, *others])
    return float(1.0 - max(0.0, float((vectors[1:] @ vectors[0]).max())))


def _neighbours(text: str, doubt: Suspicion) -> tuple[str, list[str]]:
    """The suspicious sentence and the longest others of the passage."""
    suspect = doubt.windows[0][0]
    others = [
        s.text for s in split_sentences(text) if s.start != suspect.start and len(s.text) > 20
    ]
    others.sort(key=len, reverse=True)
    return suspect.text[:320], [other[:320] for other in others[:_REST]]
