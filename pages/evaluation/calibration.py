"""How far the gate's probabilities can be taken at their word, question by question."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.errors import CountersignError
from core.evaluation.calibration_view import (
    QUESTIONS,
    CalibrationReport,
    QuestionCalibration,
    SetCalibration,
)
from pages.components import gate_words
from pages.components.cards import table, tag
from pages.components.notices import show_error
from pages.components.untrusted import Html, Piece, el, show
from pages.shell.office_evaluation import EvaluationDesk

_GOOD = 0.05
_POINT, _SHARE = "#3d84c6", "#8b979b"
_LANGUAGES = {"en": "English", "zh": "Chinese"}


def draw(desk: EvaluationDesk) -> None:
    """The figures shipped with the model, and those of the last bench where there are any."""
    try:
        reports = desk.gate.calibration()
    except CountersignError as error:
        show_error(error)
        return
    if not reports:
        _empty()
        return
    report = reports[0]
    if len(reports) > 1:
        names = [r.origin for r in reports]
        chosen = st.segmented_control("Figures of", names, default=names[0], key="calibration-of")
        report = next((r for r in reports if r.origin == chosen), report)
    show(_head(report))
    places = st.columns(2, gap="large")
    for number, question in enumerate(QUESTIONS):
        with places[number % 2]:
            _question(question, report.questions.get(question))


def _empty() -> None:
    show(
        el(
            "div",
            el("div", "No calibration is kept with this gate", cls="big"),
            el(
                "div",
                "Its probabilities rank passages, but nothing here says how often 0.8 means eight "
                "in ten. Run “make bench”, or install a model that ships its figures.",
            ),
            cls="cs-empty",
        )
    )


def _head(report: CalibrationReport) -> Html:
    return el(
        "div",
        tag(report.model) if report.model else None,
        tag(f"version {report.version}") if report.version else None,
        el(
            "div",
            "On labelled pairs the model never learned from. A point on the diagonal means what it "
            "says: of the pairs given 0.8, eight in ten are so. The bars show how many pairs fall "
            "where; the lines are 95 % intervals.",
            cls="cs-soft",
        ),
        cls="cs-gap",
    )


def _question(question: str, found: QuestionCalibration | None) -> None:
    name = gate_words.CAUSES[question]
    with st.container(key=f"card-calibration-{question}"):
        show(el("div", name[:1].upper() + name[1:], cls="cs-src"))
        if found is None or not found.rows:
            show(el("div", "Not measured.", cls="cs-soft"))
            return
        show(_verdict(found))
        if any(b.count for b in found.bins):
            st.vega_lite_chart(
                _spec(found),
                key=f"reliability-{question}",
                alt=f"Reliability of “{name}”: claimed probability against how often it was so. "
                "The table below holds the same numbers.",
            )
        with st.expander("The diagram as a table"):
            show(_bins(found))
        show(_sets(found))


def _verdict(found: QuestionCalibration) -> Html:
    good = found.ece <= _GOOD
    return el(
        "div",
        tag(
            f"{'✔ within' if good else '⚠ above'} {_GOOD:.2f}",
            "good" if good else "warn",
        ),
        el(
            "span",
            f"expected calibration error {found.ece:.3f} "
            f"({found.ece_low:.3f} to {found.ece_high:.3f}), {found.rows:,} pairs",
        ),
    )


def _points(found: QuestionCalibration) -> list[dict[str, Any]]:
    """The bins that hold pairs, under the names the diagram's tooltips show."""
    return [
        {
            "claimed": b.mean,
            "was so": b.rate,
            "from": b.rate_low,
            "to": b.rate_high,
            "pairs": b.count,
            "share": b.count / found.rows,
            "low": b.low,
            "high": b.high,
        }
        for b in found.bins
        if b.count
    ]


def _spec(found: QuestionCalibration) -> dict[str, Any]:
    unit = {"type": "quantitative", "scale": {"domain": [0, 1]}}
    tooltip = [{"field": name, "format": ".2f"} for name in ("claimed", "was so", "from", "to")] + [
        {"field": "pairs"}
    ]
    return {
        "height": 260,
        "background": "transparent",
        "data": {"values": _points(found)},
        "layer": [
            {
                "mark": {"type": "bar", "color": _SHARE, "opacity": 0.35},
                "encoding": {
                    "x": {**unit, "field": "low", "title": "claimed probability"},
                    "x2": {"field": "high"},
                    "y": {**unit, "field": "share", "title": "how often it was so"},
                    "y2": {"datum": 0},
                    "tooltip": tooltip,
                },
            },
            {
                "data": {"values": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]},
                "mark": {"type": "line", "strokeDash": [4, 4], "color": _SHARE, "strokeWidth": 1.5},
                "encoding": {"x": {**unit, "field": "x"}, "y": {**unit, "field": "y"}},
            },
            {
                "mark": {"type": "rule", "color": _POINT, "strokeWidth": 2},
                "encoding": {
                    "x": {**unit, "field": "claimed"},
                    "y": {**unit, "field": "from"},
                    "y2": {"field": "to"},
                },
            },
            {
                "mark": {"type": "line", "color": _POINT, "strokeWidth": 1, "opacity": 0.6},
                "encoding": {
                    "x": {**unit, "field": "claimed"},
                    "y": {**unit, "field": "was so"},
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 70, "color": _POINT},
                "encoding": {
                    "x": {**unit, "field": "claimed"},
                    "y": {**unit, "field": "was so"},
                    "tooltip": tooltip,
                },
            },
        ],
    }


def _bins(found: QuestionCalibration) -> Html:
    return table(
        ("Claimed", "Pairs", "Mean claimed", "Was so", "95 % interval"),
        (
            (
                f"{b.low:.1f} to {b.high:.1f}",
                f"{b.count:,}",
                _number(b.mean),
                _number(b.rate),
                "–" if b.rate_low is None else f"{b.rate_low:.2f} to {_number(b.rate_high)}",
            )
            for b in found.bins
        ),
        numbers=(1, 2, 3, 4),
    )


def _sets(found: QuestionCalibration) -> Html:
    languages = [
        (el("b", _LANGUAGES.get(language, language)), "", f"{rows:,}", f"{ece:.3f}", "")
        for language, ece, rows in found.by_language()
    ]
    sets: list[tuple[Piece, ...]] = [_set(name, one) for name, one in sorted(found.sets.items())]
    return table(
        ("Set", "Language", "Pairs", "Error", "Ranks right (AUROC)"),
        (*sets, *(languages if len(languages) > 1 else ())),
        numbers=(2, 3, 4),
    )


def _set(name: str, one: SetCalibration) -> tuple[Piece, ...]:
    ranks = "–"
    if one.auroc is not None:
        ranks = f"{one.auroc:.3f}"
        if one.auroc_low is not None and one.auroc_high is not None:
            ranks += f" ({one.auroc_low:.3f} to {one.auroc_high:.3f})"
    language = _LANGUAGES.get(one.language, one.language)
    return name, language, f"{one.rows:,}", f"{one.ece:.3f}", ranks


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
