"""Two stored runs side by side: what got better, what got worse, and on which rows."""

from __future__ import annotations

import streamlit as st

from core.errors import CountersignError
from core.evaluation.golden_views import Change, Comparison
from core.evaluation.report_store import ReportHead
from pages.components.cards import table, tag
from pages.components.notices import show_error
from pages.components.untrusted import Html, Piece, el, show
from pages.components.words import ago, count, spoken
from pages.evaluation import figures
from pages.evaluation.figures import MEASURES, Measure
from pages.evaluation.results import trace_link
from pages.shell import session
from pages.shell.office_evaluation import EvaluationDesk

_NOISE = 0.15
"""Times within this share of each other say nothing: the machine does other things too."""


def draw(desk: EvaluationDesk, heads: tuple[ReportHead, ...]) -> None:
    """Pick two runs; the newest two to begin with."""
    if len(heads) < 2:
        show(
            el(
                "div",
                el("div", "A comparison needs two runs", cls="big"),
                el("div", "Run the set again after a change; both runs are kept."),
                cls="cs-empty",
            )
        )
        return
    words = {head.run_id: _words(head) for head in heads}
    ids = list(words)
    left, right = st.columns(2)
    before = left.selectbox("Before", ids, index=1, key="before", format_func=words.__getitem__)
    after = right.selectbox("After", ids, index=0, key="after", format_func=words.__getitem__)
    if before == after:
        show(el("div", "Pick two different runs.", cls="cs-soft"))
        return
    try:
        found = desk.compare(before, after)
    except CountersignError as error:
        show_error(error)
        return
    draw_comparison(found)


def draw_comparison(found: Comparison) -> None:
    """How many got better and worse, every measure, and the rows that changed."""
    show(_summary(found))
    show(_figures(found))
    _changes(found)


def _words(head: ReportHead) -> str:
    note = f"{head.note}, " if head.note else ""
    passed = f"{head.overall.passed:.0%} of {head.overall.rows} passed"
    return f"{note}{passed}, {ago(head.started_at, session.now())} ago"


def _summary(found: Comparison) -> Html:
    better = sum(change.better for change in found.changes)
    worse = sum(change.worse for change in found.changes)
    only = found.after.overall.rows + found.before.overall.rows - 2 * found.shared
    return el(
        "div",
        tag(f"✔ {better} better", "good") if better else tag("none better"),
        tag(f"✖ {worse} worse", "bad") if worse else tag("none worse", "good"),
        tag(f"{count(found.shared, 'row')} in both"),
        tag(f"{only} in one of them only", "warn") if only else None,
    )


def _figures(found: Comparison) -> Html:
    return table(
        ("Measure", "Before", "After", "Change", ""),
        (_line(found, measure) for measure in MEASURES),
        numbers=(1, 2, 3),
    )


def _line(found: Comparison, measure: Measure) -> tuple[Piece, ...]:
    old = figures.value_of(found.before.overall, measure)
    new = figures.value_of(found.after.overall, measure)
    said = (measure.name, figures.said(old, measure), figures.said(new, measure))
    if old is None or new is None or figures.said(old, measure) == figures.said(new, measure):
        return (*said, "", el("span", "same", cls="cs-soft"))
    better = (new > old) == measure.more_is_better
    moved = _moved(abs(new - old), measure)
    if measure.unit == "ms" and abs(new - old) < _NOISE * old:
        return (
            *said,
            f"{'+' if new > old else '−'}{moved}",
            el("span", "much the same", cls="cs-soft"),
        )
    return (
        *said,
        f"{'+' if new > old else '−'}{moved}",
        el("span", "better" if better else "worse", cls="cs-good" if better else "cs-bad"),
    )


def _moved(by: float, measure: Measure) -> str:
    if measure.unit == "share":
        return count(round(100 * by), "point")
    return figures.said(by, measure) + (" ms" if measure.unit == "ms" else "")


def _changes(found: Comparison) -> None:
    show(el("div", "Rows that changed", cls="cs-cap"))
    if not found.changes:
        show(el("div", "Every row of both runs came out the same.", cls="cs-soft"))
        return
    show(table(("Id", "Question", "", "Before", "After", "Runs"), map(_change, found.changes)))


def _change(change: Change) -> tuple[Piece, ...]:
    word, tone = ("other", "cs-soft")
    if change.better:
        word, tone = "✔ better", "cs-good"
    if change.worse:
        word, tone = "✖ worse", "cs-bad"
    links = el(
        "span",
        trace_link(change.trace_before, "before"),
        " ",
        trace_link(change.trace_after, "after"),
    )
    return (
        el("span", change.query_id, cls="cs-one"),
        change.question,
        el("span", word, cls=f"{tone} cs-one"),
        spoken(change.before),
        spoken(change.after),
        links,
    )
