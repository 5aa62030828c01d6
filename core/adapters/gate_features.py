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
    "cover_relation",
    "cover_head",
    "cover_text",
    "rarest_missing",
    "relation_missing",
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
_BEST = 2
"""Sentences of a passage that are encoded, at most: the ones that share most with the question."""
_LONG = 280
"""Characters of a sentence that are encoded."""
_INSTANCE = re.compile(
    r"\b(?:a|an|my|this|these|our|his|her|their)\s+((?:[a-z][\w-]*\s+){0,2}?[a-z][\w-]*)"
    r"(?=\s*(?:[?.,;!)]|$)|\s+(?:i|we|he|she|they|that|which|who|in|on|from|for|to|by|with|at|bought|"
    r"is|are|was|were|has|have|had|arrived|broke|came|got)\b)"
)
_INSTANCE_SHARE = 0.35
"""What a missing word of an instance costs: "a toaster" is served by the rule for appliances."""
_ZH_ASKS = re.compile(
    "多长时间|多久|需要|多少钱|多少|几天|什么时候|什么|请问|怎么办|怎么样|怎样|怎么|如何|哪些|哪里|为什么|能不能|可不可以|吗|呢"
)
_CJK_UNSEEN = 0.7


class Question(NamedTuple):
    """A question prepared once for all its passages. ``relation`` leaves out names and
    instances: what is asked of them. ``instances`` are things the customer holds."""

    text: str
    words: Mapping[str, float]
    relation: Mapping[str, float]
    instances: frozenset[str]
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
    relations: tuple[float, ...]


class Idf:
    """How rare a stemmed word is; a word never seen counts as the rarest."""

    def __init__(self, table: Mapping[str, float], unseen: float) -> None:
        self._table, self._unseen = table, unseen

    def __call__(self, word: str) -> float:
        if word in self._table or word.isascii():
            return self._table.get(word, self._unseen)
        return self._unseen * _CJK_UNSEEN  # most unseen Chinese pairs straddle two words


def prepare_question(text: str, idf: Idf) -> Question:
    """The question's words with their weights, word pairs, names and kind of answer."""
    stems = _telling(content_words(_ZH_ASKS.sub(" ", text)))
    names = tuple(n for name in find_names(text) if (n := frozenset(content_words(name))))
    weighed = {word: idf(word) for word in stems}
    instances = frozenset(w for m in _INSTANCE.finditer(text) for w in content_words(m[1]))
    besides = instances.union(*names)
    return Question(
        text=text,
        words=weighed,
        relation={word: weight for word, weight in weighed.items() if word not in besides},
        instances=instances,
        pairs=_pairs(stems),
        names=names,
        kind=expected_type(text),
    )


def _telling(stems: Sequence[str]) -> tuple[str, ...]:
    """Without single Chinese characters where longer words are left: passages are read in pairs."""
    longer = tuple(stem for stem in stems if len(stem) > 1 or stem.isascii())
    return longer or tuple(stems)


def prepare_passage(question: Question, text: str, head: str) -> Passage:
    """The passage's words and its sentences ranked by what they share with the question."""
    heading = frozenset(content_words(head))
    stems: list[str] = []
    ranked: list[tuple[float, int, str, frozenset[str]]] = []
    for at, sentence in enumerate(_windows(text)):
        own = content_words(sentence)
        stems.extend(own)
        cover = _cover(question, frozenset(own))
        typed = 0.1 if question.kind != "open" and holds(question.kind, sentence) else 0.0
        ranked.append((cover + typed, -at, sentence, heading.union(own)))
    ranked.sort(key=lambda item: item[:2], reverse=True)
    top = ranked[:_BEST]
    return Passage(
        head=heading,
        words=frozenset(stems),
        pairs=_pairs(stems),
        best=tuple(sentence for _, _, sentence, _ in top),
        covers=tuple(_cover(question, held) for _, _, _, held in top),
        relations=tuple(_share(question.relation, held) for _, _, _, held in top),
    )


def features(question: Question, passage: Passage, cosines: Sequence[float]) -> list[float]:
    """The values of ``FEATURES`` in order. ``cosines`` belong to ``passage.best``."""
    everything = passage.words | passage.head
    cover_all = _cover(question, everything)
    first, second = _two_highest(cosines)
    held = any(holds(question.kind, sentence) for sentence in passage.best)
    near = bool(passage.best) and holds(question.kind, passage.best[0])
    values = {
        "cover_all": cover_all,
        "cover_sentence": max(passage.covers, default=0.0),
        "cover_relation": max(passage.relations, default=0.0),
        "cover_head": _cover(question, passage.head),
        "cover_text": _cover(question, passage.words),
        "rarest_missing": _rarest_missing(question, everything),
        "relation_missing": 1.0 - _share(question.relation, everything),
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


def _cover(question: Question, have: frozenset[str]) -> float:
    """Weighted share of the question's words; a missing instance costs little."""
    held = sum(w for word, w in question.words.items() if word in have)
    total = held + sum(
        w * (_INSTANCE_SHARE if word in question.instances else 1.0)
        for word, w in question.words.items()
        if word not in have
    )
    return held / total if total else 0.0


def _share(wanted: Mapping[str, float], have: frozenset[str]) -> float:
    total = sum(wanted.values())
    return sum(w for word, w in wanted.items() if word in have) / total if total else 0.5


def _rarest_missing(question: Question, have: frozenset[str]) -> float:
    """Weight of the rarest word that is missing, relative to the rarest word asked for."""
    if not question.words:
        return 1.0
    missing = [
        weight * (_INSTANCE_SHARE if word in question.instances else 1.0)
        for word, weight in question.words.items()
        if word not in have
    ]
    return max(missing, default=0.0) / max(question.words.values())


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
