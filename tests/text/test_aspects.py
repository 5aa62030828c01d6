"""What kind of thing an ask wants to know, and how joined asks and comparisons come apart."""

from __future__ import annotations

import pytest

from core.models.plan import Aspect
from core.text.aspects import aspect_of
from core.text.comparisons import comparison, side_query
from core.text.coordination import coordinated

ASKED: tuple[tuple[Aspect, str], ...] = (
    ("deadline", "Until when can I return it?"),
    ("deadline", "How long do I have to return an item?"),
    ("deadline", "Within how many days can I cancel my online order?"),
    ("deadline", "What is the warranty period for a hair dryer?"),
    ("deadline", "When will my refund arrive?"),
    ("deadline", "By what time must I order?"),
    ("amount", "What does two-day shipping cost?"),
    ("amount", "How much goodwill credit can an agent give?"),
    ("amount", "How many promotion codes can I use in one order?"),
    ("amount", "What is the restocking fee?"),
    ("amount", "From which refund amount on do I need a supervisor?"),
    ("responsible", "Who decides on exceptions?"),
    ("responsible", "Whose approval do I need?"),
    ("responsible", "Which team handles recalls?"),
    ("exception", "Are there any exceptions?"),
    ("exception", "Which items are excluded from returns?"),
    ("condition", "Under what conditions is the label free?"),
    ("condition", "What do I need to bring?"),
    ("condition", "When can a case be closed without escalation?"),
    ("procedure", "How do I send a parcel back by post?"),
    ("procedure", "What is the procedure for a recall?"),
    ("procedure", "Where can I report a scam?"),
    ("answer", "Can I return a Final Sale item?"),
    ("answer", "What happens if I miss the deadline?"),
    ("answer", "Is the fee the reason for your call?"),
    ("answer", "Do gift cards expire?"),
    ("answer", "How long is the Penobscot River?"),
    ("answer", "Who played the teacher in the film?"),
    ("answer", "What is the price match policy?"),
    ("answer", "How did the river get its name?"),
    ("answer", "When does the teacher get out of hospital?"),
    ("answer", "what factors pay into the score?"),
    ("answer", "前朝是怎么灭亡的？"),
    ("deadline", "小家电的保修期是多久？"),
    ("deadline", "最晚什么时候可以退货？"),
    ("amount", "寄到加拿大的运费是多少？"),
    ("responsible", "例外由谁决定？"),
    ("exception", "哪些商品不能退货？"),
    ("condition", "申请保修需要提供什么？"),
    ("procedure", "怎么申请退款？"),
    ("answer", "最终清仓的商品可以换货吗？"),
)


@pytest.mark.parametrize(("aspect", "ask"), ASKED)
def test_an_aspect_is_what_is_asked_for_not_what_is_named(aspect: Aspect, ask: str) -> None:
    assert aspect_of(ask) == aspect


@pytest.mark.parametrize(
    ("ask", "asks"),
    [
        (
            "How long and under what conditions can I return shoes?",
            ("How long can I return shoes?", "under what conditions can I return shoes?"),
        ),
        (
            "What are the fee and the deadline for an exchange?",
            ("What is the fee for an exchange?", "What is the deadline for an exchange?"),
        ),
        (
            "Tell me the return deadline, fee and exceptions.",
            (
                "What is the return deadline?",
                "What is the return fee?",
                "What are the return exceptions?",
            ),
        ),
        ("退货的期限和费用是多少？", ("退货的期限是什么？", "退货的费用是什么？")),
    ],
)
def test_joined_asks_come_apart(ask: str, asks: tuple[str, ...]) -> None:
    assert coordinated(ask) == asks


@pytest.mark.parametrize(
    "ask",
    [
        "Can I return shoes and socks?",
        "What are the terms and conditions?",
        "What is the smallest and largest amount for a gift card?",
        "What is the price of the coat and the scarf?",
        "外套和围巾的价格是多少？",
    ],
)
def test_one_ask_about_two_things_stays_whole(ask: str) -> None:
    assert coordinated(ask) == (ask,)


@pytest.mark.parametrize(
    ("ask", "queries"),
    [
        (
            "What is the difference between standard and two-day shipping?",
            ("What is standard shipping?", "What is two-day shipping?"),
        ),
        (
            "Is two-day shipping faster than standard shipping?",
            ("How long does two-day shipping take?", "How long does standard shipping take?"),
        ),
        (
            "Which is cheaper, standard or express shipping?",
            ("What does standard shipping cost?", "What does express shipping cost?"),
        ),
        ("Gold versus Silver tier", ("What is Gold tier?", "What is Silver tier?")),
        (
            "What is the difference in price between a gift card and a store credit?",
            ("What is the price of gift card?", "What is the price of store credit?"),
        ),
        (
            "How does Vulnerability Advisor version 3 differ from version 4?",
            (
                "What is Vulnerability Advisor version 3?",
                "What is Vulnerability Advisor version 4?",
            ),
        ),
        (
            "what is the difference between states and phases of matter",
            ("What is states of matter?", "What is phases of matter?"),
        ),
        (
            "difference between russian blue and british blue cat",
            ("What is russian blue cat?", "What is british blue cat?"),
        ),
        ("古语同今语的主要区别是什么？", ("古语是什么？", "今语是什么？")),
        ("标准配送和两日达有什么区别？", ("标准配送是什么？", "两日达是什么？")),
        ("两日达比标准配送快吗？", ("两日达需要多久？", "标准配送需要多久？")),
    ],
)
def test_a_comparison_has_a_question_for_each_side(ask: str, queries: tuple[str, ...]) -> None:
    compared = comparison(ask)
    assert compared is not None
    assert tuple(side_query(side, compared) for side in compared.sides) == queries


@pytest.mark.parametrize(
    "ask",
    [
        "Is that better than this?",
        "You lowered the price two days after I bought it. Can I get the difference?",
        "How do returns and refunds work?",
        "Do you have anything cheaper than $20?",
        "Can I return shoes or socks?",
        "怎么证明南岛鸟与北岛鸟是两个不同的物种？",
    ],
)
def test_what_names_no_two_sides_is_no_comparison(ask: str) -> None:
    assert comparison(ask) is None
