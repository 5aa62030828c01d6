"""Made-up topics: words that name them, and an encoder that knows nothing else.

A text on a topic gets a vector near the topic's centre, the same text always the same vector, so
that a corpus of a million passages needs no model.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from core.ports import Vectors

DIMENSION = 384
TOPICS = 500
TOPIC_WORDS = 24
QUESTION = "wonder"
"""The word a question opens with: its vector lies nearer to the centre than a passage's."""
SYLLABLES = [a + b for a in "bdfgklmnprstv" for b in "aeiou"]

_POOL = 8_192
_PASSAGE_NOISE, _QUERY_NOISE = 1.0, 0.7
_TOPIC = re.compile(r"\bq([a-pr-z]+)q")


class TopicEncoder:
    """``Encoder`` for made-up texts: a topic's centre plus noise that follows from the text."""

    fingerprint = f"made-up-topics/{DIMENSION}"
    dimension = DIMENSION

    def __init__(self, *, seed: int = 7) -> None:
        self._seed = seed

    def knows(self, text: str) -> bool:
        """Every text that names a topic."""
        return _TOPIC.search(text) is not None

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """As ``encode``: a question shows itself by its first word."""
        return self.encode(texts)

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors, one row a text."""
        if not texts:
            return np.zeros((0, DIMENSION), dtype=np.float32)
        topics = np.array([_topic_of(text) for text in texts])
        draws = np.array([_draws(text) for text in texts])
        spread = np.array(
            [_QUERY_NOISE if text.startswith(QUESTION) else _PASSAGE_NOISE for text in texts],
            dtype=np.float32,
        )
        noise = self._pool[draws].sum(axis=1) / np.float32(np.sqrt(3))
        vectors = self._centres[topics] + spread[:, None] * noise
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / lengths, dtype=np.float32)

    @cached_property
    def _centres(self) -> Vectors:
        return _directions(np.random.default_rng([self._seed, 3]), TOPICS)

    @cached_property
    def _pool(self) -> Vectors:
        return _directions(np.random.default_rng([self._seed, 4]), _POOL)


def topic_word(topic: int, number: int) -> str:
    """One of a topic's own words; it names the topic between two ``q``."""
    return f"q{spelled(topic)}q{SYLLABLES[number]}"


def _directions(rng: np.random.Generator, count: int) -> Vectors:
    raw = rng.standard_normal((count, DIMENSION), dtype=np.float32)
    return np.asarray(raw / np.linalg.norm(raw, axis=1, keepdims=True), dtype=np.float32)


def _topic_of(text: str) -> int:
    found = _TOPIC.search(text)
    return _BY_SPELLING[found.group(1)] if found else 0


def _draws(text: str) -> list[int]:
    data = text.encode()
    low, high = zlib.crc32(data), zlib.adler32(data)
    return [low % _POOL, (low >> 13) % _POOL, high % _POOL]


def spelled(number: int) -> str:
    """A number in made-up syllables without ``q``, each number differently."""
    letters = [SYLLABLES[number % len(SYLLABLES)]]
    while number := number // len(SYLLABLES):
        letters.append(SYLLABLES[number % len(SYLLABLES)])
    return "".join(letters)


_BY_SPELLING = {spelled(topic): topic for topic in range(TOPICS)}
