"""What the local gate looks at in a (question, passage) pair before it weighs it.

Every feature is a number a person can read: the share of the question's words (rare ones count
more) found in the passage, in its best sentence, in its heading; the cosine of question and best
sentence; whether that sentence holds the kind of answer asked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from core.text.answer_type import AnswerType, expected_type, holds
from core.text.names import find_names
from core.text.sentences import Span, split_sentences
from core.text.tokens import content_words

FEATURES = (
    "cover_all",
    "cover_sentence",
    "cover_head",
    "cover_text",
    "rarest_missing",
    "names_missing",
    "pairs_text",
    "cosine_best",
    "cosine_second",
    "cosine_hinge",
    "holds_type",
    "holds_type_near",
    "type_open",
    "short_text",
    "wide_query",
    "cover_x_cosine",
)
WINDOWS = 2
"""Sentences of a passage that are encoded, at most: the ones that share most with the question."""
_LONG = 280


class Question(NamedTuple):
    """A question prepared once for all its passages."""

    text: str
    words: Mapping[str, float]
    pairs: frozenset[tuple[str, str]]
    names: tuple[frozenset[str], ...]
    kind: AnswerType


class Passage(NamedTuple):
    """A passage with the sentences that matter to the question, best first."""

    head: frozenset[str]
    words: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    best: tuple[str, ...]
    covers: tuple[float, ...]


class Idf:
    """How rare a stemmed word is; a word never seen counts as the rarest."""

    def __init__(self, table: Mapping[str, float], unseen: float) -> None:
        self._table, self._unseen = table, unseen

    def __call__(self, word: str) -> float:
        return self._table.get(word, self._unseen)


def prepare_question(text: str, idf: Idf) -> Question:
    """The question's words with their weights, word pairs, names and kind of answer."""
    stems = content_words(text)
    names = tuple(frozenset(content_words(name)) for name in find_names(text))
    return Question(
        text=text,
        words={word: idf(word) for word in stems},
        pairs=_pairs(stems),
        names=tuple(name for name in names if name),
        kind=expected_type(text),
    )


def prepare_passage(question: Question, text: str, head: str) -> Passage:
    """The passage's words and its sentences ranked by what they share with the question."""
    heading = frozenset(content_words(head))
    stems: list[str] = []
    ranked: list[tuple[float, int, str, float]] = []
    for at, sentence in enumerate(_windows(text)):
        own = content_words(sentence)
        stems.extend(own)
        cover = _cover(question.words, frozenset(own))
        typed = 0.1 if question.kind != "open" and holds(question.kind, sentence) else 0.0
        ranked.append((cover + typed, -at, sentence, _cover(question.words, heading.union(own))))
    ranked.sort(reverse=True)
    top = ranked[:WINDOWS]
    return Passage(
        head=heading,
        words=frozenset(stems),
        pairs=_pairs(stems),
        best=tuple(sentence for _, _, sentence, _ in top),
        covers=tuple(cover for _, _, _, cover in top),
    )


def features(question: Question, passage: Passage, cosines: Sequence[float]) -> list[float]:
    """The values of ``FEATURES`` in order. ``cosines`` belong to ``passage.best``."""
    everything = passage.words | passage.head
    cover_all = _cover(question.words, everything)
    first, second = _two_highest(cosines)
    held = any(holds(question.kind, sentence) for sentence in passage.best)
    near = bool(passage.best) and holds(question.kind, passage.best[0])
    values = {
        "cover_all": cover_all,
        "cover_sentence": max(passage.covers, default=0.0),
        "cover_head": _cover(question.words, passage.head),
        "cover_text": _cover(question.words, passage.words),
        "rarest_missing": _rarest_missing(question.words, everything),
        "names_missing": _names_missing(question.names, everything),
        "pairs_text": len(question.pairs & passage.pairs) / max(1, len(question.pairs)),
        "cosine_best": first,
        "cosine_second": second,
        "cosine_hinge": max(0.0, first - 0.5),
        "holds_type": float(held and question.kind != "open"),
        "holds_type_near": float(near and question.kind != "open"),
        "type_open": float(question.kind == "open"),
        "short_text": float(len(passage.words) < 12),
        "wide_query": min(1.0, len(question.words) / 20),
        "cover_x_cosine": cover_all * first,
    }
    return [values[name] for name in FEATURES]


def _windows(text: str) -> list[str]:
    """Sentences, very short ones joined to the next: a bare list item says little alone."""
    out: list[str] = []
    carry: Span | None = None
    for span in split_sentences(text):
        start = carry.start if carry else span.start
        if len(text[start : span.end]) < 40:
            carry = Span(start, span.end, text[start : span.end])
            continue
        out.append(re.sub(r"\s+", " ", text[start : span.end])[:_LONG])
        carry = None
    if carry:
        out.append(carry.text)
    return out


def _cover(wanted: Mapping[str, float], have: frozenset[str]) -> float:
    total = sum(wanted.values())
    return sum(w for word, w in wanted.items() if word in have) / total if total else 0.0


def _rarest_missing(wanted: Mapping[str, float], have: frozenset[str]) -> float:
    """Weight of the rarest word that is missing, relative to the rarest word asked for."""
    if not wanted:
        return 1.0
    missing = [weight for word, weight in wanted.items() if word not in have]
    return max(missing, default=0.0) / max(wanted.values())


def _names_missing(names: Sequence[frozenset[str]], have: frozenset[str]) -> float:
    if not names:
        return 0.0
    return sum(1 for name in names if not name <= have) / len(names)


def _pairs(stems: Sequence[str]) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(stems))


def _two_highest(values: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(values, reverse=True)
    first = ordered[0] if ordered else 0.0
    return first, (ordered[1] if len(ordered) > 1 else first)
