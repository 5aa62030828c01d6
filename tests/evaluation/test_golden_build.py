"""Golden rows are proposed from what people really ask, and never hold personal data."""

from __future__ import annotations

from core.evaluation.golden_build import propose
from tests.evaluation.builders import a_row, a_run

RETURN = "How long do I have to return an item?"
SAME = "To return an item, how long do I have?"
SHIPPING = "What does two-day shipping cost?"


def test_questions_in_other_words_count_together_and_the_most_asked_come_first() -> None:
    runs = [
        a_run(question=SHIPPING, trace_id="t1"),
        a_run(question=RETURN, trace_id="t2"),
        a_run(question=SAME, trace_id="t3"),
    ]
    first, second = propose(runs)
    assert (first.row.question, first.asked, first.reason) == (RETURN, 2, "asked 2 times")
    assert (second.row.question, second.asked) == (SHIPPING, 1)


def test_a_disputed_question_comes_before_a_frequent_one_and_counts_as_hard() -> None:
    runs = [
        a_run(question=RETURN, trace_id="t1"),
        a_run(question=RETURN, trace_id="t2"),
        a_run(question=SHIPPING, trace_id="t3"),
    ]
    first = propose(runs, disputed={"t3"})[0]
    assert first.row.question == SHIPPING
    assert first.row.difficulty_level == "HARD"
    assert first.reason == "asked once, disputed in 1 of them"


def test_a_proposal_holds_what_the_run_cited_and_the_values_it_proved() -> None:
    (proposal,) = propose([a_run(question=RETURN)])
    assert proposal.row.gold_sources == ("returns-4.2",)
    assert proposal.row.required_facts == ("30",)
    assert proposal.row.expected_status == "answered"
    assert proposal.row.kind == "candidate"
    assert proposal.row.role == "agent"


def test_questions_of_the_set_are_not_proposed_again() -> None:
    assert propose([a_run(question=SAME)], existing=[a_row(question=RETURN)]) == ()


def test_a_question_with_personal_data_is_left_out() -> None:
    private = "My card is 4111 1111 1111 1111, how long will you hold the order?"
    assert propose([a_run(question=private)]) == ()


def test_no_more_than_the_limit_is_proposed() -> None:
    runs = [a_run(question=f"What about topic{n} then?", trace_id=f"t{n}") for n in range(5)]
    assert len(propose(runs, limit=3)) == 3


def test_a_proposal_keeps_its_id_whatever_else_is_proposed() -> None:
    alone = propose([a_run(question=RETURN)])
    among = propose([a_run(question=SHIPPING), a_run(question=SAME, trace_id="t2")])
    assert alone[0].row.query_id in {p.row.query_id for p in among}
    assert len({p.row.query_id for p in among}) == 2
