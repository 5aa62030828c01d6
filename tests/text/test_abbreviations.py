"""Names that a text explains itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.abbreviations import glossary_lines, heading_names, is_glossary, other_names


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        (
            "Ask for a Return Merchandise Authorisation (RMA) first.",
            ("Return Merchandise Authorisation", "RMA"),
        ),
        (
            "The return merchandise authorisation (“RMA”) is valid for 14 days.",
            ("return merchandise authorisation", "RMA"),
        ),
        (
            "An RMA (return merchandise authorisation) is free.",
            ("return merchandise authorisation", "RMA"),
        ),
        (
            "the Department of Consumer Affairs (DCA) decides",
            ("Department of Consumer Affairs", "DCA"),
        ),
        (
            "Gift cards, also called gift certificates, never expire.",
            ("Gift cards", "gift certificates"),
        ),
        ("Use the locker (also known as a pickup box).", ("locker", "pickup box")),
        ("退货授权（以下简称“退授”）有效期为14天。", ("退货授权", "退授")),
        ("请先申请退货授权（RMA）。", ("退货授权", "RMA")),
        ("会员积分（简称积分）每年清零。", ("会员积分", "积分")),
        ("自提柜又称快递柜，全天开放。", ("自提柜", "快递柜")),
        ("消费者权益保护法（消保法）适用。", ("消费者权益保护法", "消保法")),
    ],
)
def test_a_name_explained_in_passing_is_learnt(text: str, pair: tuple[str, str]) -> None:
    assert other_names(text) == (pair,)


@pytest.mark.parametrize(
    "text",
    [
        "Orders over $75 (free shipping) leave within a day.",
        "We ship to Canada (CA) on Mondays.",
        "See the table below (Table 3).",
        "Refunds take five days (PayPal).",
        "The coat (Black) is sold out.",
        "退货须在30天内（含当天）完成。",
        "运费为10元（偏远地区除外）。",
    ],
)
def test_a_mere_remark_in_brackets_is_no_name(text: str) -> None:
    assert other_names(text) == ()


@pytest.mark.parametrize(
    ("heading", "pairs"),
    [
        ("Returns / send-backs", (("Returns", "send-backs"),)),
        ("Store pickup (click and collect)", (("Store pickup", "click and collect"),)),
        ("Step / steps", ()),
        ("Fees (see note)", ()),
        ("Returns", ()),
    ],
)
def test_a_heading_may_give_two_names(heading: str, pairs: tuple[tuple[str, str], ...]) -> None:
    assert heading_names(heading) == pairs


def test_a_glossary_says_one_thing_a_line() -> None:
    text = (
        "# Glossary\n\nOur words.\n\n- **RMA** = Return Merchandise Authorisation = return slip\n"
        "退授 = 退货授权\nlone =\n"
    )
    assert glossary_lines(text) == (
        ("RMA", "Return Merchandise Authorisation", "return slip"),
        ("退授", "退货授权"),
    )


def test_a_document_is_a_glossary_by_its_title() -> None:
    assert is_glossary("Company glossary 2.0")
    assert is_glossary("客服术语表")
    assert not is_glossary("Glossaries of old")


@given(st.text(alphabet="abc RMA(),“”（）简称又称退货授权.,=\n", max_size=120))
def test_any_text_yields_names_that_stand_in_it(text: str) -> None:
    for long, other in other_names(text):
        assert "".join(long.split()) in "".join(text.split())
        assert other in text
        assert long != other
