"""Retrieval alone, on the demo company: in a conversation, beside its neighbours, and why."""

from __future__ import annotations

from typing import Any

import pytest

from core.demo import DATA_DIR
from core.errors import NotFound
from core.models.request import Turn, UserRequest
from core.pipeline import context_of
from core.pipeline_search import Neighbours, neighbours, plan_search, search
from core.text.why_found import why_in_words
from core.wiring import Office, open_office


def request(office: Office, text: str, *history: str, user: str = "ana") -> UserRequest:
    turns = [Turn(role="agent" if n % 2 else "customer", text=t) for n, t in enumerate(history)]
    return UserRequest(
        request_id="r",
        tenant_id=office.settings.tenant,
        user_id=user,
        raw_query=text,
        history=tuple(turns),
    )


def beside(office: Office, chunk_id: str, n: int = 1, user: str = "ana", **at: Any) -> Neighbours:
    context = context_of(user, office.settings.tenant, office.tools)
    return neighbours(chunk_id, n, office.tools, context, **at)


def passages(office: Office, document_id: str) -> list[str]:
    return [c.chunk_id for c in office.index.passages_of(document_id)]


def test_a_follow_up_finds_the_passage_of_what_was_asked_before(office: Office) -> None:
    earlier = ("Do gift cards expire?", "No, they never do.")
    found = search(request(office, "And custom amounts?", *earlier), office.tools, k=3)
    assert "gift-card" in found[0].document_id
    plan = plan_search(request(office, "And custom amounts?", *earlier), office.tools, k=3)
    assert plan.context_query.startswith("And custom amounts?")
    assert "gift cards" in plan.context_query


def test_neighbours_stand_before_and_after_in_the_order_of_the_document(office: Office) -> None:
    chunks = passages(office, "returns-policy-4.2")
    around = beside(office, chunks[2], 2)
    assert [c.chunk_id for c in around.before] == chunks[:2]
    assert [c.chunk_id for c in around.after] == chunks[3:5]
    assert beside(office, chunks[0]).before == ()
    assert beside(office, chunks[-1]).after == ()


def test_a_passage_the_reader_may_not_see_is_as_unknown_as_one_that_is_not_there(
    office: Office,
) -> None:
    hidden = passages(office, "hr-pay-bands-2026")
    assert hidden
    for chunk in hidden:
        with pytest.raises(NotFound) as refused:
            beside(office, chunk)
        with pytest.raises(NotFound) as unknown:
            beside(office, "no-such-document::0000")
        assert str(refused.value).replace(chunk, "X") == str(unknown.value).replace(
            "no-such-document::0000", "X"
        )


def test_no_reader_finds_neighbours_that_a_search_would_not_let_them_see(office: Office) -> None:
    documents = [file.stem for file in sorted((DATA_DIR / "sources").iterdir())]
    assert sum(len(passages(office, document)) for document in documents) > 100
    for user in ("guest", "ana"):
        context = context_of(user, office.settings.tenant, office.tools)
        for document in documents:
            for chunk in passages(office, document)[1:2]:
                try:
                    around = beside(office, chunk, 20, user)
                except NotFound:
                    continue
                for c in (*around.before, *around.after):
                    assert c.acl_policy_id in context.allowed_acl_policy_ids
                    assert c.classification in context.allowed_classifications
                    assert c.status == "active"


def test_with_a_reranker_set_the_plan_names_it_and_each_result_tells_its_move(
    office: Office,
) -> None:
    settings = office.settings.model_copy(update={"reranker": "gate"})
    reranking = open_office(settings)
    try:
        asked = request(reranking, "How long can I return a holiday gift?")
        plan = plan_search(asked, reranking.tools, k=5)
        assert (plan.mode, plan.reranker) == ("hybrid_rerank", reranking.tools.reranker.name)  # type: ignore[union-attr]
        found = search(asked, reranking.tools, k=5)
        assert all(c.why and c.why.reranked_from for c in found)
        assert "looked at again" in why_in_words(found[0])
    finally:
        reranking.close()


def test_every_result_says_why_it_stands_there(office: Office) -> None:
    found = search(request(office, "How long can I return a holiday gift?"), office.tools, k=5)
    for candidate in found:
        said = why_in_words(candidate)
        assert "by meaning" in said
        assert f"cosine {candidate.similarity:.2f}" in said
    policy = next(c for c in found if c.authority == "official_policy")
    assert "rule official_policy ×1.04" in why_in_words(policy)
