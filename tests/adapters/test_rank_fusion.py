"""Joining the two sides of a search."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.adapters.rank_fusion import fuse, word_share

SCORES = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.floats(0.01, 30)),
    max_size=8,
    unique_by=lambda p: p[0],
).map(lambda pairs: sorted(pairs, key=lambda pair: -pair[1]))


def names(**sides: object) -> list[str]:
    return [hit.chunk_id for hit in fuse(**sides)]  # type: ignore[arg-type]


def test_what_both_sides_like_beats_what_one_side_likes() -> None:
    assert names(lexical=[("a", 9.0), ("b", 8.9)], vector=[("b", 0.8), ("c", 0.79)])[0] == "b"


def test_a_clear_winner_keeps_its_lead() -> None:
    """By rank alone a and b would tie."""
    assert names(lexical=[("a", 20.0), ("b", 2.0)], vector=[("b", 0.50), ("a", 0.49)]) == ["a", "b"]


def test_one_side_alone_keeps_its_order() -> None:
    assert names(lexical=[("b", 3.0), ("a", 1.0)], vector=[]) == ["b", "a"]
    assert names(lexical=[], vector=[("b", 0.9), ("a", 0.1)]) == ["b", "a"]
    assert names(lexical=[], vector=[]) == []


def test_a_cosine_known_from_elsewhere_counts() -> None:
    hits = fuse(lexical=[("a", 9.0), ("b", 9.0)], vector=[("c", 0.9)], cosines={"b": 0.8})
    assert [(h.chunk_id, h.similarity, h.vector_rank) for h in hits] == [
        ("b", 0.8, None),
        ("a", None, None),
        ("c", 0.9, 1),
    ]


@given(lexical=SCORES, vector=SCORES.map(lambda ps: [(n, min(s, 30) / 30) for n, s in ps]))
def test_scores_lie_between_0_and_1_and_fall(
    lexical: list[tuple[str, float]], vector: list[tuple[str, float]]
) -> None:
    hits = fuse(lexical=lexical, vector=vector)
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 + 1e-9 for score in scores)
    assert {hit.chunk_id for hit in hits} == {name for name, _ in (*lexical, *vector)}


@pytest.mark.parametrize(
    ("query", "literal"),
    [
        ("where is order A-10293", True),
        ('what does "Final Sale" mean', True),
        ("what does `signOut` do", True),
        ("error PGRST301x", True),
        ("set refresh_token_reuse_interval", True),
        ("can I return a coat", False),
        ("what is the customer's limit and why isn't it mine", False),
        ("returns within 30 days", False),
    ],
)
def test_words_count_more_when_something_is_named_literally(query: str, literal: bool) -> None:
    assert (word_share(query) > 0.5) is literal
