"""Measures pairs of a question and a passage by their words and, where asked to, by vectors."""

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
from core.adapters.gate_injection import Suspicion, injection_features, suspicion, under_headings
from core.models.evidence import EvidenceCandidate
from core.ports import Encoder
from core.text.injection_tasks_zh import is_chinese, strays
from core.text.sentences import split_sentences

_REST = 5
_HEADING_SHARE = 0.85
_TELLING = 3
_ENOUGH_NEIGHBOURS = 3


class Asked(NamedTuple):
    """A question beside a passage."""

    query: str
    candidate: EvidenceCandidate


def look(pairs: Sequence[Asked], idf: Idf, encoders: Sequence[Encoder | None]) -> list[list[float]]:
    """The values of ``FEATURES`` of each pair.

    Likeness is measured by the pair's encoder, and 0 where it has none. Encoders remember, and
    encode all texts in one batch.
    """
    questions = {pair.query: prepare_question(pair.query, idf) for pair in pairs}
    passages = [
        prepare_passage(questions[query], candidate.text, context(candidate))
        for query, candidate in pairs
    ]
    for encoder in {id(encoder): encoder for encoder in encoders if encoder is not None}.values():
        texts: list[str] = []
        for pair, passage, own in zip(pairs, passages, encoders, strict=True):
            if own is encoder:
                texts += [pair.query, *passage.best, *_telling_heading(pair.candidate)]
        encoder.encode(list(dict.fromkeys(texts)))
    return [
        features(
            questions[pair.query],
            passage,
            ()
            if encoder is None  # an encoder that remembers nothing yet has a length of 0
            else _cosines(encoder, questions[pair.query], passage, pair.candidate),
        )
        for pair, passage, encoder in zip(pairs, passages, encoders, strict=True)
    ]


def suspicions(
    candidates: Sequence[EvidenceCandidate], encoder: Encoder
) -> list[tuple[Suspicion, list[float]]]:
    """Of each passage what speaks to the model, and the values of ``INJECTION_FEATURES``."""
    found = [(c.text, under_headings(suspicion(c.text), _headings(c))) for c in candidates]
    texts: list[str] = []
    for text, doubt in found:
        if doubt.needs_topic:
            suspect, others = _neighbours(text, doubt)
            texts += [suspect, *others]
    if texts:
        encoder.encode(list(dict.fromkeys(texts)))
    return [
        (
            doubt,
            injection_features(doubt, _off_topic(encoder, text, doubt) if doubt.needs_topic else 0),
        )
        for text, doubt in found
    ]


def context(candidate: EvidenceCandidate) -> str:
    """Title and headings of a passage in one line."""
    return " › ".join(_headings(candidate))


def _headings(candidate: EvidenceCandidate) -> list[str]:
    return [part for part in (candidate.source_title, *candidate.heading_path) if part]


def _cosines(
    encoder: Encoder, question: Question, passage: Passage, candidate: EvidenceCandidate
) -> list[float]:
    """Likeness of the question to the passage's best sentences."""
    if not passage.best:
        return []
    heading = _telling_heading(candidate)
    asked, *vectors = encoder.encode([question.text, *passage.best, *heading])
    cosines = [float(vector @ asked) for vector in vectors]
    if heading:
        # "Is there a student discount?" over "Students get 10% off" says what is answered.
        like = _HEADING_SHARE * cosines.pop()
        cosines[0] = max(cosines[0], like)
    return cosines


def _telling_heading(candidate: EvidenceCandidate) -> tuple[str, ...]:
    """The nearest heading, where it says more than a word or two."""
    heading = candidate.heading_path[-1] if candidate.heading_path else candidate.source_title
    return (heading,) if len(heading.split()) >= _TELLING else ()


def _off_topic(encoder: Encoder, text: str, doubt: Suspicion) -> float:
    """1 minus the likeness of the suspicious sentence to its most similar neighbour.

    A passage of a few sentences has no topic to stray from: 0.
    """
    suspect, others = _neighbours(text, doubt)
    if is_chinese(suspect):
        return strays(suspect, [s.text for s in split_sentences(text) if s.text != suspect])
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
