"""What kind of answer a question asks for, and which sentences hold one."""

from __future__ import annotations

import pytest

from core.text.answer_type import expected_type, holds


@pytest.mark.parametrize(
    "question",
    [
        "What is the holiday return window?",
        "What was the holiday return window in 2023?",
        "What was your time limit for exchanges?",
        "How long did I have?",
    ],
)
def test_a_window_asks_for_a_length_in_any_tense(question: str) -> None:
    assert expected_type(question) == "duration"


@pytest.mark.parametrize(
    ("sentence", "tells"),
    [
        ("Items could be returned until 31 January 2024.", True),
        ("Claims must reach us no later than 5 March 2025.", True),
        ("The policy was signed on 31 January 2024.", False),
        ("The window starts on the day of purchase.", False),
    ],
)
def test_a_last_day_tells_how_long_and_another_date_does_not(sentence: str, tells: bool) -> None:
    assert holds("duration", sentence) is tells
