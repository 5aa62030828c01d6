"""Why a result stands where it stands, in words."""

from __future__ import annotations

from core.models.evidence import SamePassage, WhyFound
from core.text.why_found import why_in_words
from tests.stages.language_builders import a_candidate


def test_all_that_moved_a_result_is_said() -> None:
    copy = SamePassage(
        chunk_id="f::0", document_id="f", source_id="f", source_title="FAQ", authority="faq"
    )
    candidate = a_candidate(
        "a",
        rank=1,
        lexical_rank=2,
        vector_rank=5,
        similarity=0.63,
        also_in=(copy,),
        why=WhyFound(
            word_share=0.5,
            matched=("return", "coats"),
            missing=("Canada",),
            boosts=("official_policy ×1.04",),
            reranked_from=3,
        ),
    )
    assert why_in_words(candidate) == (
        "no. 2 by words and no. 5 by meaning, scored by words and meaning alike; "
        "has return, coats, lacks Canada; close in meaning (cosine 0.63); "
        "rule official_policy ×1.04; moved from 3 to 1 when looked at again; "
        "the same text also in FAQ"
    )


def test_a_side_without_a_vote_is_said_so() -> None:
    candidate = a_candidate("a", lexical_rank=1, why=WhyFound(word_share=1.0, matched=("退货",)))
    assert why_in_words(candidate) == (
        "no. 1 by words, scored by words alone; has 退货; its meaning was not compared"
    )


def test_a_record_that_no_search_found_says_nothing() -> None:
    assert why_in_words(a_candidate("a", retrieval_source="record")) == ""
