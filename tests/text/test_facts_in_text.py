"""Dates, identifiers, names, polarity, markers, factual sentences, personal data."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.dates import absolute_dates, find_dates
from core.text.factual import is_courtesy, is_factual
from core.text.identifiers import find_identifiers
from core.text.markers import is_inference, markers_in, strip_markers, with_markers
from core.text.names import find_names
from core.text.polarity import modality, negated, quantifiers
from core.text.redact import find_pii, redact_pii

_TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("in December 2024", date(2024, 12, 1), date(2024, 12, 31)),
        ("on 12 March 2025", date(2025, 3, 12), date(2025, 3, 12)),
        ("on March 12, 2025", date(2025, 3, 12), date(2025, 3, 12)),
        ("on 2024-12-05", date(2024, 12, 5), date(2024, 12, 5)),
        ("bought on 20 November", date(2026, 11, 20), date(2026, 11, 20)),
        ("in 2019 we", date(2019, 1, 1), date(2019, 12, 31)),
        ("last month", date(2026, 10, 1), date(2026, 10, 31)),
        ("last January", date(2026, 1, 1), date(2026, 1, 31)),
        ("yesterday", date(2026, 11, 29), date(2026, 11, 29)),
        ("two weeks ago", date(2026, 11, 16), date(2026, 11, 16)),
        ("2024年12月", date(2024, 12, 1), date(2024, 12, 31)),
        ("我12月5日买的", date(2026, 12, 5), date(2026, 12, 5)),
        ("去年", date(2025, 1, 1), date(2025, 12, 31)),
    ],
)
def test_a_named_day_is_an_interval(text: str, start: date, end: date) -> None:
    (found,) = find_dates(text, today=_TODAY)
    assert (found.start, found.end) == (start, end)


@pytest.mark.parametrize("text", ["on 31 February 2025", "may I ask", "2000 points", "99 May days"])
def test_what_is_no_day_is_none(text: str) -> None:
    assert find_dates(text, today=_TODAY) == ()


@given(st.text(max_size=150), st.dates())
def test_dates_never_raise_and_lie_in_order(text: str, today: date) -> None:
    for found in find_dates(text, today=today):
        assert found.start <= found.end
    for partial in absolute_dates(text):
        assert text[partial.start : partial.end] == partial.text


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Where is my order A-10293?", "order", "A-10293"),
        ("order number 48213 please", "order", "48213"),
        ("case 1042", "case", "1042"),
        ("see #1042", "case", "1042"),
        ("customer 88", "customer", "88"),
        ("C-0088 called", "customer", "C-0088"),
        ("Mail Ana.Ruiz@Example.com", "email", "ana.ruiz@example.com"),
        ("订单A-10122", "order", "A-10122"),
        ("案件1042", "case", "1042"),
    ],
)
def test_identifiers_are_canonical(text: str, kind: str, value: str) -> None:
    (found,) = find_identifiers(text)
    assert (found.kind, found.value) == (kind, value)


def test_plain_numbers_are_no_identifiers() -> None:
    assert find_identifiers("In case 5 people order 2 items for $75 within 30 days") == ()


def test_names_are_found_and_sentence_openers_are_not() -> None:
    assert find_names("Will you match Best Buy or FedEx? Returns go to HR.") == (
        "Best Buy",
        "FedEx",
        "HR",
    )


@pytest.mark.parametrize(
    ("text", "denies"),
    [
        ("Gift cards never expire.", True),
        ("You can't return it.", True),
        ("No later than 14 days.", False),
        ("It is not only cheap.", False),
        ("礼品卡不会过期", True),
        ("金额不超过500元", False),
        ("Gift cards expire.", False),
    ],
)
def test_negation_is_told_from_bounds(text: str, denies: bool) -> None:
    assert negated(text) is denies


def test_modality_and_quantifiers_are_named() -> None:
    assert modality("You must keep the receipt and may be asked for it") == {"must", "may"}
    assert "only" in quantifiers("Only some items")
    assert "some" in quantifiers("Only some items")


def test_markers_come_off_and_go_on_once() -> None:
    sentence = with_markers("It costs $5.", ["EVID-0001", "EVID-0002", "EVID-0001"])
    assert sentence == "It costs $5. [#EVID-0001] [#EVID-0002]"
    assert markers_in(sentence) == ("EVID-0001", "EVID-0002")
    assert strip_markers(sentence) == "It costs $5."
    assert with_markers(sentence, ["EVID-0002"]) == sentence


def test_inference_is_tagged_at_the_opening_only() -> None:
    assert is_inference("- [inference] So it should work.")
    assert is_inference("【AI推演，非原文数据】可能可以。")
    assert not is_inference("It works [inference].")


@pytest.mark.parametrize(
    ("sentence", "factual"),
    [
        ("You have 45 days to return it.", True),
        ("Thanks, refunds take 5 days.", True),
        ("Gift cards never expire.", True),
        ("礼品卡不会过期。", True),
        ("We do not have a store in Texas.", True),
        ("We check every parcel before it ships.", True),
        ("Thank you for your message, gift cards never expire.", True),
        ("感谢您的来信，礼品卡不会过期。", True),
        ("Please send us the order number and a photo.", False),
        ("We are sorry for the trouble and will get back to you.", False),
        ("We do not have a confirmed answer to your question yet.", False),
        ("Yes.", False),
        ("Hi Maya,", False),
        ("Thank you for your message.", False),
        ("Kind regards,", False),
        ("Could you send us the order number?", False),
        ("Please let us know if you have any questions.", False),
        ("We are checking this and will get back to you.", False),
        ("Here is what applies:", False),
        ("您好！", False),
        ("## Returns", False),
    ],
)
def test_only_claims_are_factual(sentence: str, factual: bool) -> None:
    assert is_factual(sentence) is factual


def test_a_courtesy_with_a_value_is_none() -> None:
    assert is_courtesy("Thank you for waiting.")
    assert not is_courtesy("Thanks, I waited 30 days.")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("card 4111 1111 1111 1111", "card"),
        ("IBAN GB82 WEST 1234 5698 7654 32", "iban"),
        ("SSN 219-09-9999", "ssn"),
        ("身份证11010519491231002X号", "cn_id"),
        ("write to a.b@example.org.", "email"),
        ("call +1 415-555-0132", "phone"),
        ("电话13812345678", "phone"),
        ("from 192.168.0.1", "ip"),
    ],
)
def test_personal_data_is_found_next_to_any_script(text: str, kind: str) -> None:
    (found,) = find_pii(text)
    assert found.kind == kind
    assert text[found.start : found.end] == found.text


@pytest.mark.parametrize(
    "text",
    [
        "card 4111 1111 1111 1112",
        "order A-10293",
        "2026-11-30",
        "version 1.2.3",
        "14:00–18:00",
        "$1,150.00",
    ],
)
def test_lookalikes_are_left_alone(text: str) -> None:
    assert find_pii(text) == ()


def test_redaction_keeps_the_last_four_digits_and_what_may_stay() -> None:
    text, gone = redact_pii(
        "Pay 4111111111111111, write to help@shop.example or me@x.org",
        keep=frozenset({"help@shop.example"}),
    )
    assert text == "Pay [card ending 1111], write to help@shop.example or [email removed]"
    assert [m.kind for m in gone] == ["card", "email"]


@given(st.text(max_size=200))
def test_redaction_never_raises_and_leaves_nothing_behind(text: str) -> None:
    masked, _ = redact_pii(text)
    assert find_pii(masked) == ()


@given(st.text(max_size=200))
def test_small_readers_take_any_text(text: str) -> None:
    find_identifiers(text)
    find_names(text)
    is_factual(text)
    assert strip_markers(strip_markers(text)) is not None
