"""What a message asks to be done, and what it merely asks."""

from __future__ import annotations

import pytest

from core.text.requests import wanted_acts


def acts(text: str) -> tuple[str, ...]:
    return tuple(wanted.act for wanted in wanted_acts(text))


@pytest.mark.parametrize(
    ("message", "act"),
    [
        ("I want to cancel my order.", "cancel"),
        ("Could you please refund my deposit?", "refund"),
        ("I'd like my joining fee back.", "refund"),
        ("Please waive the fee.", "waive"),
        ("Extend my rental by two days, please.", "extend"),
        ("You want to upgrade your class to business.", "upgrade"),
        ("I demand a credit on my bill.", "compensate"),
        ("Please renew the two books.", "=renew"),
        ("请帮我退款。", "refund"),
        ("我想把会员卡转让给我弟弟。", "transfer"),
    ],
)
def test_a_wish_an_order_and_a_polite_question_ask_for_an_act(message: str, act: str) -> None:
    assert acts(message) == (act,)


@pytest.mark.parametrize(
    "message",
    [
        "Can I return a Final Sale item?",
        "How do I cancel an order?",
        "What happens to my points when I return something?",
        "I want to know how long a refund takes.",
        "I don't want to cancel the flight.",
        "会员卡可以转让吗？",
    ],
)
def test_a_question_about_the_rule_asks_for_no_act(message: str) -> None:
    assert acts(message) == ()


def test_two_acts_of_one_wish_are_two() -> None:
    assert acts("I want to cancel my flight and get a refund.") == ("cancel", "refund")


def test_the_thing_asked_about_goes_along() -> None:
    (wanted,) = wanted_acts("My coat is small. Please exchange the coat for a larger one.")

    assert "coat" in wanted.about


def test_what_is_to_be_done_is_asked_for_although_a_fallback_follows() -> None:
    message = "If I cannot cancel just the lamp, I want to cancel the whole order."

    assert acts(message) == ("cancel",)


@pytest.mark.parametrize(
    "piece", ["please cancel ", "I want to ", "if ", "don't want to ", "请取消"]
)
def test_a_message_that_only_repeats_itself_is_read_quickly(piece: str) -> None:
    assert len(wanted_acts((piece * 20_000)[:20_000])) <= 40
