"""Passages are exact spans, whole where they can be, and never cross a top section."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.models.source import Passage
from core.sources.chunk import MAX_TOKENS, chunk, context_of
from core.sources.measure import WordEstimate, size
from tests.sources.builders import a_version

SENTENCE = "A coat may be returned within thirty days when its tags are still on it. "
PIECES = st.lists(
    st.sampled_from(
        [
            "# Top\n\n",
            "## Part\n\n",
            "### Detail\n\n",
            SENTENCE,
            SENTENCE * 8,
            SENTENCE * 40,
            "\n\n",
            "- one\n- two\n\n",
            "".join(f"- item {n} {SENTENCE}\n" for n in range(30)) + "\n",
            "| a | b |\n|---|---|\n" + "| cell | other cell |\n" * 80 + "\n",
            "```\n" + "x = y + z\n" * 200 + "```\n\n",
            "大衣可以在购买后三十天内退货。" * 60 + "\n\n",
            "Consider this:\n\n",
            "word" * 500 + " ",
            "\n---\n",
            "Setext\n======\n",
            "1. first\n2) second\n",
        ]
    ),
    max_size=12,
).map("".join)


def cut(text: str, title: str = "Return policy") -> tuple[Passage, ...]:
    return chunk(a_version(text, title=title))


@given(text=PIECES)
@settings(deadline=None)
def test_every_passage_is_an_exact_span(text: str) -> None:
    for ordinal, passage in enumerate(cut(text)):
        assert passage.text == text[passage.char_start : passage.char_end]
        assert passage.text.strip() == passage.text != ""
        assert passage.ordinal == ordinal
        assert passage.chunk_id == f"returns-v1::{ordinal:04d}"


@given(text=PIECES)
@example(text="A coat may be returned with its tags on it. Setext\n======\n## Part\n\n")
@settings(deadline=None)
def test_no_word_is_lost_but_headings_and_rules(text: str) -> None:
    covered = [False] * len(text)
    for passage in cut(text):
        covered[passage.char_start : passage.char_end] = [True] * len(passage.text)
    left = "".join(" " if there else letter for there, letter in zip(covered, text, strict=True))
    words = {word for line in left.split("\n") if not line.startswith("#") for word in line.split()}
    assert words <= {"---", "Setext", "======"}


@given(text=PIECES)
@settings(deadline=None)
def test_every_passage_fits_the_encoder_unless_it_is_chinese(text: str) -> None:
    tokens = WordEstimate()
    for passage in cut(text):
        if "大" not in passage.text:
            assert tokens.count(f"{passage.context}\n{passage.text}") <= MAX_TOKENS + 8
        assert size(passage.text) <= 210


def test_headings_give_the_path_and_the_context() -> None:
    text = f"# Return policy\n\n## Holidays\n\n### Coats\n\n{SENTENCE * 4}"
    (passage,) = cut(text)
    assert passage.heading_path == ("Holidays", "Coats")
    assert passage.context == "Return policy › Holidays › Coats"
    assert passage.text == (SENTENCE * 4).strip()


def test_tiny_siblings_share_a_passage_but_top_sections_never_do() -> None:
    text = (
        "# Doc\n\n## Returns\n\n### Coats\n\n30 days.\n\n### Shoes\n\n60 days.\n\n"
        "## Cards\n\nNever expire.\n\n## Points\n\nExpire after a year.\n"
    )
    assert [(p.heading_path, p.text) for p in cut(text)] == [
        (("Doc", "Returns"), "### Coats\n\n30 days.\n\n### Shoes\n\n60 days."),
        (("Doc", "Cards"), "Never expire."),
        (("Doc", "Points"), "Expire after a year."),
    ]


def test_a_list_stays_whole_with_its_lead_in() -> None:
    items = "".join(f"- rule number {n} about coats\n" for n in range(12))
    passages = cut(f"{SENTENCE * 9}\n\nConsider the following:\n\n{items}")
    assert passages[-1].text == f"Consider the following:\n\n{items}".strip()


def test_rows_of_a_cut_table_carry_its_header() -> None:
    rows = "".join(f"| Tier {n} | {n * 10} points a month |\n" for n in range(60))
    passages = cut(f"| Tier | Points |\n|---|---|\n{rows}")
    assert len(passages) > 1
    assert all(passage.kind == "table" for passage in passages)
    assert passages[0].context == "Return policy"
    assert passages[1].context == "Return policy\n| Tier | Points |"
    assert passages[1].text.startswith("| Tier ")


def test_code_stays_whole_where_it_fits() -> None:
    code = "```\n" + "x = y\n" * 20 + "```"
    passages = cut(f"{SENTENCE * 10}\n\n{code}\n\n{SENTENCE * 10}")
    assert sum(code in passage.text for passage in passages) == 1


def test_only_a_cut_paragraph_repeats_a_sentence() -> None:
    numbered = " ".join(f"Sentence {n} says that coats come back in time." for n in range(60))
    first, second, *_ = cut(numbered)
    assert second.char_start < first.char_end
    assert numbered[second.char_start : first.char_end].count("Sentence") == 1
    apart = cut(f"{SENTENCE * 9}\n\n{SENTENCE * 9}")
    assert apart[0].char_end <= apart[1].char_start


def test_chinese_is_sized_by_characters() -> None:
    passages = cut("大衣可以在购买后三十天内退货，但清仓商品除外。" * 60, title="退货政策")
    assert {len(passage.text) > 150 for passage in passages[:-1]} == {True}
    assert max(len(passage.text) for passage in passages) < 400


@pytest.mark.parametrize("text", ["", "   \n ", "---\n***\n"])
def test_a_text_without_words_has_no_passages(text: str) -> None:
    assert [p.text for p in cut(text) if any(c.isalnum() for c in p.text)] == []


def test_a_heading_with_nothing_under_it_is_still_found() -> None:
    assert [p.text for p in cut("# Returns\n\n## Coats")] == ["## Coats"]
    assert [p.text for p in cut("## No returns\n\n## Coats\n\nCome back.")] == [
        "## No returns",
        "Come back.",
    ]


def test_a_context_is_never_longer_than_what_it_explains() -> None:
    assert len(context_of("title", ("word " * 100,)).split()) == 40


def test_a_passage_knows_its_pages() -> None:
    first, second = "Coats come back within 30 days.\n\n", f"# Shoes\n\n{SENTENCE * 30}"
    text = first + second
    middle = len(first) + len(second) // 2
    cut_pages = chunk(a_version(text, page_starts=(0, len(first), middle)))
    assert cut_pages[0].page_start == cut_pages[0].page_end == 1
    for passage in cut_pages:
        expected = [1 + (at >= len(first)) + (at >= middle) for at in _ends(passage)]
        assert [passage.page_start, passage.page_end] == expected
    assert {passage.page_start for passage in cut(text)} == {None}


def _ends(passage: Passage) -> tuple[int, int]:
    return passage.char_start, passage.char_end - 1


def test_copies_share_a_key_whatever_document_they_stand_in() -> None:
    (one,) = cut(f"# Returns\n\n{SENTENCE}", title="Returns")
    (other,) = cut(f"# Coats\n\n**{SENTENCE.strip()}**", title="Coats")
    assert one.text_key == other.text_key != ""
    assert one.text_key != cut(SENTENCE.replace("thirty", "sixty"))[0].text_key


def test_a_short_text_says_what_its_heading_makes_of_it() -> None:
    returns, exchanges = cut("## Returns\n\n30 days.\n\n## Exchanges\n\n30 days.")
    assert returns.text == exchanges.text
    assert returns.text_key != exchanges.text_key
