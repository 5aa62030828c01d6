"""A plain textbook ranking to be measured against: BM25 over words, nothing else."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping

_WORD = re.compile(r"[a-z0-9]+|[\u4e00-\u9fff]")


class PeerBm25:
    """Okapi BM25 with k1 = 1.2 and b = 0.75; lower-cased words, single Chinese characters."""

    def __init__(
        self, texts: Mapping[str, str], *, saturation: float = 1.2, slope: float = 0.75
    ) -> None:
        self._saturation, self._slope = saturation, slope
        self._postings: dict[str, list[tuple[str, int]]] = defaultdict(list)
        self._lengths: dict[str, int] = {}
        for name, text in texts.items():
            words = _words(text)
            self._lengths[name] = len(words)
            for word, count in Counter(words).items():
                self._postings[word].append((name, count))
        self._mean = sum(self._lengths.values()) / max(1, len(self._lengths))

    def search(self, query: str, *, limit: int) -> tuple[str, ...]:
        """Names of the best texts, best first; those without a word in common are left out."""
        scores: dict[str, float] = defaultdict(float)
        for word in set(_words(query)):
            postings = self._postings.get(word, [])
            rarity = math.log(
                1 + (len(self._lengths) - len(postings) + 0.5) / (len(postings) + 0.5)
            )
            for name, count in postings:
                scores[name] += rarity * self._saturated(name, count)
        ranked = sorted(scores, key=lambda name: (-scores[name], name))
        return tuple(ranked[:limit])

    def _saturated(self, name: str, count: int) -> float:
        length = self._lengths[name] / max(self._mean, 1e-9)
        norm = self._saturation * (1 - self._slope + self._slope * length)
        return count * (self._saturation + 1) / (count + norm)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
