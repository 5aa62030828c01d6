"""Several searches as one list: a question, its parts, and the question in its conversation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.models.evidence import EvidenceCandidate

_AT_LEAST = 2


class Searched(NamedTuple):
    """Hits of one wording, best first, at most ``asked_for``; ``weight`` is what they count.

    A wording that ``must_show`` keeps its best few whatever the others bring.
    """

    hits: tuple[EvidenceCandidate, ...]
    weight: float = 1.0
    asked_for: int = 0
    must_show: bool = True

    @property
    def may_have_more(self) -> bool:
        """Whether a deeper search could bring further hits."""
        return bool(self.hits) and len(self.hits) >= self.asked_for


def joined(searches: Sequence[Searched]) -> list[EvidenceCandidate]:
    """Each passage once, by the weighted mean of its scores, best first; ties by id.

    A passage that a wording did not find gets nothing for it. Ranks and words are those of the
    wording that found it best.
    """
    total = sum(search.weight for search in searches) or 1.0
    scores: dict[str, float] = {}
    best: dict[str, EvidenceCandidate] = {}
    for search in searches:
        for hit in search.hits:
            scores[hit.chunk_id] = scores.get(hit.chunk_id, 0.0) + search.weight * hit.score
            known = best.get(hit.chunk_id)
            if known is None or hit.score > known.score:
                best[hit.chunk_id] = hit
    order = sorted(scores, key=lambda name: (-scores[name], name))
    return [best[name].model_copy(update={"score": scores[name] / total}) for name in order]


def kept_for_each(
    candidates: Sequence[EvidenceCandidate], searches: Sequence[Searched], limit: int
) -> list[EvidenceCandidate]:
    """The first ``limit``, but with the best few of every wording that must show among them.

    What they push out is the tail. Order stays as given.
    """
    asked = [search for search in searches if search.must_show]
    if len(asked) < 2 or len(candidates) <= limit:
        return list(candidates[:limit])
    own = max(_AT_LEAST, limit // (2 * len(asked)))
    there = {name: c.chunk_id for c in candidates for name in _names(c)}
    due: dict[str, None] = {}
    for search in asked:
        mine = dict.fromkeys(there[h.chunk_id] for h in search.hits if h.chunk_id in there)
        due |= dict.fromkeys(list(mine)[:own])
    keep = set(list(due)[:limit])
    for candidate in candidates:
        if len(keep) >= limit:
            break
        keep.add(candidate.chunk_id)
    return [c for c in candidates if c.chunk_id in keep]


def _names(candidate: EvidenceCandidate) -> tuple[str, ...]:
    return (candidate.chunk_id, *(copy.chunk_id for copy in candidate.also_in))
