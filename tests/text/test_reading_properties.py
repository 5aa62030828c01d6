"""What holds for the reading of any message, whatever it says."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from core.text.comparisons import comparison
from core.text.conversation import in_context, self_standing
from core.text.coordination import coordinated
from core.text.focus import topic
from core.text.questions import asks
from core.text.tokens import content_words
from tests.stages.language_builders import turns

VOCABULARY = (
    "what how can I it they and or versus the fee deadline of return a coat Canada to for "
    "difference between , ? . 退货 期限 和 费用 是多少 那 呢"
)
WORDS = st.lists(st.sampled_from(VOCABULARY.split()), min_size=1, max_size=14).map(" ".join)


@given(WORDS)
def test_every_ask_has_words_and_there_are_few(text: str) -> None:
    found = asks(text)
    assert 1 <= len(found) <= 4
    assert all(ask.strip() for ask in found)
    assert all(part.strip() for ask in found for part in coordinated(ask))


@given(WORDS)
def test_a_comparison_names_two_to_four_things(text: str) -> None:
    compared = comparison(text)
    if compared is not None:
        assert 2 <= len(compared.sides) <= 4
        assert all(content_words(side) for side in compared.sides)


@given(WORDS, st.lists(WORDS, max_size=4))
def test_a_topic_is_short_and_adds_only_what_was_said(text: str, said: list[str]) -> None:
    about = topic(said, beside=text, limit=3)
    assert len(about.split()) <= 3
    spoken = {word for turn in said for word in content_words(turn)}
    assert set(content_words(about)) <= spoken


@settings(max_examples=60)
@given(WORDS, st.lists(WORDS, min_size=1, max_size=4))
def test_a_follow_up_keeps_its_words_or_takes_the_place_of_its_like(
    text: str, said: list[str]
) -> None:
    read = self_standing(text, turns(*said))
    assert read.strip()
    assert len(read) <= len(text) + sum(map(len, said)) + 20
    assert 0 <= in_context(text, turns(*said)).weight < 1
