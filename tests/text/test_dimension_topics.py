"""The topic that planning puts behind a follow-up is carried over once, without its marker."""

from __future__ import annotations

from core.text.dimensions import asked_dimensions


def test_the_marker_of_the_topic_is_no_word_of_the_topic() -> None:
    question = "And does that hold for store purchases? (regarding: return holiday gift)"

    (asked,) = asked_dimensions(question, ("And does that hold for store purchases?",), ())

    assert asked.query.count("regarding") == 1
    assert "return holiday gift" in asked.query
