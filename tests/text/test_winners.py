"""Decisions on pairs become one result without contradictions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.models.judgement import ClaimSide, Contradiction, Resolution
from core.text.winners import NOBODY, consistent


def decided(a: str, b: str, winner: str = "claim_a", by: str = "recency") -> Resolution:
    sides = [ClaimSide(evidence_id=f"E-{v}", value=v) for v in (a, b)]
    return Resolution.model_validate(
        {
            "dimension": "D1",
            "contradiction": Contradiction(dimension="D1", claim_a=sides[0], claim_b=sides[1]),
            "winner": winner,
            "decided_by": "nobody" if winner == NOBODY else by,
            "reason": ("as the test says",),
        }
    )


def test_decisions_that_run_in_a_circle_decide_nothing_and_say_so() -> None:
    circle = consistent(
        [
            decided("30 days", "45 days", by="recency"),
            decided("45 days", "60 days", by="scope"),
            decided("60 days", "30 days", by="scope"),
        ]
    )
    assert {r.winner for r in circle} == {NOBODY}
    assert all("run in a circle" in r.reason[-1] for r in circle)
    assert "30 days over 45 days by recency" in circle[0].reason[-1]


def test_a_tie_between_two_that_lost_to_a_third_is_settled() -> None:
    kept = consistent(
        [
            decided("30 days", "45 days"),
            decided("30 days", "60 days"),
            decided("45 days", "60 days", NOBODY),
        ]
    )
    assert [r.winner for r in kept] == ["claim_a", "claim_a"]


def test_a_tie_with_the_winner_itself_stays_open() -> None:
    kept = consistent([decided("30 days", "45 days"), decided("30 days", "60 days", NOBODY)])
    assert [r.winner for r in kept] == ["claim_a", NOBODY]


def test_one_step_that_decides_both_ways_decides_nothing() -> None:
    kept = consistent([decided("30 days", "45 days"), decided("45 days", "30 days")])
    assert {r.winner for r in kept} == {NOBODY}


def test_a_stronger_step_outweighs_a_weaker_one_for_the_same_two_values() -> None:
    kept = consistent(
        [decided("30 days", "45 days", by="authority"), decided("45 days", "30 days", by="scope")]
    )
    assert kept[0].winner == "claim_a"


def test_one_decision_is_left_alone() -> None:
    one = decided("30 days", "45 days")
    assert consistent([one]) == (one,)
    assert consistent([]) == ()


_VALUES = ("10 days", "20 days", "30 days", "40 days")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(_VALUES),
            st.sampled_from(_VALUES),
            st.sampled_from(("claim_a", "claim_b", NOBODY)),
            st.sampled_from(("authority", "recency", "scope")),
        ).filter(lambda row: row[0] != row[1]),
        max_size=6,
    )
)
def test_no_value_ever_beats_another_that_beats_it_through_others(
    rows: list[tuple[str, str, str, str]],
) -> None:
    kept = consistent([decided(*row) for row in rows])
    over: dict[str, set[str]] = {}
    strongest = {"authority": 0, "recency": 1, "scope": 2}
    best: dict[frozenset[str], int] = {}
    for r in kept:
        a, b = r.contradiction.claim_a.value, r.contradiction.claim_b.value
        if r.winner != NOBODY:
            key = frozenset((a, b))
            best[key] = min(best.get(key, 9), strongest[r.decided_by])
    for r in kept:
        a, b = r.contradiction.claim_a.value, r.contradiction.claim_b.value
        if r.winner != NOBODY and strongest[r.decided_by] == best[frozenset((a, b))]:
            winner, loser = (a, b) if r.winner == "claim_a" else (b, a)
            over.setdefault(winner, set()).add(loser)
    for start in over:
        reached, todo = set(), list(over[start])
        while todo:
            value = todo.pop()
            if value not in reached:
                reached.add(value)
                todo += over.get(value, set())
        assert start not in reached
