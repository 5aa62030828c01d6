"""Candidates: found, fused, checked again, and none that rights or dates forbid."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.evidence import EvidenceCandidate
from core.models.plan import BoostRule, RetrievalPlan
from core.stages.plan_retrieval import plan_retrieval
from core.stages.retrieve import Retrieved, retrieve
from tests.fakes.memory_registry import MemoryRegistry
from tests.stages.language_builders import (
    ScriptedIndex,
    a_candidate,
    a_version,
    planned,
    rights,
)

_QUESTION = "How long do I have to return an item?"


def a_plan(text: str = _QUESTION, role: str = "agent", **more: Any) -> RetrievalPlan:
    return plan_retrieval(planned(text), rights(role), top_k=3, candidate_k=10, **more)


def registry_for(*candidates: EvidenceCandidate, **governance: Any) -> MemoryRegistry:
    registry = MemoryRegistry()
    registry.put([a_version(c.document_id, **governance) for c in candidates], actor="test")
    return registry


def said(chunk_id: str, score: float, **more: Any) -> EvidenceCandidate:
    """A hit whose text is its own."""
    return a_candidate(chunk_id, text=f"Rule {chunk_id} holds.", score=score, **more)


def ids(found: Retrieved) -> list[str]:
    return [c.chunk_id for c in found.candidates]


def test_subqueries_are_joined_and_nothing_comes_twice() -> None:
    one, two, three = said("a", 0.9), said("b", 0.8), said("c", 0.5)
    plan = a_plan().model_copy(update={"query": "q1", "subqueries": ("q2",)})
    index = ScriptedIndex({"q1": [one, two], "q2": [two, three]})
    found = retrieve(plan, index=index, registry=registry_for(one, two, three))
    assert ids(found) == ["b", "a", "c"]
    assert [c.rank for c in found.candidates] == [1, 2, 3]
    assert [p.subqueries for p in index.asked] == [(), ()]


def test_no_sub_question_is_crowded_out() -> None:
    loud = [said(f"a{n}", 0.9 - n / 100) for n in range(9)]
    quiet = [said("z1", 0.2), said("z2", 0.1)]
    plan = a_plan().model_copy(update={"query": "q1", "subqueries": ("q2",), "top_k": 4})
    index = ScriptedIndex({"q1": loud, "q2": quiet})
    found = retrieve(plan, index=index, registry=registry_for(*loud, *quiet))
    assert len(found.candidates) == 6
    assert {"a0", "a1", "z1", "z2"} <= set(ids(found))


def test_the_conversation_counts_but_less_than_the_question() -> None:
    here, before = said("here", 0.6), said("before", 0.6)
    plan = a_plan().model_copy(update={"query": "q", "context_query": "h q", "context_weight": 0.3})
    index = ScriptedIndex({"q": [here], "h q": [before]})
    found = retrieve(plan, index=index, registry=registry_for(here, before))
    assert ids(found) == ["here", "before"]


def test_a_follow_up_that_names_nothing_finds_its_passage_by_what_was_said_before() -> None:
    vague, right = said("vague", 0.30), said("right", 0.28)
    plan = a_plan().model_copy(
        update={"query": "and children?", "context_query": "sizes and", "context_weight": 0.5}
    )
    index = ScriptedIndex({"and children?": [vague, right], "sizes and": [right]})
    found = retrieve(plan, index=index, registry=registry_for(vague, right))
    assert ids(found) == ["right", "vague"]


def test_the_same_text_in_several_sources_is_one_result() -> None:
    post = a_candidate("post", score=0.9, authority="community_forum")
    policy = a_candidate("policy", score=0.8)
    other = said("other", 0.7)
    registry = registry_for(policy, other)
    registry.put([a_version(post.document_id, authority="community_forum")], actor="test")
    index = ScriptedIndex({_QUESTION: [post, policy, other]})
    found = retrieve(a_plan(), index=index, registry=registry)
    assert ids(found) == ["policy", "other"]
    assert [copy.chunk_id for copy in found.candidates[0].also_in] == ["post"]


def test_a_source_the_reader_may_not_see_is_not_named_as_another_place() -> None:
    mine = a_candidate("mine", score=0.8)
    hidden = a_candidate("hidden", score=0.9, acl_policy_id="hr-confidential")
    index = ScriptedIndex({_QUESTION: [hidden, mine]})
    found = retrieve(a_plan(), index=index, registry=registry_for(mine, hidden))
    assert ids(found) == ["mine"]
    assert found.candidates[0].also_in == ()


def test_copies_do_not_use_up_the_places() -> None:
    """Twenty copies fill the first search; a deeper one finds what stands below them."""
    copies = [a_candidate(f"copy{n:02d}", score=0.9) for n in range(20)]
    below = [said("b1", 0.3), said("b2", 0.2)]

    class Deep(ScriptedIndex):
        def search(self, plan: RetrievalPlan) -> tuple[EvidenceCandidate, ...]:
            return super().search(plan)[: plan.top_k]

    index = Deep({_QUESTION: [*copies, *below]})
    found = retrieve(a_plan(), index=index, registry=registry_for(*copies, *below))
    assert ids(found) == ["copy00", "b1", "b2"]
    assert len(index.asked) == 2


_RULES = st.lists(
    st.builds(
        BoostRule,
        when=st.sampled_from(["official_policy", "community_forum", "unsigned", "superseded"]),
        factor=st.floats(0.8, 1.25),
    ),
    max_size=4,
)
_KINDS = st.fixed_dictionaries(
    {
        "authority": st.sampled_from(["official_policy", "faq", "community_forum"]),
        "signed": st.booleans(),
        "acl_policy_id": st.sampled_from(["public", "hr-confidential"]),
        "score": st.floats(0, 1),
    }
)


@given(rules=_RULES, kinds=st.lists(_KINDS, min_size=1, max_size=6))
def test_a_boost_never_changes_which_rows_are_allowed(
    rules: list[BoostRule], kinds: list[dict[str, Any]]
) -> None:
    hits = [said(str(n), kind.pop("score"), **kind) for n, kind in enumerate(kinds)]
    registry = MemoryRegistry()
    for hit in hits:
        own = {name: getattr(hit, name) for name in ("authority", "signed", "acl_policy_id")}
        registry.put([a_version(hit.document_id, **own)], actor="test")
    index = ScriptedIndex({_QUESTION: sorted(hits, key=lambda hit: -hit.score)})
    wide = a_plan().model_copy(update={"top_k": 10})
    plain, moved = (
        retrieve(plan, index=index, registry=registry)
        for plan in (
            wide.model_copy(update={"boost_rules": ()}),
            wide.model_copy(update={"boost_rules": tuple(rules)}),
        )
    )
    assert set(ids(moved)) == set(ids(plain))
    assert all(c.acl_policy_id == "public" for c in moved.candidates)
    assert all(0 <= c.score <= 1 for c in moved.candidates)


def test_of_two_that_match_alike_the_official_one_comes_first_and_says_why() -> None:
    post = said("a", 0.50, authority="community_forum")
    policy = said("b", 0.49)
    clear = said("c", 0.80, authority="community_forum")
    registry = registry_for(policy)
    for hit in (post, clear):
        registry.put([a_version(hit.document_id, authority="community_forum")], actor="test")
    index = ScriptedIndex({_QUESTION: [clear, post, policy]})
    found = retrieve(a_plan(), index=index, registry=registry)
    assert ids(found) == ["c", "b", "a"]
    why = found.candidates[1].why
    assert why is not None
    assert why.boosts == ("official_policy ×1.04",)


class Backwards:
    """A reranker that likes what stood last."""

    name, weight = "backwards/1", 1.0

    def scores(self, query: str, candidates: Sequence[EvidenceCandidate]) -> tuple[float, ...]:
        assert query == _QUESTION
        return tuple(n / len(candidates) for n in range(len(candidates)))


def test_a_reranker_moves_what_passed_and_the_move_is_told() -> None:
    one, two = said("a", 0.9), said("b", 0.8)
    barred = said("x", 0.7, acl_policy_id="hr-confidential")
    index = ScriptedIndex({_QUESTION: [one, two, barred]})
    registry = registry_for(one, two, barred)
    plan = a_plan(reranker="backwards/1")
    found = retrieve(plan, index=index, registry=registry, reranker=Backwards())
    assert ids(found) == ["b", "a"]
    assert [c.why.reranked_from for c in found.candidates if c.why] == [2, 1]
    untouched = retrieve(a_plan(), index=index, registry=registry, reranker=Backwards())
    assert ids(untouched) == ["a", "b"]


def test_a_candidate_without_required_metadata_is_stopped() -> None:
    bad = said("a", 0.9)
    plan = a_plan().model_copy(update={"required_metadata": ("owner",)})
    index = ScriptedIndex({_QUESTION: [bad]})
    found = retrieve(plan, index=index, registry=registry_for(bad))
    assert found.candidates == ()
    assert "has no owner" in found.violations[0]


_FORBIDDEN: dict[str, dict[str, Any]] = {
    "access policy": {"acl_policy_id": "hr-confidential"},
    "classification": {"classification": "confidential"},
    "superseded": {"status": "superseded"},
    "draft": {"status": "draft"},
    "not valid yet": {"valid_from": date(2027, 1, 1)},
    "no longer valid": {"valid_to": date(2026, 11, 30)},
}


@pytest.mark.parametrize("why", _FORBIDDEN)
def test_what_the_index_lets_through_is_stopped_on_the_way_out(why: str) -> None:
    bad = a_candidate("a", **_FORBIDDEN[why])
    index = ScriptedIndex({_QUESTION: [bad]})
    found = retrieve(a_plan(), index=index, registry=registry_for(bad))
    assert found.candidates == ()
    assert why in found.violations[0]
    assert bad.text not in found.violations[0]


@pytest.mark.parametrize("why", _FORBIDDEN)
def test_the_registry_as_it_is_now_overrules_a_stale_index(why: str) -> None:
    good = a_candidate("a")
    index = ScriptedIndex({_QUESTION: [good]})
    found = retrieve(a_plan(), index=index, registry=registry_for(good, **_FORBIDDEN[why]))
    assert found.candidates == ()
    assert why in found.violations[0]


def test_another_tenants_passage_is_stopped() -> None:
    bad = a_candidate("a", tenant_id="other")
    found = retrieve(a_plan(), index=ScriptedIndex({_QUESTION: [bad]}), registry=registry_for(bad))
    assert "tenant" in found.violations[0]


def test_a_withdrawn_document_is_stopped() -> None:
    good = a_candidate("a")
    registry = registry_for(good)
    registry.withdraw(good.document_id)
    found = retrieve(a_plan(), index=ScriptedIndex({_QUESTION: [good]}), registry=registry)
    assert found.candidates == ()
    assert "withdrawn" in found.violations[0]


def test_candidates_carry_the_governance_of_now() -> None:
    good = a_candidate("a", owner="old")
    found = retrieve(
        a_plan(),
        index=ScriptedIndex({_QUESTION: [good]}),
        registry=registry_for(good, last_reviewed=date(2026, 11, 1)),
    )
    assert found.candidates[0].owner == "kim"
    assert found.candidates[0].last_reviewed == date(2026, 11, 1)
