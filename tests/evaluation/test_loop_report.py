"""The joint report: aims met or missed, shares and counts as people read them."""

from __future__ import annotations

import pytest

from core.evaluation.loop_report import LoopFigure, LoopReport, LoopSection


@pytest.mark.parametrize(
    ("value", "aim", "direction", "met"),
    [
        (0.70, 0.70, "≥", True),
        (0.69, 0.70, "≥", False),
        (5.0, 5.0, "≤", True),
        (5.1, 5.0, "≤", False),
        (3.0, 3.0, "<", False),
        (2.9, 3.0, "<", True),
        (None, 1.0, "≥", False),
        (0.5, None, "≥", None),
    ],
)
def test_an_aim_is_met_on_its_own_side_and_nothing_measured_is_a_miss(
    value: float | None, aim: float | None, direction: str, met: bool | None
) -> None:
    figure = LoopFigure.model_validate(
        {"name": "x", "value": value, "aim": aim, "direction": direction}
    )
    assert figure.met is met


def test_values_are_written_by_their_unit() -> None:
    def shown(value: float | None, unit: str) -> str:
        return LoopFigure.model_validate({"name": "x", "value": value, "unit": unit}).shown(value)

    assert shown(0.705, "share") == "70.5 %"
    assert shown(4.25, "points") == "4.2"
    assert shown(2_980.0, "ms") == "2,980 ms"
    assert shown(2.0, "count") == "2"
    assert shown(None, "share") == "–"


def a_report() -> LoopReport:
    return LoopReport(
        sections=(
            LoopSection(
                name="ramdocs",
                figures=(
                    LoopFigure(name="good", value=0.75, aim=0.7, n=500),
                    LoopFigure(
                        name="exact match", value=0.4, n=500, published=0.326, published_by="70B"
                    ),
                ),
                text="outcomes",
                seconds=12.0,
            ),
            LoopSection(name="time", figures=(LoopFigure(name="pure", value=0.9, aim=1.0, n=10),)),
            LoopSection(name="refusals", skipped="tau_policies is not in /data"),
        ),
        date="2026-11-30",
        quick=True,
    )


def test_aims_come_first_then_what_is_only_reported_beside_what_others_published() -> None:
    text = a_report().table()
    assert "aims: 1 of 2 met" in text
    assert "≥ 70.0 %, met" in text
    assert "≥ 100.0 %, missed" in text
    assert "32.6 % (70B)" in text
    assert text.index("ramdocs: good") < text.index("ramdocs: exact match")
    assert "-- ramdocs (12 s)\noutcomes" in text


def test_a_skipped_set_says_why_and_a_sample_is_called_one() -> None:
    text = a_report().table()
    assert "skipped: refusals: tau_policies is not in /data" in text
    assert "a sample of each set" in text


def test_the_report_goes_through_json() -> None:
    report = a_report()
    assert LoopReport.model_validate_json(report.model_dump_json()) == report
