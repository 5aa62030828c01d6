"""A question is answered by what states the thing it asks, not by what names its subject."""

from __future__ import annotations

import pytest

from core.text.coverage import SURE_WITHOUT, find_stated
from core.text.coverage_held import holds_need
from core.text.coverage_need import NeedKind, need_of
from core.text.coverage_words import unspoken

KETTLE = (
    "The AquaHeat electric kettle, model KT-210, was recalled on 3 November 2026 because its "
    "handle can come loose."
)
PICKUP = (
    "Store pickup is free for every order. A pickup order is kept in the store for 7 days. "
    "The customer brings the order number and a photo ID to collect a pickup order."
)
TIERS = "Silver members have at least 500 points and earn 1.25 points for each dollar spent."


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What colour is the kettle?", "colour"),
        ("Which material are your shoes made of?", "material"),
        ("How heavy may a pickup order be?", "weight"),
        ("How many litres does the kettle hold?", "volume"),
        ("What wattage does the kettle have?", "power"),
        ("What percentage of parcels arrives late?", "share"),
        ("How often are payments declined?", "frequency"),
        ("How many customers are Silver members?", "count"),
        ("How long is the warranty?", "duration"),
        ("When is my card charged?", "moment"),
        ("In which year did the programme start?", "year"),
        ("What is your phone number?", "phone"),
        ("What is your e-mail address?", "email"),
        ("What is the address of the returns centre?", "address"),
        ("Who founded the programme?", "person"),
        ("Where is your warehouse?", "place"),
        ("Why was the kettle recalled?", "reason"),
        ("Which courier brings the parcels?", "named"),
        ("Is there parking at the store?", "whether"),
        ("What does two-day shipping cost?", "money"),
        ("保修期是多久？", "duration"),
        ("退货中心的地址在哪里？", "address"),
        ("Can you explain the return policy?", "open"),
    ],
)
def test_the_form_of_a_question_says_what_kind_of_answer_it_needs(
    question: str, kind: NeedKind
) -> None:
    assert need_of(question).kind == kind


@pytest.mark.parametrize(
    ("question", "text", "why"),
    [
        ("What colour is the AquaHeat kettle?", KETTLE, "no sentence states a colour"),
        ("What wattage does the AquaHeat kettle have?", KETTLE, "a power or voltage"),
        ("How many AquaHeat kettles were sold?", KETTLE, "how many"),
        ("Are your kettles waterproof?", KETTLE, "nothing speaks of “waterproof”"),
        ("Is there parking at the store for pickup?", PICKUP, "nothing speaks of “parking”"),
        ("How heavy may a pickup order be?", PICKUP, "a weight"),
        ("In which aisle do I collect a pickup order?", PICKUP, "“aisle”"),
        ("How many customers are Silver members?", TIERS, "how many"),
        ("Who founded the Silver tier?", TIERS, "“founded”"),
    ],
)
def test_naming_the_subject_states_nothing_of_it(question: str, text: str, why: str) -> None:
    found = find_stated(question, text, "", 0.85)
    assert not found.stated
    assert why in found.why


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When was the AquaHeat kettle recalled?", KETTLE),
        ("Why was the AquaHeat kettle recalled?", KETTLE),
        ("Is store pickup free?", PICKUP),
        ("How long is a pickup order kept?", PICKUP),
        ("What must I bring to collect a pickup order?", PICKUP),
        ("How many points do Silver members need?", TIERS),
        ("Can I get my money back?", "A recalled product is refunded in full."),
        ("How quickly is a claim decided?", "A decision on a claim is made within 10 days."),
        ("How long do orders to the UK take?", "Orders to the United Kingdom arrive in 12 days."),
        ("Can I return a toaster?", "Items can be returned within 30 days."),
        ("Can items be returned within 365 days, no matter what?", "Items can be returned within "
         "30 days of the purchase date."),
    ],
)  # fmt: skip
def test_what_is_stated_in_other_forms_counts(question: str, text: str) -> None:
    assert find_stated(question, text, "", 0.6).stated


def test_a_sure_gate_may_know_other_words_for_the_same() -> None:
    question, text = "Which pigment colours hair?", "Melanin gives hair its colour."
    assert not find_stated(question, text, "", SURE_WITHOUT["named"] - 0.01).stated
    assert find_stated(question, text, "", SURE_WITHOUT["named"]).stated


def test_no_gate_is_so_sure_that_a_thing_nobody_speaks_of_is_there() -> None:
    assert not find_stated("Is there parking at the store?", PICKUP, "", 1.0).stated


def test_a_closed_list_answers_for_the_names_it_leaves_out() -> None:
    text = "We do not ship to countries other than the United States, Canada and Mexico."
    assert find_stated("Do you ship to Australia?", text, "Shipping", 0.7).stated


def test_the_heading_says_what_a_row_is_about() -> None:
    asked = "How long is the warranty on shoes?"
    assert find_stated(asked, "Shoes: 6 months", "Warranty", 0.7).stated
    assert not find_stated(asked, "Shoes come in 6 colours", "Warranty", 0.7).stated


def test_one_stated_question_of_several_is_enough() -> None:
    assert find_stated("Is store pickup free? Is there parking?", PICKUP, "", 0.7).stated


def test_the_topic_that_planning_added_needs_no_words_of_its_own() -> None:
    asked = "How long is it kept? (regarding: parking garage barrier)"
    assert find_stated(asked, PICKUP, "", 0.7).stated


@pytest.mark.parametrize(
    ("question", "yes", "no"),
    [
        ("What colour is it?", "It is dark green.", "It is heavy."),
        ("How many photos do you need?", "We need at least 2 photos.", "Photos help for 7 days."),
        ("How many stores are open?", "Stores open: 14", "Stores are open from 10:00 to 21:00."),
        ("What is the fax number?", "Fax: 1-800-555-0143", "Phone: 1-800-555-0142"),
        ("Where is your warehouse?", "The warehouse is in Ohio.", "It leaves the warehouse."),
        ("How much does it weigh?", "It weighs 3 kg.", "It holds 3 cups."),
        ("In which year did it start?", "It started in 2019.", "It starts within 12 months."),
        ("What is your postal address?", "12 Harbour Street, Boston", "The address can change."),
    ],
)
def test_a_kind_of_answer_is_told_by_its_shape(question: str, yes: str, no: str) -> None:
    need = need_of(question)
    assert holds_need(need, yes)
    assert not holds_need(need, no)


def test_the_words_that_ask_are_not_looked_for() -> None:
    ask = "How quickly is a digital gift card delivered?"
    assert unspoken(ask, need_of(ask), "Digital gift cards arrive by e-mail within 2 hours.") == ()


def test_a_statement_asks_nothing_of_the_words_in_it() -> None:
    told = "It rained when my argument began."
    assert find_stated(told, PICKUP, "", 0.6).stated
