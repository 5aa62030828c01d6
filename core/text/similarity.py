"""How much two texts say with the same words."""

from __future__ import annotations

from collections.abc import Mapping

from core.text.tokens import content_words


def term_coverage(query: str, text: str, weights: Mapping[str, float] | None = None) -> float:
    """Weighted share (0..1) of the query's content words that the text holds.

    ``weights`` maps a stemmed word to its weight (for example its inverse document frequency);
    a word it does not name weighs 1. A query without content words is covered by nothing: 0.
    """
    wanted = set(content_words(query))
    have = set(content_words(text))
    weigh = weights or {}
    total = sum(weigh.get(word, 1.0) for word in wanted)
    if total <= 0:
        return 0.0
    return sum(weigh.get(word, 1.0) for word in wanted & have) / total


def overlap(a: str, b: str) -> float:
    """Jaccard similarity of the two texts' content words, 0..1."""
    left, right = set(content_words(a)), set(content_words(b))
    union = left | right
    return len(left & right) / len(union) if union else 0.0
