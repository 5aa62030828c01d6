"""The difference of two versions loses nothing, whatever they hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.knowledge.diff import version_diff

texts = st.lists(
    st.sampled_from(["Returns in 30 days.\n", "三十天内退货。\n", "a b\r\n", "\n", "x"])
)


@given(texts, texts)
def test_a_difference_gives_both_texts_back(one: list[str], two: list[str]) -> None:
    before, after = "".join(one), "".join(two)
    parts = version_diff(before, after)
    assert "".join(text for kind, text in parts if kind != "added") == before
    assert "".join(text for kind, text in parts if kind != "removed") == after


def test_a_very_long_changed_stretch_is_shown_whole() -> None:
    before, after = "old words " * 1000, "new words " * 1000
    assert version_diff(before, after) == (("removed", before), ("added", after))
