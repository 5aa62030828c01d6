"""What moves a candidate after it was found: rules for its kind, and a second look."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from core.models.evidence import EvidenceCandidate, WhyFound
from core.models.plan import BoostRule

RERANKED = 24
"""So many of the best are looked at again; the rest stay below them."""


class SecondLook(Protocol):
    """As much of a reranker as is needed here."""

    @property
    def weight(self) -> float: ...

    def scores(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[float, ...]: ...


def boosted(
    candidates: Iterable[EvidenceCandidate], rules: Sequence[BoostRule]
) -> list[EvidenceCandidate]:
    """Each candidate with its score multiplied by the rules that fit it, and their names."""
    return [_boosted(c, [rule for rule in rules if fits(rule, c)]) for c in candidates]


def fits(rule: BoostRule, candidate: EvidenceCandidate) -> bool:
    """Whether the rule speaks of this candidate."""
    if rule.when == "unsigned":
        return not candidate.signed
    return rule.when in (candidate.authority, candidate.status)


def by_score(candidates: Iterable[EvidenceCandidate]) -> list[EvidenceCandidate]:
    """Best first; equal scores keep their order."""
    return sorted(candidates, key=lambda candidate: -candidate.score)


def reranked(
    query: str, candidates: Sequence[EvidenceCandidate], reranker: SecondLook
) -> tuple[EvidenceCandidate, ...]:
    """The best of ``candidates`` in the order that score and second look agree on."""
    head, tail = candidates[:RERANKED], candidates[RERANKED:]
    if not head:
        return tuple(candidates)
    share = reranker.weight
    again = [
        c.model_copy(
            update={
                "score": (1.0 - share) * c.score + share * seen,
                "why": (c.why or WhyFound()).model_copy(update={"reranked_from": place}),
            }
        )
        for place, (c, seen) in enumerate(
            zip(head, reranker.scores(query, head), strict=True), start=1
        )
    ]
    lowest = min(c.score for c in again)
    below = [c.model_copy(update={"score": min(c.score, lowest)}) for c in tail]
    return (*by_score(again), *below)


def _boosted(candidate: EvidenceCandidate, rules: Sequence[BoostRule]) -> EvidenceCandidate:
    if not rules:
        return candidate
    score = candidate.score
    for rule in rules:
        score *= rule.factor
    why = (candidate.why or WhyFound()).model_copy(update={"boosts": tuple(map(str, rules))})
    return candidate.model_copy(update={"score": min(score, 1.0), "why": why})
