"""Several searches as one list."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.models.evidence import EvidenceCandidate
from core.text.join_searches import Searched, joined, kept_for_each
from tests.stages.language_builders import a_candidate


def hits(**scores: float) -> tuple[EvidenceCandidate, ...]:
    ordered = sorted(scores.items(), key=lambda pair: -pair[1])
    return tuple(a_candidate(name, score=score) for name, score in ordered)


def test_scores_are_a_weighted_mean() -> None:
    lists = [Searched(hits(a=0.8, b=0.4)), Searched(hits(b=0.8), weight=0.5)]
    scores = {c.chunk_id: round(c.score, 4) for c in joined(lists)}
    assert scores == {"a": 0.5333, "b": 0.5333}
    assert [c.chunk_id for c in joined(lists)] == ["a", "b"]


def test_one_search_keeps_its_order_and_scores() -> None:
    found = hits(a=0.9, b=0.5)
    assert joined([Searched(found)]) == list(found)
    assert joined([]) == []


_LISTS = st.lists(
    st.dictionaries(st.sampled_from("abcdefghijkl"), st.floats(0.01, 1), max_size=8),
    min_size=2,
    max_size=4,
)


@given(lists=_LISTS, limit=st.integers(8, 12))
def test_every_wording_keeps_its_best_two_and_the_limit_holds(
    lists: list[dict[str, float]], limit: int
) -> None:
    searches = [Searched(hits(**scores)) for scores in lists]
    everything = joined(searches)
    kept = kept_for_each(everything, searches, limit)
    assert len(kept) == min(limit, len(everything))
    names = {c.chunk_id for c in kept}
    for search in searches:
        assert {hit.chunk_id for hit in search.hits[:2]} <= names
    order = [c.chunk_id for c in everything]
    assert [c.chunk_id for c in kept] == [name for name in order if name in names]


def test_what_only_the_conversation_found_claims_no_place() -> None:
    searches: list[Any] = [
        Searched(hits(a=0.9, b=0.8)),
        Searched(hits(z=0.1), weight=0.3, must_show=False),
    ]
    assert [c.chunk_id for c in kept_for_each(joined(searches), searches, 2)] == ["a", "b"]
