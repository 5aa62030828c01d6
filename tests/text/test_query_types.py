"""The kind of a question and the way it is searched for."""

from __future__ import annotations

import pytest

from core.models.plan import QueryType, RetrievalMode
from core.text.query_types import query_type, wants_exact_words
from tests.stages.language_builders import an_enforcement_case, planned

KINDS: tuple[tuple[QueryType, str], ...] = (
    ("exact_lookup", "What are your phone hours?"),
    ("exact_lookup", "Which payment methods do they take?"),
    ("exact_lookup", 'Where does it say "no refunds after 90 days"?'),
    ("exact_lookup", "SKU-AH200"),
    ("exact_lookup", "客服电话是哪个号码？"),
    ("exact_lookup", "哪里写着“概不退款”？"),
    ("definition", "What does restocking mean?"),
    ("definition", "What is a Final Sale item?"),
    ("definition", "What counts as a holiday purchase?"),
    ("definition", "What are ETFs?"),
    ("definition", "什么是最终清仓？"),
    ("definition", "“最终清仓”是什么意思？"),
    ("procedural", "How do I send a parcel back by post?"),
    ("procedural", "Walk me through an exchange"),
    ("procedural", "Where can I report a damaged parcel?"),
    ("procedural", "怎么申请退款？"),
    ("procedural", "申请保修需要哪些步骤？"),
    ("policy_interpretation", "Can I return a Final Sale item?"),
    ("policy_interpretation", "How long do I have to return a coat?"),
    ("policy_interpretation", "Who approves refunds over $500?"),
    ("policy_interpretation", "Why do you charge a fee for labels?"),
    ("policy_interpretation", "清仓商品可以退货吗？"),
    ("policy_interpretation", "退货期限有例外吗？"),
    ("comparison", "What is the difference between standard and two-day shipping?"),
    ("comparison", "Is two-day shipping faster than standard shipping?"),
    ("comparison", "Gold versus Silver tier"),
    ("comparison", "标准配送和两日达有什么区别？"),
    ("comparison", "两日达比标准配送便宜吗？"),
    ("troubleshooting", "My login does not work, I get error 401"),
    ("troubleshooting", "The kettle won't turn on"),
    ("troubleshooting", "Why was my card declined?"),
    ("troubleshooting", "I have a problem with my account"),
    ("troubleshooting", "无法登录账户怎么办？"),
    ("troubleshooting", "水壶坏了怎么办？"),
)


@pytest.mark.parametrize(("kind", "ask"), KINDS)
def test_an_ask_has_the_kind_its_words_say(kind: QueryType, ask: str) -> None:
    assert query_type(ask) == kind


@pytest.mark.parametrize(
    "ask",
    [
        "Do you have anything cheaper?",
        "Are there different types of charges?",
        "Is it better to send it by post?",
    ],
)
def test_a_comparative_alone_compares_nothing(ask: str) -> None:
    assert query_type(ask) != "comparison"


@pytest.mark.parametrize(
    ("text", "kind", "mode"),
    [
        ("Where does it say \"no refunds after 90 days\"?", "exact_lookup", "lexical"),
        ("SKU-AH200", "exact_lookup", "lexical"),
        ("What does ERR_4012 say?", "exact_lookup", "lexical"),
        ("哪里写着“概不退款”？", "exact_lookup", "lexical"),
        ("Can I return a \"Final Sale\" item?", "policy_interpretation", "hybrid"),
        ("How long is \"long term investing\"?", "policy_interpretation", "hybrid"),
        ("What does restocking mean?", "definition", "hybrid"),
        ("什么是最终清仓？", "definition", "hybrid"),
        ("Are there passages similar to this: goods sent back late?", "policy_interpretation",
         "vector"),
        ("Gold versus Silver tier", "comparison", "hybrid_rerank"),
        ("How long do I have to return it and what does the label cost?",
         "policy_interpretation", "hybrid_rerank"),
        ("What is the status of order A-10293?", "exact_lookup", "multi_source"),
        ("Can order A-10311 still be cancelled?", "case_specific", "multi_source"),
        ("订单 A-10311 还可以取消吗？", "case_specific", "multi_source"),
        ("It doesn't work", "ambiguous", "none"),
        ("怎么办？", "ambiguous", "none"),
        ("Tell me a joke", "out_of_scope", "none"),
        ("给我讲个笑话", "out_of_scope", "none"),
    ],
)  # fmt: skip
def test_each_kind_is_searched_in_the_way_that_suits_it(
    text: str, kind: QueryType, mode: RetrievalMode
) -> None:
    plan = planned(text)
    assert (plan.query_type, plan.retrieval_mode) == (kind, mode)


@pytest.mark.parametrize(
    "text", ["Can we close this case without escalation?", "这个案件可以结案吗？"]
)
def test_a_question_about_the_case_is_case_specific(text: str) -> None:
    plan = planned(text, an_enforcement_case())
    assert (plan.query_type, plan.retrieval_mode) == ("case_specific", "multi_source")


def test_words_beside_the_quoted_ones_make_it_a_question() -> None:
    assert wants_exact_words('find "final sale"')
    assert not wants_exact_words('Does "final sale" cover shoes?')
    assert not wants_exact_words("Can I return shoes?")
    assert not wants_exact_words('What is "The Long Road"?')
    assert not wants_exact_words('it is showing "Transaction rejected"')
