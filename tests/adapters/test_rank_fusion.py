"""Joining the two sides of a search."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.adapters.rank_fusion import Hit, fuse, refine, word_share
from core.text.query_words import QueryWords

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
    hits = fuse(
        lexical=[("a", 9.0), ("b", 9.0)], vector=[("c", 0.5), ("d", 0.2)], cosines={"b": 0.8}
    )
    assert [(h.chunk_id, h.similarity, h.vector_rank) for h in hits] == [
        ("b", 0.8, None),
        ("c", 0.5, 1),
        ("a", None, None),
        ("d", 0.2, 2),
    ]


def test_a_vague_question_goes_by_meaning_and_a_telling_one_by_words() -> None:
    """BM25 says by its height how much the words of a question tell."""
    near = [("b", 0.60), ("a", 0.45)]
    assert names(lexical=[("a", 3.0), ("b", 1.0)], vector=near) == ["b", "a"]
    assert names(lexical=[("a", 25.0), ("b", 1.0)], vector=near) == ["a", "b"]


def test_the_same_bm25_score_tells_less_in_a_larger_table() -> None:
    sides = {"lexical": [("a", 12.0), ("b", 1.0)], "vector": [("b", 0.60), ("a", 0.50)]}
    assert names(passages=200, **sides) == ["a", "b"]
    assert names(passages=1_000_000, **sides) == ["b", "a"]


def test_by_rank_only_places_count() -> None:
    hits = fuse(lexical=[("a", 9.0), ("b", 1.0)], vector=[("b", 0.9), ("a", 0.1)], method="rrf")
    assert [hit.chunk_id for hit in hits] == ["a", "b"]
    assert hits[0].score == hits[1].score == pytest.approx(0.5 + 0.5 * 61 / 62)


def refined(hits: list[Hit], query: str, texts: dict[str, str], **vectors: list[float]) -> str:
    made = {name: np.asarray(v, dtype=np.float32) for name, v in vectors.items()}
    return "".join(h.chunk_id for h in refine(hits, QueryWords(query), texts, made))


def test_neighbouring_words_and_names_decide_between_near_equals() -> None:
    hits = fuse(lexical=[("a", 5.0), ("b", 5.0)], vector=[("a", 0.51), ("b", 0.50)])
    texts = {"a": "a card for a gift", "b": "a gift card in a box"}
    assert refined(hits, "send a gift card", texts) == "ba"
    texts = {"a": "a refund from Walmart", "b": "a refund from Amazon"}
    assert refined(hits, "a refund from Amazon", texts) == "ba"


def test_what_resembles_the_best_found_moves_up() -> None:
    hits = fuse(lexical=[], vector=[("a", 0.9), ("b", 0.88), ("c", 0.86), ("d", 0.3), ("e", 0.29)])
    texts = dict.fromkeys("abcde", "")
    near, far = [1.0, 0.0], [0.0, 1.0]
    assert refined(hits, "q", texts, a=near, b=near, c=near, d=far, e=near) == "abced"


@given(lexical=SCORES, vector=SCORES.map(lambda ps: [(n, min(s, 30) / 30) for n, s in ps]))
def test_scores_lie_between_0_and_1_and_fall(
    lexical: list[tuple[str, float]], vector: list[tuple[str, float]]
) -> None:
    hits = fuse(lexical=lexical, vector=vector)
    texts = {hit.chunk_id: "a coat from Zara, bought in 2024" for hit in hits}
    hits = refine(hits, QueryWords("a coat from Zara bought in 2024"), texts, {})
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
