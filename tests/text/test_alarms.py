"""Words that a person must hear of, and words that only look like them."""

from __future__ import annotations

import pytest

from core.text.alarms import alarms


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("My lawyer will file a claim against you.", "legal"),
        ("I will report you to the ombudsman.", "legal"),
        ("The handle came off and I burned my hand.", "safety"),
        ("The charger caught fire.", "safety"),
        ("I had an allergic reaction to the cream.", "safety"),
        ("There is an order I did not place.", "privacy"),
        ("Let me speak to a supervisor.", "person"),
        ("Could you make an exception?", "exception"),
        ("This is the third time I write.", "again"),
        ("我要找律师起诉你们。", "legal"),
        ("插头起火，我的手烫伤了。", "safety"),
        ("请转人工客服。", "person"),
    ],
)
def test_an_alarm_is_heard(text: str, kind: str) -> None:
    assert kind in [alarm.kind for alarm in alarms(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Is it safe to wash the coat?",
        "What is the legal age for buying wine?",
        "Does the Fire TV stick come with a cable?",
        "How do I replace the spark plugs?",
        "Can my sister collect the parcel in person?",
        "Are there exceptions to the return policy?",
    ],
)
def test_a_mere_word_is_no_alarm(text: str) -> None:
    assert alarms(text) == ()
