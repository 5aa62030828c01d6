"""Lines that say who says something, or of what, are written and read back alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.attributed import around, attribute, attributed, quoted_place
from core.text.cited import cited_sentences


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", ["source", "only", "thing"])
def test_a_line_is_read_back_as_it_was_written(kind: str, language: str) -> None:
    line = attribute(kind, "Returns, version 4.2", "You have 60 days.", language)  # type: ignore[arg-type]
    told = attributed(line)
    assert told is not None
    assert told == (kind, "Returns, version 4.2", "You have 60 days.")


def test_further_sources_are_counted_in_the_line() -> None:
    line = attribute("source", "d0", "There were 3,559 people.", "en", more=2)
    assert line == "According to “d0” and 2 more: “There were 3,559 people.”"
    assert attributed(line) == ("source", "d0", "There were 3,559 people.")


@pytest.mark.parametrize(
    "sentence",
    [
        "According to “d0”: you have 60 days.",
        "According to “d0”: “60 days” and 90 more.",
        "You have 60 days, says “d0”.",
        "About “d0”: “60 days.” We also pay double.",
    ],
)
def test_nothing_else_passes_for_such_a_line(sentence: str) -> None:
    assert attributed(sentence) is None


@given(
    st.text(alphabet="abc .!?“”\"'()0129", min_size=1, max_size=60).filter(str.strip),
    st.text(alphabet="abc ,“”\"'0129", min_size=1, max_size=30).filter(str.strip),
)
def test_no_quotation_breaks_out_of_its_line(quote: str, of: str) -> None:
    line = attribute("source", of, quote, "en")
    assert line.count("“") == line.count("”") == 2
    assert len(cited_sentences(f"- {line}\n").sentences) == 1


def test_a_long_quotation_is_cut_around_its_value_between_words() -> None:
    text = "word " * 80 + "there were 3,559 people " + "word " * 80
    cut = around(text, "3,559")
    assert "3,559" in cut
    assert cut.startswith("…")
    assert cut.endswith("…")
    assert len(cut) < 300
    place = quoted_place(cut, text)
    assert place is not None
    assert "3,559" in text[place[0] : place[1]]


def test_a_quotation_is_found_whatever_its_quotation_marks_and_blanks() -> None:
    passage = "He said “never\n mind” and left."
    assert quoted_place("said 'never mind' and", passage) is not None
    assert quoted_place("said 'always'", passage) is None
    assert quoted_place("…", passage) is None
