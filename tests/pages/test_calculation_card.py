"""A calculation on the desk: its steps, its inputs under their sources, and what is not known."""

from __future__ import annotations

from core.models.action import CalculationStep
from core.models.calculation import Calculation, CalculationInput
from core.models.evidence import EvidencePackage
from core.review.views import EvidenceCard
from pages.components.calculation import calculation_body
from tests.fakes.fake_desk import a_desk
from tests.pages.builders import HOSTILE
from tests.pages.reading import open_page, words_of
from tests.pages.run_builders import a_run
from tests.pages.view_builders import a_view

KEY = "records:orders/A-10224"


def _page(desk: object) -> None:
    from pages.reply_desk import page

    page.render(desk)  # type: ignore[arg-type]


def _worked(item: str = "leather handbag") -> Calculation:
    return Calculation(
        title="Refund for order A-10224 as an ordinary return",
        inputs=(
            CalculationInput(
                label="Items",
                value=f"1 x {item} @ 124.00",
                source=KEY,
                source_title="Order A-10224",
            ),
            CalculationInput(
                label="Rule",
                value="Shipping is not refunded.",
                source="returns-4.2::0005",
                source_title="Returns policy",
            ),
        ),
        steps=(
            CalculationStep(
                label="Items returned", expression=f"1 × $124.00 ({item})", result="$124.00"
            ),
            CalculationStep(label="Refund", expression="$124.00", result="$124.00"),
        ),
        result="$124.00",
        rounding="Amounts are exact to the cent.",
        unknown=("Their condition is not known.",),
    )


def _card(worked: Calculation) -> EvidenceCard:
    return EvidenceCard(
        label="R1",
        evidence_id="EVID-0002",
        chunk_id="calculation:refund/A-10224",
        document_id="calculation:refund/A-10224",
        source_id="calculation:refund",
        title="Calculation: refund for order A-10224",
        section="",
        text="The refund for order A-10224 comes to $124.00.",
        quotes=(),
        trust=("worked out here",),
        is_record=True,
        calculation=worked,
    )


def test_the_card_of_a_calculation_shows_its_steps_inputs_and_what_is_open() -> None:
    desk = a_desk()
    desk.views["1042"] = a_view(evidence=(_card(_worked()),))
    words = words_of(open_page(_page, desk, case="1042"))
    for shown in (
        "Items returned",
        "1 × $124.00 (leather handbag)",
        "Order A-10224",
        KEY,
        "“Shipping is not refunded.”",
        "returns-4.2::0005",
        "Their condition is not known.",
        "worked out here",
    ):
        assert shown in words


def test_a_card_without_a_calculation_shows_none() -> None:
    assert "What went in" not in words_of(open_page(_page, a_desk(), case="1042"))


def test_what_a_record_holds_is_shown_as_text_whatever_it_says() -> None:
    drawn = calculation_body(_worked(HOSTILE)).source
    assert "<img" not in drawn
    assert "&lt;img" in drawn


def test_what_could_not_be_read_stands_above_the_evidence() -> None:
    desk, run = a_desk(), a_run()
    package = run.package or EvidencePackage(request_id="r", query="q")
    why = "could not be read: The records database did not answer within 5 s."
    unread = package.model_copy(update={"unread": {"A-10293": why}})
    desk.views["1042"] = a_view(run=run.model_copy(update={"package": unread}))
    words = words_of(open_page(_page, desk, case="1042"))
    assert "A-10293 could not be read: The records database did not answer within 5 s." in words
