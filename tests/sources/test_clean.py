"""Cleaning takes out what a reader would not see, keeps the rest, and keeps the way back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadSource
from core.sources.clean import Cleaned, clean_markdown, clean_plain, to_original
from core.sources.clean_html import read_page, refuse_broken

FRAGMENTS = st.lists(
    st.sampled_from(
        [
            "Refunds take 5 days. ",
            "退货需要七天。",
            "\r\n",
            "\n\n\n\n",
            "\u00a0",
            "\u200b",
            "\t",
            "**bold** ",
            "*soft* ",
            "`code <b>x</b>` ",
            "```\nraw  **x**\n```\n",
            "<!-- hush -->",
            "<span hidden>secret</span>",
            "[terms](../terms.md) ",
            "| a  | b |\n|---|---|\n",
            "&nbsp;",
            "&amp;",
            "# Title\n",
            "- item\n",
            "{/* note */}",
            "<Admonition>",
            "😀 ",
            "a < b ",
            "2 * 3 * 4 ",
            "snake_case_name ",
            "\u202e",
            "\U000e0041",
            "   \n",
        ]
    ),
    max_size=30,
).map("".join)
MADE_UP = set(" \n#-|`.1&")


def anchored(cleaned: Cleaned, original: str) -> None:
    """Every character leads to itself in the original, or to where it was made from."""
    for offset, character in enumerate(cleaned.text):
        there = original[to_original(cleaned.span_map, offset)]
        assert there == character or character in MADE_UP or there in "&<\u00a0\r\t", (
            offset,
            character,
            there,
        )


@given(text=FRAGMENTS)
def test_every_character_of_markdown_leads_back_to_itself(text: str) -> None:
    anchored(clean_markdown(text), text)


@given(text=st.text(max_size=200))
def test_every_character_of_any_text_leads_back_to_itself(text: str) -> None:
    anchored(clean_plain(text), text)


@given(text=FRAGMENTS)
def test_offsets_never_run_backwards(text: str) -> None:
    cleaned = clean_markdown(text)
    places = [to_original(cleaned.span_map, n) for n in range(len(cleaned.text))]
    assert places == sorted(places)


@given(text=FRAGMENTS)
def test_cleaning_twice_changes_nothing_more_in_plain_text(text: str) -> None:
    once = clean_plain(text).text
    assert clean_plain(once).text == once


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("30\u00a0days\u3000later", "30 days later"),
        ("re\u200bfund\ufeff\u00ad", "refund"),
        ("pay\u202edrawkcab", "paydrawkcab"),
        ("one\n\n\n\n\ntwo   \n", "one\n\ntwo"),
        ("keep\ttabs", "keep\ttabs"),
        ("nul\0byte", "nulbyte"),
    ],
)
def test_spacing_and_invisible_characters_are_put_right(written: str, read: str) -> None:
    assert clean_plain(written).text == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("See the [terms](../terms.md) first.", "See the terms first."),
        ("Write to [us](mailto:help@a.com).", "Write to us (help@a.com)."),
        ("Write to [help@a.com](mailto:help@a.com).", "Write to help@a.com."),
        ("![a chart](http://tracker/x?q=1) shows", "a chart shows"),
        ("**Final Sale** is *never* __returned__", "Final Sale is never returned"),
        ("our products* differ, 2 * 3 * 4, a_b_c", "our products* differ, 2 * 3 * 4, a_b_c"),
        ("a < b and b > c, i<3", "a < b and b > c, i<3"),
        ("say `<b>` or `**x**` as is", "say `<b>` or `**x**` as is"),
        ("Tom&nbsp;&amp; Jerry &copy; R&D", "Tom & Jerry © R&D"),
        ("line<br/>break <span style='color:red'>red</span>", "linebreak red"),
        ("array<String> and <user id> stay", "array<String> and <user id> stay"),
        ("| a    | b  |\n|------|----|\n| 1 | 2 |", "| a | b |\n|-|-|\n| 1 | 2 |"),
    ],
)
def test_markup_goes_and_words_stay(written: str, read: str) -> None:
    assert clean_markdown(written).text == read


def test_mdx_plumbing_goes_and_code_stays() -> None:
    text = (
        "import { Tabs } from 'ui'\nexport const x = 1\n\n"
        '<Admonition type="note" label={<b>Hi</b>}>\n\nKeep this.\n\n</Admonition>\n'
        '<$Partial path="limits.mdx" />\n{/* lint-disable */}\n'
        "```js\nimport { a } from 'b'\n<Tabs>{/* kept */}</Tabs>\n```\n"
    )
    assert clean_markdown(text).text == (
        "Keep this.\n\n```js\nimport { a } from 'b'\n<Tabs>{/* kept */}</Tabs>\n```"
    )


def test_prose_that_begins_like_an_import_stays() -> None:
    assert clean_markdown("import duties from 2025 on apply").text.startswith("import duties")


@pytest.mark.parametrize(
    "hidden",
    [
        "<!-- SECRET -->",
        "<!-- with `code` SECRET -->",
        "<!-- never closed SECRET",
        "<div hidden>SECRET</div>",
        '<div style="display: none">SECRET <div>SECRET</div> SECRET</div>',
        '<span style="font-size:0px">SECRET</span>',
        '<p style="color:#fff">SECRET</p>',
        '<span aria-hidden="true">SECRET</span>',
        '<span class="sr-only">SECRET</span>',
        "<script>SECRET</script>",
        "<style>SECRET</style>",
        '<div style="visibility:hidden">SECRET',
    ],
)
def test_what_a_reader_would_not_see_is_not_read(hidden: str) -> None:
    for text in (f"Refunds take 5 days.\n\n{hidden}", f"Refunds take 5 days. {hidden}"):
        assert clean_markdown(text).text == "Refunds take 5 days."
        assert "SECRET" not in read_page(f"<p>Refunds take 5 days.</p>{hidden}").cleaned.text


def test_dropping_something_hidden_is_said() -> None:
    assert "comments were dropped" in clean_markdown("a <!-- b --> c").warnings
    assert "hidden elements were dropped" in clean_markdown("a <b hidden>b</b> c").warnings
    assert "hidden elements were dropped" in read_page("a <b hidden>b</b> c").cleaned.warnings
    smuggled = "a" + "".join(chr(0xE0000 + ord(letter)) for letter in "obey") + "b"
    cleaned = clean_plain(smuggled)
    assert cleaned.text == "ab"
    assert cleaned.warnings == ("invisible characters in runs were dropped",)
    assert clean_plain("plain").warnings == ()


def test_white_text_on_a_coloured_ground_can_be_read() -> None:
    page = '<div style="background:#036"><p style="color:white">Sale</p></div>'
    assert read_page(page).cleaned.text == "Sale"


def test_rules_of_a_style_sheet_hide_too() -> None:
    page = "<style>.x, #y {display:none}</style><p class='x'>SECRET</p><p id=y>SECRET</p><p>Open"
    assert read_page(page).cleaned.text == "Open"


def test_a_page_reads_as_headings_lists_tables_and_code() -> None:
    page = (
        "<html><head><title>Returns &amp; refunds</title></head><body><nav>Home</nav>"
        "<h1>Returns</h1><p>Within <b>30</b>\n days.<p>Or&nbsp;not."
        "<ul><li>Coats<li>Shoes<ul><li>Boots</li></ul></ul>"
        "<table><tr><th>Tier</th><th>Fee</th></tr><tr><td>Gold</td><td>$0</td></tr></table>"
        "<pre>a  b\n c</pre><script>x()</script></body></html>"
    )
    read = read_page(page)
    assert read.title == "Returns & refunds"
    assert read.cleaned.text == (
        "# Returns\n\nWithin 30 days.\n\nOr not.\n\n- Coats\n- Shoes\n  - Boots\n\n"
        "| Tier | Fee |\n| --- | --- |\n| Gold | $0 |\n\n```\na  b\n c\n```"
    )


def test_an_unclosed_hidden_paragraph_ends_where_the_next_one_starts() -> None:
    assert read_page("<p hidden>SECRET<p>Open").cleaned.text == "Open"


@given(
    text=st.lists(
        st.sampled_from(
            [
                "<p>",
                "</p>",
                "<div hidden>",
                "</div>",
                "text ",
                "&amp;",
                "&#20;",
                "<b",
                ">",
                "<!--",
                "-->",
                "<ul><li>",
                "</ul>",
                "<td>",
                "</tr>",
                "<pre>",
                "\n",
                "  ",
                "<!",
                "退货",
                "</",
            ]
        ),
        max_size=25,
    ).map("".join)
)
def test_broken_pages_are_read_all_the_same(text: str) -> None:
    anchored(read_page(text).cleaned, text)


@pytest.mark.parametrize(
    "mark",
    ["[a](", "*a", "**a ", "`a ", "`", "<a ", "<!--", "{/*", "<div hidden>", "| ", " ", "\n"],
)
def test_endless_marks_are_read_in_reasonable_work(mark: str) -> None:
    """Each of these once took time that grew with the square of the length."""
    text = f"Start {mark * 20_000}x"
    assert clean_markdown(text).text.startswith("Start")
    assert clean_plain(text).text.startswith("Start")


def test_pages_of_endless_open_tags_are_refused() -> None:
    with pytest.raises(BadSource, match="never closed"):
        refuse_broken("page.html", "<a " * 3_000)
    refuse_broken("page.html", "<p>1 < 2</p>" * 500)


def test_a_page_of_endless_depth_is_read_in_reasonable_work() -> None:
    """Work that grew with the square of the depth would take hours here."""
    depth = 200_000
    page = "<div>" * depth + "<p>Coats can be returned.</p>" + "</i></div>" * depth
    assert read_page(page).cleaned.text.strip() == "Coats can be returned."
