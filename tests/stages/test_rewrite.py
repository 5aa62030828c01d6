"""Every rewrite names a gap, says something new, and follows the order of strategies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.judgement import Coverage, Judgement, NextAction
from core.models.plan import QueryPlan, RewriteStrategy, RewrittenQuery
from core.stages.rewrite import rewrite
from tests.stages.language_builders import planned

_PLAN = planned("Will you match Walmart, and can I return a holiday gift card?")


def a_judgement(
    *gaps: str, plan: QueryPlan = _PLAN, wish: RewriteStrategy | None = None
) -> Judgement:
    """NEED_MORE with these dimensions open."""
    matrix = {
        d.id: Coverage(covered=d.id not in gaps, confidence="low" if d.id in gaps else "high")
        for d in plan.dimensions
    }
    return Judgement(
        decision="NEED_MORE" if gaps else "ENOUGH",
        dimension_coverage_matrix=matrix,
        next_action=NextAction(priority_gaps=gaps, recommended_rewrite_strategy=wish),
    )


def after(
    *done: RewriteStrategy, round_number: int = 2, found_new: bool = False, **more: object
) -> RewrittenQuery | None:
    past = [
        RewrittenQuery(
            rewritten_query=f"q{n}", strategy_tag=tag, expected_new_evidence="", gap="D2"
        )
        for n, tag in enumerate(done)
    ]
    plan = more.get("plan", _PLAN)
    judged = more.get("judgement") or a_judgement("D2")
    assert isinstance(plan, QueryPlan)
    assert isinstance(judged, Judgement)
    return rewrite(plan, judged, past, round_number=round_number, last_found_new=found_new)


def test_a_rewrite_names_the_gap_and_what_it_hopes_to_find() -> None:
    step = after()
    assert step is not None
    assert (step.gap, step.strategy_tag) == ("D2", "EXPAND_FIELDS")
    assert "gift card" in step.expected_new_evidence
    assert "gift card" in step.rewritten_query


def test_without_a_gap_there_is_nothing_to_rewrite() -> None:
    assert after(judgement=a_judgement()) is None


def test_two_expansions_without_new_evidence_force_a_synonym() -> None:
    wish = a_judgement("D2", wish="EXPAND_FIELDS")
    step = after("EXPAND_FIELDS", "EXPAND_FIELDS", judgement=wish)
    assert step is not None
    assert step.strategy_tag == "SWITCH_KEYWORD_SYNONYM"


def test_new_evidence_lets_expansion_go_on() -> None:
    step = after("EXPAND_FIELDS", "EXPAND_FIELDS", found_new=True)
    assert step is not None
    assert step.strategy_tag == "EXPAND_FIELDS"


def test_the_judges_recommendation_comes_first() -> None:
    step = after(judgement=a_judgement("D2", wish="SWITCH_KEYWORD_SYNONYM"))
    assert step is not None
    assert step.strategy_tag == "SWITCH_KEYWORD_SYNONYM"
    assert "Christmas" in step.rewritten_query


@pytest.mark.parametrize(("round_number", "opens"), [(2, False), (3, False), (4, True)])
def test_the_structured_query_opens_from_round_four(round_number: int, opens: bool) -> None:
    wish = a_judgement("D2", wish="SWITCH_TO_STRUCTURED_QUERY")
    step = after(round_number=round_number, judgement=wish)
    assert step is not None
    assert (step.strategy_tag == "SWITCH_TO_STRUCTURED_QUERY") is opens


def test_an_identifier_opens_the_structured_query_at_once() -> None:
    plan = planned("Can order A-10311 still be cancelled?")
    step = after(plan=plan, judgement=a_judgement("D2", plan=plan))
    assert step is not None
    assert step.strategy_tag == "SWITCH_TO_STRUCTURED_QUERY"
    assert "A-10311" in step.rewritten_query


def test_a_past_question_may_narrow_its_time() -> None:
    plan = planned("In December 2024, did you match Best Buy prices?")
    wish = a_judgement("D1", plan=plan, wish="NARROW_TIME_SCOPE")
    step = after(plan=plan, judgement=wish)
    assert step is not None
    assert "December 2024" in step.rewritten_query


def _exhaust(text: str) -> list[RewrittenQuery]:
    plan = planned(text)
    judged = a_judgement(*(d.id for d in plan.dimensions), plan=plan)
    done: list[RewrittenQuery] = []
    for number in range(2, 60):
        step = rewrite(plan, judged, done, round_number=number, last_found_new=False)
        if step is None:
            break
        done.append(step)
    return done


@given(
    st.lists(
        st.sampled_from(
            ["return", "refund", "gift card", "Walmart", "in May 2026", "退货", "保修"]
        ),
        min_size=1,
        max_size=5,
    )
)
def test_no_query_is_asked_twice_and_the_well_runs_dry(words: list[str]) -> None:
    text = f"Can I {' '.join(words)}?"
    done = _exhaust(text)
    queries = [" ".join(step.rewritten_query.casefold().split()) for step in done]
    assert len(set(queries)) == len(queries) < 58
    assert text.casefold() not in queries


def test_a_chinese_gap_is_rewritten_in_chinese() -> None:
    step = _exhaust("小家电的保修期是多久？")[0]
    assert "质保" in step.rewritten_query
