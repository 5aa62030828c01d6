"""Passages are exact spans, whole where they can be, and never cross a top section."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.adapters.onnx_folder import WEIGHTS_PACKAGE
from core.adapters.token_counter import BundledTokenCounter
from core.models.source import Passage
from core.sources.chunk import (
    MAX_TOKENS,
    MAX_WORDS,
    TARGET_WORDS,
    WHOLE_WORDS,
    chunk,
    context_of,
)
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
@settings(deadline=None, max_examples=60)
def test_every_passage_is_an_exact_span(text: str) -> None:
    for ordinal, passage in enumerate(cut(text)):
        assert passage.text == text[passage.char_start : passage.char_end]
        assert passage.text.strip() == passage.text != ""
        assert passage.ordinal == ordinal
        assert passage.chunk_id == f"returns-v1::{ordinal:04d}"


@given(text=PIECES)
@example(text="A coat may be returned with its tags on it. Setext\n======\n## Part\n\n")
@settings(deadline=None, max_examples=60)
def test_no_word_is_lost_but_headings_and_rules(text: str) -> None:
    covered = [False] * len(text)
    for passage in cut(text):
        covered[passage.char_start : passage.char_end] = [True] * len(passage.text)
    left = "".join(" " if there else letter for there, letter in zip(covered, text, strict=True))
    words = {word for line in left.split("\n") if not line.startswith("#") for word in line.split()}
    assert words <= {"---", "Setext", "======"}


@given(text=PIECES)
@settings(deadline=None, max_examples=60)
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


def test_a_short_section_stays_whole_and_a_long_one_is_cut_near_the_wanted_length() -> None:
    paragraph = SENTENCE * 2 + "\n\n"
    (short,) = cut(SENTENCE * 7)
    assert TARGET_WORDS < size(short.text) <= WHOLE_WORDS
    long = [size(passage.text) for passage in cut(paragraph * 12)]
    assert sum(long) == size(paragraph * 12)
    assert all(TARGET_WORDS * 0.6 <= words <= WHOLE_WORDS for words in long)


def test_what_must_not_be_parted_may_be_longer() -> None:
    rule = f"{SENTENCE * 6}\n\nHowever, {SENTENCE * 3}"
    (passage,) = cut(rule)
    assert WHOLE_WORDS < size(passage.text) <= MAX_WORDS


def test_a_tiny_section_joins_no_neighbour_that_is_long_enough() -> None:
    long = "### Coats\n\n" + f"{SENTENCE * 2}\n\n" * 3
    passages = cut(f"# Doc\n\n## Returns\n\n{long}### Shoes\n\n{SENTENCE}\n")
    assert [passage.heading_path[-1] for passage in passages] == ["Coats", "Shoes"]


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
    lengths = [size(passage.text) for passage in passages[:-1]]
    assert min(lengths) > WHOLE_WORDS  # longer than English: words alone find them


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


@given(text=PIECES, breaks=st.lists(st.integers(0, 400), max_size=6))
@settings(deadline=None, max_examples=60)
def test_pages_rise_with_the_text_and_hold_what_stands_on_them(
    text: str, breaks: list[int]
) -> None:
    starts = (0, *sorted(min(at, len(text)) for at in breaks))
    for passage in chunk(a_version(text, page_starts=starts)):
        first, last = passage.page_start or 0, passage.page_end or 0
        assert 1 <= first <= last <= len(starts)
        assert starts[first - 1] <= passage.char_start
        assert passage.char_end <= ([*starts[1:], len(text)])[last - 1]


FILLER = "Our team is glad to help you with any question about this in every store we have. "


def in_one_passage(passages: tuple[Passage, ...], *texts: str) -> bool:
    return any(all(text in passage.text for text in texts) for passage in passages)


@pytest.mark.parametrize("sentences", [5, 7, 8, 9, 10, 13])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Coats may be returned within 30 days.", "Except for Final Sale, which stays sold."),
        ("Members ship free of charge.", "However, parcels over 20 kg cost $15."),
        ("Gift cards never expire.", "Unless the law says so, they are not refunded."),
        ("Can I return a worn coat?", "A: No, worn coats stay sold."),
        ("You can return items that are:", "unworn and with their tags."),
    ],
)
@pytest.mark.parametrize("gap", [" ", "\n\n"])
def test_a_rule_and_its_exception_are_not_parted(
    one: str, other: str, gap: str, sentences: int
) -> None:
    text = f"{FILLER * sentences}{one}{gap}{other} {FILLER * 9}"
    passages = cut(text)
    assert len(passages) > 1
    assert in_one_passage(passages, one, other)


def test_a_chinese_rule_keeps_its_exception() -> None:
    rule, exception = "大衣可以在三十天内退货。", "但清仓商品除外，不接受退货。"
    filler = "我们的客服团队很乐意在每一家门店为您提供帮助。"
    for sentences in (9, 11, 12, 13, 20):
        passages = cut(filler * sentences + rule + exception + filler * 15, title="退货政策")
        assert len(passages) > 1
        assert in_one_passage(passages, rule, exception)


@pytest.mark.parametrize(
    "question",
    ["Q: May I return a coat?\nA: ", "**May I return a coat?**\n\n", "问：可以退大衣吗？\n答："],
)
def test_a_question_keeps_its_answer(question: str) -> None:
    answer = "Yes, within 30 days of delivery."
    for sentences in (6, 8, 9, 10):
        passages = cut(f"{FILLER * sentences}\n\n{question}{answer}\n\n{FILLER * 8}")
        assert in_one_passage(passages, question.strip(), answer)


def test_a_long_answer_is_said_to_answer_its_question() -> None:
    text = f"What happens to my points?\n\n{FILLER * 30}"
    first, *rest = cut(text)
    assert first.text.startswith("What happens")
    assert rest
    assert all(p.context.endswith("What happens to my points?") for p in rest)


@pytest.mark.parametrize(
    ("text", "term"),
    [
        (f"Final Sale: {FILLER * 30}", "Final Sale"),
        (f"**Final Sale** means the following. {FILLER * 30}", "Final Sale"),
        (f"Final Sale\n\n{FILLER * 30}", "Final Sale"),
        (f"Clearance: sold.\nFinal Sale: {FILLER * 30}", "Final Sale"),
        (f"- **Final Sale**: {FILLER * 30}\n- Clearance: the rest.", "Final Sale"),
    ],
)
def test_a_long_definition_keeps_its_term(text: str, term: str) -> None:
    first, second, *_ = cut(text)
    assert term in first.text
    assert second.context == f"Return policy\n{term}"


def test_terms_and_definitions_of_a_page_stay_together() -> None:
    pairs = "".join(f"Term {n}\nIt means thing {n} and {FILLER}\n" for n in range(20))
    for passage in cut(pairs):
        lines = passage.text.split("\n")
        assert lines[0].startswith("Term")
        assert not lines[-1].startswith("Term")


def test_the_rest_of_a_list_is_said_to_be_that_list() -> None:
    items = "".join(f"- an item of kind {n}, {FILLER.strip()}\n" for n in range(30))
    first, *rest = cut(f"You can return items that are:\n\n{items}")
    assert first.text.startswith("You can return items that are:\n\n- an item of kind 0")
    assert rest
    assert all(p.context.endswith("\nYou can return items that are:") for p in rest)
    assert all(p.text.startswith("- an item") for p in rest)


def test_an_item_under_another_one_is_said_to_be_under_it() -> None:
    items = "".join(f"  - detail {n}, {FILLER.strip()}\n" for n in range(20))
    _, second, *_ = cut(f"Returns are free for:\n- Members of our programme\n{items}")
    assert second.context == ("Return policy\nReturns are free for: › Members of our programme")


def test_rows_of_a_cut_table_keep_what_announces_it() -> None:
    rows = "".join(f"| Tier {n} | {n * 10} points a month |\n" for n in range(60))
    first, second, *_ = cut(f"What each tier earns:\n\n| Tier | Points |\n|---|---|\n{rows}")
    assert first.text.startswith("What each tier earns:\n\n| Tier | Points |\n|---|---|\n| Tier 0")
    assert second.context == "Return policy\nWhat each tier earns:\n| Tier | Points |"


def test_a_row_wider_than_a_passage_names_its_columns_and_itself() -> None:
    names = " | ".join(f"Column{n}" for n in range(40))
    values = " | ".join(f"value {n} of some more words here" for n in range(40))
    table = f"| Product | {names} |\n|{' --- |' * 41}\n| Coat | {values} |\n"
    passages = cut(table)
    assert "".join(table.split()) == "".join("".join(p.text for p in passages).split())
    later = [p for p in passages if p.text.startswith("| value")]
    assert later
    for passage in later:
        number = passage.text.split()[2]
        _, name, columns = passage.context.split("\n")
        assert name == "Coat"
        assert columns.startswith(f"Column{number}")


def test_a_table_without_a_header_has_none_in_its_context() -> None:
    for opening in ("", "|  |  |\n|---|---|\n"):
        rows = "".join(f"| Tier {n} | {n * 10} points a month |\n" for n in range(60))
        assert {p.context for p in cut(opening + rows)} == {"Return policy"}


def test_what_is_cut_is_cut_evenly() -> None:
    for sentences in range(11, 40):
        sizes = [size(passage.text) for passage in cut(FILLER * sentences)]
        assert min(sizes) > 60, sizes


def test_where_a_link_leads_is_no_passage() -> None:
    text = (
        f"[support]: https://a.example/help\n[up]: /up\n\n{SENTENCE.strip()}\n\n[Note]: keep tags."
    )
    (passage,) = cut(text)
    assert passage.text == f"{SENTENCE.strip()}\n\n[Note]: keep tags."


def test_code_is_cut_at_an_empty_line_if_at_all() -> None:
    part = "".join(f"line_{n} = compute(value, {n})\n" for n in range(12))
    code = f"```\n{part}\n{part}\n{part}\n{part}```"
    passages = cut(code)
    assert len(passages) > 1
    assert all(passage.text.startswith(("```", "line_0")) for passage in passages)


def test_a_line_without_end_is_cut_and_kept_whole() -> None:
    for text in ("x" * 9_000, "x y" * 4_000, "大" * 4_000, "<a>" * 4_000, "|" * 5_000):
        passages = cut(text)
        joined = "".join(passage.text for passage in passages)
        assert "".join(joined.split()) == "".join(text.split())


def test_steps_with_options_under_them_stay_steps() -> None:
    step = "[Step {n}] Ask the customer which of the following ways suits them best\n"
    option = "  - way {n} of several, {filler}\n"
    text = "".join(
        step.format(n=n) + "".join(option.format(n=m, filler=FILLER.strip()) for m in range(3))
        for n in range(6)
    )
    passages = cut(text)
    assert len(passages) > 1
    assert all(passage.text.startswith("[Step") for passage in passages)


@cache
def real_counter() -> BundledTokenCounter:
    return BundledTokenCounter()


@given(text=PIECES)
@settings(deadline=None, max_examples=30)
def test_the_encoder_reads_the_whole_of_every_passage(text: str) -> None:
    pytest.importorskip(WEIGHTS_PACKAGE, reason="the encoder's weights are not installed")
    counter = real_counter()
    for passage in chunk(a_version(text, title="Return policy"), counter):
        if "大" not in passage.text:
            assert counter.count(f"{passage.context}\n{passage.text}") <= MAX_TOKENS
