"""What other thresholds change: totals, bars per question, passages that move, golden rows."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.evaluation.gate_lab import (
    GoldenEffect,
    Move,
    QuestionRouted,
    Rerouting,
    Routed,
    golden_effects,
    moves_csv,
)
from core.evaluation.gate_reading import Lab
from core.evaluation.report_store import ReportHead
from pages.components import gate_words
from pages.components.cards import table, tag
from pages.components.gate_words import ROUTES, route_tag
from pages.components.untrusted import Html, Piece, el, join, show
from pages.components.words import count, exact
from pages.evaluation.results import trace_link

_BARS = 12
_MOVES = 25
_ROUTE_ORDER = ("include", "conflict", "exclude")
_COLOURS = ("#2f9e73", "#d9902f", "#8b979b")
"""Told apart on light and dark, and by people who see red and green alike."""
_NOW, _THEN = "in force", "as set"


def totals(asked: Rerouting, golden: Rerouting) -> None:
    """Passages by route, before and after, of recent and of golden questions."""
    columns = [("Recent questions", asked)] if asked.questions else []
    columns += [("Golden set", golden)] if golden.questions else []
    show(
        table(
            ("", *(f"{words}, passages" for words, _ in columns)),
            (
                (route_tag(route), *(_before_after(found, number) for _, found in columns))
                for number, route in enumerate(_ROUTE_ORDER)
            ),
        )
    )


def _before_after(found: Rerouting, number: int) -> Html:
    before, after = found.before[number], found.after[number]
    if before == after:
        return el("span", f"{before:,}", el("span", " · same", cls="cs-soft"))
    by = f"{after - before:+,}".replace("-", "−")
    return el(
        "span", f"{before:,} → ", el("b", f"{after:,}"), el("span", f" · {by}", cls="cs-soft")
    )


def bars(found: Rerouting) -> None:
    """Stacked bars of the questions that change, or of the latest ones while none does."""
    changed = sorted((q for q in found.questions if q.moves), key=lambda q: -len(q.moves))
    shown = (changed or list(found.questions))[:_BARS]
    if not shown:
        return
    words = "Questions whose passages move" if changed else "The latest questions"
    more = len(changed) - len(shown)
    show(el("div", words + (f", {_BARS} of {len(changed)}" if more > 0 else ""), cls="cs-cap"))
    show(el("div", "Upper, pale bar: in force. Lower bar: as the sliders stand.", cls="cs-soft"))
    st.vega_lite_chart(
        _spec(shown),
        key="gate-bars",
        alt="Passages included, in conflict and left out for each question, before and after. "
        "The table below holds the same numbers.",
    )
    with st.expander("The bars as a table"):
        show(_bars_table(shown))


def _spec(shown: list[QuestionRouted]) -> dict[str, Any]:
    rows = [
        {
            "question": _short(f"{number}. {question.asked.question}", 58),
            "when": when,
            "route": ROUTES[route][0],
            "passages": routed[at],
            "place": at,
        }
        for number, question in enumerate(shown, start=1)
        for when, routed in ((_NOW, question.before), (_THEN, question.after))
        for at, route in enumerate(_ROUTE_ORDER)
    ]
    names = [ROUTES[route][0] for route in _ROUTE_ORDER]
    return {
        "data": {"values": rows},
        "height": {"step": 15},
        "background": "transparent",
        "mark": {"type": "bar", "stroke": None},
        "encoding": {
            "y": {
                "field": "question",
                "type": "nominal",
                "sort": [row["question"] for row in rows[:: 2 * len(_ROUTE_ORDER)]],
                "title": None,
                "axis": {"labelLimit": 380, "ticks": False},
            },
            "yOffset": {"field": "when", "sort": [_NOW, _THEN]},
            "x": {
                "field": "passages",
                "type": "quantitative",
                "title": "passages",
                "axis": {"tickMinStep": 1, "tickCount": 8},
            },
            "order": {"field": "place"},
            "color": {
                "field": "route",
                "title": None,
                "scale": {"domain": names, "range": list(_COLOURS)},
                "legend": {"orient": "top"},
            },
            "opacity": {
                "field": "when",
                "scale": {"domain": [_NOW, _THEN], "range": [0.45, 1]},
                "legend": None,
            },
            "tooltip": [{"field": f} for f in ("question", "when", "route", "passages")],
        },
    }


def _bars_table(shown: list[QuestionRouted]) -> Html:
    def cells(before: Routed, after: Routed) -> tuple[Piece, ...]:
        return tuple(
            f"{old}" if old == new else el("b", f"{old} → {new}")
            for old, new in zip(before, after, strict=True)
        )

    return table(
        ("Question", *(ROUTES[route][0] for route in _ROUTE_ORDER)),
        ((question.asked.question, *cells(question.before, question.after)) for question in shown),
        numbers=(1, 2, 3),
    )


def moves(found: Rerouting) -> None:
    """The passages that go another way, with the probability that moves each."""
    moved = found.moves
    show(el("div", "Passages that move", cls="cs-cap"))
    if not moved:
        show(el("div", "None. Move a slider to see what would change.", cls="cs-soft cs-gap"))
        return
    show(
        table(
            ("Question", "Passage and the sentence that decides", "From", "To", "Moved by"),
            map(_move, moved[:_MOVES]),
        )
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download the moves as CSV",
            data=lambda: moves_csv(moved).encode(),
            file_name="gate-moves.csv",
            mime="text/csv",
            key="gate-csv",
            icon=":material/download:",
            on_click="ignore",
        )
        if len(moved) > _MOVES:
            show(
                el(
                    "span", f"{_MOVES} of {len(moved)} shown; the file has them all.", cls="cs-soft"
                ),
                width="content",
            )


def _move(move: Move) -> tuple[Piece, ...]:
    answer = move.answer
    limit = (
        f"limit {move.threshold_before:.2f} → {move.threshold_after:.2f}"
        if move.threshold_before != move.threshold_after
        else f"limit {move.threshold_after:.2f}"
    )
    return (
        join((el("div", move.question), trace_link(answer.trace_id))),
        join(
            (
                el("div", answer.title, cls="cs-src"),
                el("div", f"“{_short(answer.sentence, 220)}”", cls="cs-soft"),
            )
        ),
        route_tag(move.before),
        route_tag(move.after),
        join(
            (
                el("div", gate_words.CAUSES[move.cause], cls="cs-one"),
                el("div", f"{move.probability:.2f}, {limit}", cls="cs-soft cs-one"),
            )
        ),
    )


def golden(lab: Lab, found: Rerouting) -> None:
    """What the moves mean for golden rows, from the answers of the last run of the set."""
    show(el("div", "Golden set, from its stored answers", cls="cs-cap"))
    if lab.golden_run is None:
        show(
            el(
                "div",
                "The golden set was never run here. Press “Run the set” under Results; from then "
                "on this shows which rows lose or gain what they stand on.",
                cls="cs-soft cs-gap",
            )
        )
        return
    effects = golden_effects(found, lab.gold)
    show(_golden_summary(lab, lab.golden_run, effects))
    if effects:
        show(
            table(
                ("Id", "Question", "", "Loses", "Gains"),
                (_effect(effect) for effect in effects),
            )
        )


def _golden_summary(lab: Lab, run: ReportHead, effects: tuple[GoldenEffect, ...]) -> Html:
    worse, bereft = sum(e.worse for e in effects), sum(e.bereft for e in effects)
    let_in = sum(bool(e.injected_in) for e in effects)
    return el(
        "div",
        tag(f"✖ {count(worse, 'row')} would lose something", "bad")
        if worse
        else tag("✔ no row loses anything", "good"),
        tag(f"✖ {bereft} left without any gold passage", "bad") if bereft else None,
        tag(f"✖ an instruction let in for {let_in}", "bad") if let_in else None,
        el(
            "span",
            f"From {count(len(lab.golden), 'row')} of the run of {exact(run.started_at)}"
            + (
                f"; {count(lab.withheld, 'row')} asked with rights you do not hold, or not kept."
                if lab.withheld
                else "."
            ),
            cls="cs-soft",
        ),
        cls="cs-gap",
    )


def _effect(effect: GoldenEffect) -> tuple[Piece, ...]:
    loses = (
        _named("gold passage", effect.gold_lost),
        _named("conflict with the premise", effect.conflicts_lost),
        _named("instruction let in:", effect.injected_in),
    )
    gains = (
        _named("gold passage", effect.gold_gained),
        _named("conflict with the premise", effect.conflicts_gained),
        _named("instruction kept out:", effect.injected_out),
    )
    word, tone = ("✖ worse", "cs-bad") if effect.worse else ("✔ gains", "cs-good")
    return (
        el("span", effect.query_id, cls="cs-one"),
        effect.question,
        join(
            (
                el("div", word, cls=f"{tone} cs-one"),
                el("div", "no gold passage left", cls="cs-bad cs-small") if effect.bereft else None,
            )
        ),
        join(loses),
        join(gains),
    )


def _named(words: str, titles: tuple[str, ...]) -> Html | None:
    return el("div", f"{words} “{'”, “'.join(titles)}”") if titles else None


def _short(text: str, limit: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"
