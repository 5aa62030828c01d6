"""A made-up corpus of any size: Zipf text, clustered vectors, rights that let a few percent pass.

Everything follows from the seed. Each passage names its topic in made-up words, from which
``core.evaluation.scale_topics`` makes its vector.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from core.evaluation.scale_topics import (
    QUESTION,
    SYLLABLES,
    TOPIC_WORDS,
    TOPICS,
    spelled,
    topic_word,
)
from core.models.access import Classification
from core.models.plan import RetrievalFilters
from core.models.source import Governance, Passage, VersionStatus

PASSAGES_A_DOCUMENT = 4
DOCUMENTS_A_BATCH = 2_500
WORDS = 120
TODAY = date(2026, 11, 30)

TENANTS = ("north", "east", "south", "west")
POLICIES = tuple(f"policy-{letter}" for letter in "abcdefgh")
_CLASSES: tuple[Classification, ...] = get_args(Classification)
_CLASS_SHARES = (0.4, 0.3, 0.2, 0.1)
_STATUSES: tuple[VersionStatus, ...] = ("active", "draft", "superseded", "archived")
_STATUS_SHARES = (0.8, 0.05, 0.1, 0.05)
_STARTED, _NOT_OVER = 0.7, 0.8
EXPECTED_SHARE = 0.25 * (3 / 8) * 0.7 * 0.8 * _STARTED * _NOT_OVER
"""Share of passages that ``FILTERS`` let pass: about 2.9 %."""
FILTERS = RetrievalFilters(
    tenant_id=TENANTS[1],
    acl_policy_ids=POLICIES[:3],
    classifications=("public", "internal"),
    valid_on=TODAY,
)

_VOCABULARY = 30_000
_TOPIC_WORDS_A_PASSAGE = 6

Indices = npt.NDArray[np.int64]


class Batch(NamedTuple):
    """Some documents in order, and which of their passages ``FILTERS`` let pass."""

    documents: list[tuple[str, list[Passage]]]
    visible: list[Passage]


class ScaleCorpus:
    """``passages`` passages in documents of four, made batch by batch from ``seed``."""

    def __init__(self, passages: int, *, seed: int = 7) -> None:
        self._passages, self._seed = passages, seed
        ranks = np.arange(_VOCABULARY)
        weights = 1.0 / (ranks + 2.7)
        self._ladder = np.cumsum(weights / weights.sum())
        self._words = [_word(int(rank)) for rank in ranks]

    def batches(self) -> Iterator[Batch]:
        """All documents, ``DOCUMENTS_A_BATCH`` at a time."""
        documents = -(-self._passages // PASSAGES_A_DOCUMENT)
        for first in range(0, documents, DOCUMENTS_A_BATCH):
            yield self._batch(first, min(DOCUMENTS_A_BATCH, documents - first))

    def queries(self, count: int) -> list[str]:
        """Questions on as many topics, each with words of its topic and common ones."""
        rng = np.random.default_rng([self._seed, 1])
        topics = rng.permutation(TOPICS)[:count]
        asked = []
        for topic in topics:
            own = rng.choice(TOPIC_WORDS, size=3, replace=False)
            common = [self._words[n] for n in rng.integers(20, 2_000, size=3)]
            words = [topic_word(int(topic), int(n)) for n in own]
            asked.append(" ".join([QUESTION, *words, *common]))
        return asked

    def _batch(self, first: int, documents: int) -> Batch:
        rng = np.random.default_rng([self._seed, 2, first])
        rules = _governances(rng, documents)
        tenants = rng.integers(len(TENANTS), size=documents)
        topics = rng.integers(TOPICS, size=documents)
        made: list[tuple[str, list[Passage]]] = []
        visible: list[Passage] = []
        for place in range(documents):
            number = first + place
            count = min(PASSAGES_A_DOCUMENT, self._passages - number * PASSAGES_A_DOCUMENT)
            texts = self._texts(rng, int(topics[place]), count)
            passages = _passages(number, TENANTS[tenants[place]], texts, rules[place])
            made.append((f"doc-{number:07}", passages))
            if _lets_pass(TENANTS[tenants[place]], rules[place]):
                visible += passages
        return Batch(made, visible)

    def _texts(self, rng: np.random.Generator, topic: int, count: int) -> list[str]:
        places = np.searchsorted(self._ladder, rng.random((count, WORDS)))
        own = rng.integers(TOPIC_WORDS, size=(count, _TOPIC_WORDS_A_PASSAGE))
        return [_prose(self._words, places[n], topic, own[n]) for n in range(count)]


def _word(rank: int) -> str:
    return f"{spelled(rank)}n" if rank >= len(SYLLABLES) else f"{spelled(rank)}l"


def _prose(words: Sequence[str], places: Indices, topic: int, own: Indices) -> str:
    spoken = [words[place] for place in places]
    step = len(spoken) // len(own)
    for turn, number in enumerate(own):
        spoken[turn * step] = topic_word(topic, int(number))
    sentences = [" ".join(spoken[start : start + 15]) for start in range(0, len(spoken), 15)]
    return ". ".join(sentences) + "."


def _governances(rng: np.random.Generator, count: int) -> list[Governance]:
    policies = rng.integers(len(POLICIES), size=count)
    classes = rng.choice(len(_CLASSES), p=_CLASS_SHARES, size=count)
    statuses = rng.choice(len(_STATUSES), p=_STATUS_SHARES, size=count)
    started, open_end = rng.random(count) < _STARTED, rng.random(count) < _NOT_OVER
    days = rng.integers(1, 700, size=(count, 2))
    times = [_validity(started[n], open_end[n], days[n]) for n in range(count)]
    return [
        Governance.model_construct(
            owner=f"team-{n % 12}",
            classification=_CLASSES[classes[n]],
            status=_STATUSES[statuses[n]],
            acl_policy_id=POLICIES[policies[n]],
            valid_from=times[n][0],
            valid_to=times[n][1],
        )
        for n in range(count)
    ]


def _validity(started: np.bool, open_end: np.bool, days: Indices) -> tuple[date, date | None]:
    near, far = timedelta(days=int(days[0])), timedelta(days=int(days[1]))
    begins = TODAY - near - far if started else TODAY + near
    over = None if open_end else max(begins, TODAY - near)
    return begins, over


def _lets_pass(tenant: str, rules: Governance) -> bool:
    begins, over = rules.valid_from, rules.valid_to
    return (
        tenant == FILTERS.tenant_id
        and rules.acl_policy_id in FILTERS.acl_policy_ids
        and rules.classification in FILTERS.classifications
        and rules.status == "active"
        and (begins is None or begins <= TODAY)
        and (over is None or over > TODAY)
    )


def _passages(number: int, tenant: str, texts: list[str], rules: Governance) -> list[Passage]:
    document, start, made = f"doc-{number:07}", 0, []
    for ordinal, text in enumerate(texts):
        mark = f"{zlib.crc32(text.encode()):08x}{number:08x}{ordinal}"
        made.append(
            Passage.model_construct(
                chunk_id=f"{document}#{ordinal}",
                document_id=document,
                source_id=f"source-{number:07}",
                tenant_id=tenant,
                ordinal=ordinal,
                text=text,
                context="",
                title=f"Document {number}",
                char_start=start,
                char_end=start + len(text),
                content_hash=mark,
                text_key=mark,
                governance=rules,
            )
        )
        start += len(text) + 2
    return made
