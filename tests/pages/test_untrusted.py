"""The one door for outside text: whatever comes in, only text comes out."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.components.untrusted import el, label, marked, spans_of, text

_TAG = re.compile(r"<[^>]*>")


@given(st.text())
def test_any_text_comes_out_as_the_same_text(value: str) -> None:
    drawn = el("div", value, title=value).source

    assert html.unescape(_TAG.sub("", drawn)) == value
    assert _TAG.findall(drawn)[1:] == ["</div>"]


@given(st.text(), st.lists(st.tuples(st.integers(-5, 60), st.integers(-5, 60))))
def test_marks_never_lose_or_double_a_character(value: str, spans: list[tuple[int, int]]) -> None:
    assert html.unescape(_TAG.sub("", marked(value, spans).source)) == value


def test_marks_stand_where_the_quote_stands() -> None:
    value = "within 45 days of the purchase date"

    assert marked(value, spans_of(value, ["45 days"])).source == (
        'within <mark class="cs-mark">45 days</mark> of the purchase date'
    )


def test_a_quote_that_is_not_there_marks_nothing() -> None:
    assert spans_of("some text", ["other", ""]) == ()


@pytest.mark.parametrize(
    "address", ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_a_link_cannot_leave_this_server(address: str) -> None:
    with pytest.raises(ValueError, match="must stay on this server"):
        el("a", "x", href=address)


@pytest.mark.parametrize("tag", ["script", "img", "iframe", "style", "form"])
def test_only_harmless_elements_can_be_made(tag: str) -> None:
    with pytest.raises(ValueError, match="not among those"):
        el(tag, "x")


def test_only_harmless_attributes_can_be_made() -> None:
    with pytest.raises(ValueError, match="not among those"):
        el("div", "x", onclick="alert(1)")


@given(st.text())
def test_a_label_holds_no_sign_that_markdown_would_act_on(value: str) -> None:
    escaped = re.sub(r"\\[!-/:-@\[-`{-~]", "", label(value))

    assert not re.search(r"[!-/:-@\[-`{-~]", escaped)


def test_a_long_label_is_cut() -> None:
    assert label("x" * 200, 20) == "x" * 19 + "…"


def test_text_escapes_quotes_too() -> None:
    assert text("\"'<&").source == "&quot;&#x27;&lt;&amp;"
