"""Which sentences a reply is made of: on the subject of the part asked, and nothing beside it."""

from __future__ import annotations

import pytest

from core.text.choose import Choice, Option, Part, choose, choose_parts
from core.text.extract import units


def passage(evidence_id: str, text: str, title: str = "", document: str = "") -> list[Option]:
    return [
        Option(evidence_id, place, unit, f"{title} {unit.heading}", 0.9, document or evidence_id)
        for place, unit in enumerate(units(text))
        if unit.kind != "heading"
    ]


def part(question: str, *evidence_ids: str, recorded: bool = False) -> Part:
    return Part("D1", question, frozenset(evidence_ids), recorded)


def said(choices: tuple[Choice, ...]) -> list[str]:
    return [choice.option.words for choice in choices]


ABROAD = (
    "Orders to Norway and Iceland arrive within 6 to 9 business days.\n"
    "Import tax for orders to Norway is paid by the customer.\n"
    "We do not deliver to countries other than Sweden, Norway and Iceland."
)
RECORD = (
    'The status of order B-20117 is "shipped" as of 3 May 2026. '
    "Order B-20117 was shipped on 3 May 2026. "
    "Order B-20117 is expected to arrive on 8 May 2026. "
    "Order B-20117 was placed on 1 May 2026 by customer 7. "
    "Order B-20117 was paid with Visa."
)
RECALL = (
    "The GlowLite lamp, model GL-9, was recalled in March because its plug overheats.\n"
    "Customers should stop using a recalled product at once.\n"
    "A recalled product is refunded in full at any time."
)
REFUNDS = (
    "Refunds go back to the original payment method.\n"
    "A refund is paid within 5 to 7 business days after the parcel reaches us."
)
CANCELLING = "The refund for a cancelled order is paid within 3 business days."
TABLE = (
    "Standard shipping is free for orders of $75 or more.\n\n"
    "| Option | Price | Delivery time |\n| --- | --- | --- |\n"
    "| Standard, order of $75 or more | free | 3 to 5 business days |\n"
)
ORDER_BY = (
    "| Option | Order no later than |\n| --- | --- |\n| Two-day | 21 December 2026 |\n"
    "| Next-day | 22 December 2026 |\n"
)


def test_delivery_and_arrival_are_one_matter() -> None:
    question = "How long does delivery to Norway take?"
    assert said(choose(question, [part(question)], passage("E1", ABROAD), limit=1)) == [
        "Orders to Norway and Iceland arrive within 6 to 9 business days."
    ]


def test_a_chinese_question_in_other_words_is_answered() -> None:
    question = "寄到挪威需要多长时间？"
    options = passage("E1", "寄往挪威的订单会在6至9个工作日内送达。")
    assert said(choose(question, [part(question)], options, limit=2)) == [
        "寄往挪威的订单会在6至9个工作日内送达。"
    ]


def test_a_closed_list_of_countries_answers_for_another_country() -> None:
    question = "Can you ship a canoe to Portugal?"
    first = said(choose(question, [part(question)], passage("E1", ABROAD), limit=3))[0]
    assert first.startswith("We do not deliver to countries other than")


@pytest.mark.parametrize(
    "question",
    ["Where is my order B-20117? I need it by Friday.", "When will my order B-20117 arrive?"],
)
def test_where_an_order_is_takes_its_status_and_its_day_not_who_placed_it(question: str) -> None:
    asked = part(question, "E1", recorded=True)
    told = said(choose(question, [asked], passage("E1", RECORD), limit=3))
    assert 'The status of order B-20117 is "shipped" as of 3 May 2026.' in told
    assert "Order B-20117 is expected to arrive on 8 May 2026." in told
    assert not any("placed" in sentence for sentence in told)


def test_a_rule_is_not_answered_by_the_record() -> None:
    question = "Where is my order B-20117, and when do I get a refund?"
    parts = [
        Part("D1", "Where is my order B-20117", frozenset({"E1"}), recorded=True),
        Part("D2", "when do I get a refund?", frozenset({"E2"})),
    ]
    options = [*passage("E1", RECORD), *passage("E2", REFUNDS)]
    choices = choose(question, parts, options, limit=5)
    assert {c.option.evidence_id for c in choices if c.part_id == "D2"} == {"E2"}


def test_when_a_refund_comes_is_the_rule_with_the_time_not_that_for_a_cancelled_order() -> None:
    question = "This is ridiculous. When will I finally get my refund???"
    options = [*passage("E1", REFUNDS), *passage("E2", CANCELLING)]
    assert said(choose(question, [part(question, "E1", "E2")], options, limit=1)) == [
        "A refund is paid within 5 to 7 business days after the parcel reaches us."
    ]


def test_what_to_do_is_answered_by_an_instruction_and_money_back_by_the_refund() -> None:
    question = "The plug of my GlowLite lamp melted. What should I do and will I get my money back?"
    parts = [
        Part("D1", "What should I do (regarding: GlowLite lamp plug melted)", frozenset({"E1"})),
        Part("D2", "will I get my money back? (regarding: GlowLite lamp)", frozenset({"E1"})),
    ]
    told = said(choose(question, parts, passage("E1", RECALL), limit=3))
    assert told[:2] == [
        "Customers should stop using a recalled product at once.",
        "A recalled product is refunded in full at any time.",
    ]


def test_a_row_and_a_sentence_with_the_same_fact_are_given_once_as_the_sentence() -> None:
    question = "When is standard shipping free?"
    assert said(choose(question, [part(question)], passage("E1", TABLE), limit=3)) == [
        "Standard shipping is free for orders of $75 or more."
    ]


def test_the_last_day_is_the_row_of_the_option_asked_for_not_its_price() -> None:
    question = "What is the last day to order with two-day shipping before Christmas?"
    options = [
        *passage("E1", "Two-day shipping costs $12.95.", "Shipping policy"),
        *passage("E2", ORDER_BY, "Holiday delivery"),
    ]
    told = said(choose(question, [part(question, "E1", "E2")], options, limit=3))
    assert told[0] == "Option: Two-day; Order no later than: 21 December 2026."
    assert not any("Next-day" in sentence for sentence in told)


def test_a_part_that_no_sentence_speaks_of_stays_unanswered() -> None:
    question = "I was in hospital. Could you make an exception?"
    options = [*passage("E1", REFUNDS), *passage("E2", CANCELLING)]
    chosen = choose_parts(question, [part(question, "E1", "E2")], options, limit=5)
    assert chosen.choices == ()
    assert chosen.answered == frozenset()


def test_a_rare_word_of_the_question_outweighs_a_common_one() -> None:
    question = "Do students get a discount?"
    options = [
        *passage("E1", "The discount is shared out over all items of the order."),
        *passage("E2", "Students get 10% off once a year.", "Is there a student discount?"),
        *passage("E3", "The order value is counted after discounts."),
    ]
    told = said(choose(question, [part(question, "E1", "E2", "E3")], options, limit=1))
    assert told == ["Students get 10% off once a year."]


def test_a_condition_of_another_document_is_no_condition_of_the_answer() -> None:
    question = "Do I have to pay the postage for a wrong item?"
    options = [
        *passage("E1", "Postage for a wrong item is paid by us.", document="returns"),
        *passage("E2", "We do not send postage stamps abroad.", document="stamps"),
    ]
    assert said(choose(question, [part(question, "E1")], options, limit=4)) == [
        "Postage for a wrong item is paid by us."
    ]


WARRANTY = (
    "Furniture has a warranty of 36 months.\n"
    "Household appliances have a warranty of 24 months.\n"
    "Shoes and clothing have a warranty of 6 months."
)


@pytest.mark.parametrize(
    ("thing", "months"), [("a toaster", "24"), ("a bookcase", "36"), ("a jacket", "6")]
)
def test_the_rule_for_the_kind_of_thing_is_given_and_no_other(thing: str, months: str) -> None:
    question = f"What is the warranty period for {thing}?"
    options = passage("E1", WARRANTY, "Warranty periods")
    told = said(choose(question, [part(question, "E1")], options, limit=3))
    assert len(told) == 1
    assert f"{months} months" in told[0]


@pytest.mark.parametrize(
    "question",
    [
        "There is an order in my account that I did not place! What are you going to do?",
        "Someone else ordered with my account, what now?",
    ],
)
def test_an_order_nobody_placed_is_about_fraud_not_about_orders(question: str) -> None:
    options = [
        *passage(
            "E1", '1. Open the order in your account.\n2. Choose "Start a return".', "Returns"
        ),
        *passage("E2", "1. Sign the customer out.\n2. Put the order on hold.", "Suspicious orders"),
    ]
    choices = choose(question, [part(question, "E1", "E2")], options, limit=1)
    assert [c.option.evidence_id for c in choices] == ["E2"]


SEASON = (
    "Gifts bought between 1 November and 24 December can be sent back within 60 days of purchase.\n"
    "The seasonal return window starts on the day of purchase, not on the day of delivery.\n"
    "The seasonal return window is the same for shops and for online orders."
)
STAMPS = (
    "Expired stamps cannot be restored.\n"
    "Club stamps expire 18 months after they were collected.\n"
    "Stamps can be used at checkout."
)
MATCHING = (
    "We match the prices of these retailers only: Alder, Birch and Cedar.\n"
    "A price match can be asked for within 10 days of the purchase date.\n"
    "One price match is possible for each item."
)


def test_a_question_for_a_window_is_answered_by_its_length() -> None:
    question = "What is the seasonal return window?"
    chosen = choose(
        question, [part(question, "E1")], passage("E1", SEASON, "Seasonal returns"), limit=1
    )
    assert "60 days" in said(chosen)[0]


def test_whether_a_thing_happens_is_told_by_who_says_that_it_does() -> None:
    question = "Do stamps expire?"
    chosen = choose(question, [part(question, "E1")], passage("E1", STAMPS, "Stamps"), limit=1)
    assert said(chosen) == ["Club stamps expire 18 months after they were collected."]


@pytest.mark.parametrize(
    "question",
    ["Which competitors do you price match?", "does the price match policy cover best buy"],
)
def test_whom_we_match_is_told_by_the_list_of_all_there_are(question: str) -> None:
    chosen = choose(question, [part(question, "E1")], passage("E1", MATCHING), limit=1)
    assert "Alder, Birch and Cedar" in said(chosen)[0]


RATES = (
    "| Grade | Hourly rate |\n| --- | --- |\n| R1 | $21 |\n| R2 | $27 |\n| R3 | $34 |\n\n"
    "Rates are looked at every spring."
)


def test_a_question_for_a_table_is_answered_by_its_rows() -> None:
    question = "Which hourly rates are there?"
    chosen = choose(question, [part(question, "E1")], passage("E1", RATES, "Hourly rates"), limit=3)
    assert [words.split(";")[0] for words in said(chosen)][:3] == [
        "Grade: R1",
        "Grade: R2",
        "Grade: R3",
    ]


def test_a_christmas_present_is_a_holiday_purchase() -> None:
    question = "can i return a xmas present after 50 days"
    pool = passage("E1", SEASON, "Holiday returns") + passage(
        "E2", "Items can be returned within 30 days of the purchase date.", "Returns"
    )
    chosen = choose(question, [part(question, "E1", "E2")], pool, limit=1)
    assert "60 days" in said(chosen)[0]


def test_a_day_named_beside_does_not_outrank_the_subject() -> None:
    question = "Would you match Oak Stores in December 2026?"
    dates = "Next-day orders: place them by 22 December 2026.\nStandard: by 16 December 2026."
    pool = passage("E1", dates, "Delivery dates December 2026") + passage("E2", MATCHING)
    chosen = choose(question, [part(question, "E1", "E2")], pool, limit=1)
    assert "Alder, Birch and Cedar" in said(chosen)[0]


FARES = "两日达配送费为11.50美元。\n订单金额不足60美元时，标准配送费为5.50美元。"
COVER = "保修期限为12个月。\n正常磨损和进水不在保修范围内。"


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [("运费是多少？", FARES, "5.50美元"), ("保修不包括什么？", COVER, "不在保修范围内")],
)
def test_chinese_words_for_the_same_thing_are_one_matter(
    question: str, text: str, answer: str
) -> None:
    chosen = choose(question, [part(question, "E1")], passage("E1", text), limit=1)
    assert answer in said(chosen)[0]


@pytest.mark.parametrize(
    "question", ["Is it true that points never expire?", "Do the points ever really expire?"]
)
def test_what_a_question_doubts_is_no_matter_an_answer_must_speak_of(question: str) -> None:
    options = [
        *passage("E1", "Vouchers of the shop never ever expire.", "Vouchers"),
        *passage("E2", "Loyalty points expire 9 months after they were earned.", "Points"),
    ]
    assert said(choose(question, [part(question, "E2")], options, limit=1)) == [
        "Loyalty points expire 9 months after they were earned."
    ]
