"""How good a ranking is against the documents known to be right."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set


def recall_at(ranking: Sequence[str], gold: Set[str], k: int) -> float:
    """Share of ``gold`` among the first ``k``; of at most ``k`` where there is more gold."""
    return len(set(ranking[:k]) & gold) / min(len(gold), k) if gold else 0.0


def precision_at(ranking: Sequence[str], gold: Set[str], k: int) -> float:
    """Share of the first ``k`` places that hold gold."""
    return len(set(ranking[:k]) & gold) / k


def ndcg_at(ranking: Sequence[str], gold: Set[str], k: int) -> float:
    """Normalised discounted cumulative gain over the first ``k``, with gold worth 1."""
    gained = sum(_gain(place) for place, name in enumerate(ranking[:k]) if name in gold)
    best = sum(_gain(place) for place in range(min(len(gold), k)))
    return gained / best if best else 0.0


def reciprocal_rank(ranking: Sequence[str], gold: Set[str]) -> float:
    """One over the place of the first gold document; 0 without one."""
    return next((1.0 / place for place, name in enumerate(ranking, 1) if name in gold), 0.0)


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """The names in order of first appearance: passages turned into a ranking of documents."""
    return tuple(dict.fromkeys(names))


def percentile(values: Sequence[float], share: float) -> float:
    """The value that ``share`` (0..1) of ``values`` do not exceed; 0 without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def _gain(place: int) -> float:
    return 1.0 / math.log2(place + 2)
