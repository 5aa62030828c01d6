"""One stored run: the figures, the rows that did not pass and why, what it ran on, and export."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlencode

import streamlit as st

from core.errors import CountersignError
from core.evaluation.golden_views import ReportView, RowView
from pages.components.cards import table, tag
from pages.components.notices import show_error
from pages.components.untrusted import Html, Piece, el, show
from pages.components.words import ago, count, exact, span, spoken
from pages.evaluation import figures
from pages.shell import session
from pages.shell.office_evaluation import EvaluationDesk


def draw(desk: EvaluationDesk, run_id: str) -> None:
    """The run with this id, or what is wrong with it."""
    try:
        view = desk.report(run_id)
    except CountersignError as error:
        show_error(error)
        return
    show(_head(view))
    show(figures.tiles(view.overall))
    if any(row.hidden for row in view.rows):
        show(
            el(
                "div",
                "The figures count every row. Rows that were asked with rights you do not hold "
                "show how they went and nothing else, here and in the downloads.",
                cls="cs-soft",
            )
        )
    _failed(view)
    show(el("div", "By kind, difficulty and language", cls="cs-cap"))
    show(
        figures.groups(
            (
                ("Kind", view.by_kind),
                ("Difficulty", view.by_difficulty),
                ("Language", view.by_language),
            ),
            _group_words,
        )
    )
    with st.expander("Every row"):
        show(rows_table(view.rows))
    with st.expander("What it ran on, and what the measures mean"):
        show(_conditions(view))
        show(figures.meanings())
    _export(desk, view)


def trace_link(trace_id: str, words: str = "see the run") -> Piece:
    """Where the inspector shows a run; nothing where it would not."""
    if not trace_id:
        return ""
    return el("a", words, href="/inspector?" + urlencode({"trace": trace_id}), cls="cs-one")


def rows_table(rows: tuple[RowView, ...]) -> Html:
    """Rows with their verdict."""
    return table(
        ("Id", "Question", "Kind", "Difficulty", "Status", "Verdict", "ms", ""),
        (
            (
                el("span", row.query_id, cls="cs-one"),
                el("span", row.question, cls="cs-soft") if row.hidden else row.question,
                spoken(row.kind),
                row.difficulty_level.lower(),
                spoken(row.status),
                _verdict(row),
                f"{row.ms:,.0f}",
                trace_link(row.trace_id),
            )
            for row in rows
        ),
        numbers=(6,),
    )


def _head(view: ReportView) -> Html:
    failed = len(view.failed())
    return el(
        "div",
        el(
            "div",
            el("span", view.note or "Run of the golden set", cls="title"),
            el(
                "span",
                f"{ago(view.started_at, session.now())} ago by {view.by}",
                cls="cs-soft",
                title=exact(view.started_at),
            ),
            cls="cs-head",
        ),
        tag(count(view.overall.rows, "question")),
        tag(f"✖ {failed} did not pass", "bad") if failed else tag("✔ every row passed", "good"),
        tag(f"took {span(view.seconds)}"),
        tag("only " + ", ".join(spoken(w) for w in view.asked_for)) if view.asked_for else None,
    )


def _failed(view: ReportView) -> None:
    failed = view.failed()
    if not failed:
        return
    show(el("div", "Did not pass", cls="cs-cap"))
    show(
        table(
            ("Id", "Question", "Kind", "What is wrong", "Status", ""),
            (
                (
                    el("span", row.query_id, cls="cs-one"),
                    el("span", row.question, cls="cs-soft") if row.hidden else row.question,
                    el("span", f"{spoken(row.kind)}, {row.difficulty_level.lower()}", cls="cs-one"),
                    el("span", spoken(row.verdict), cls="cs-bad"),
                    spoken(row.status),
                    trace_link(row.trace_id),
                )
                for row in failed
            ),
        )
    )


def _verdict(row: RowView) -> Html:
    return el("span", f"{'✔' if row.passed else '✖'} {spoken(row.verdict)}",
              cls="cs-good" if row.passed else "cs-bad")  # fmt: skip


def _group_words(name: str) -> str:
    named = {"en": "English", "zh": "Chinese"}
    return named.get(name, spoken(name).lower() if name.isupper() else spoken(name))


def _conditions(view: ReportView) -> Html:
    gate = view.thresholds
    return table(
        ("", ""),
        (
            ("Backends", ", ".join(f"{stage} {name}" for stage, name in view.backend.items())),
            ("Index", ", ".join(f"{k} {v}" for k, v in view.index_versions.items())),
            ("Access policies", view.policy_version),
            (
                "Gate thresholds",
                f"injection at most {gate.injection_max}, contradicts at least "
                f"{gate.contradicts_min}, relevant at least {gate.relevant_min}, "
                f"evidence at least {gate.evidence_min}",
            ),
        ),
    )


def _export(desk: EvaluationDesk, view: ReportView) -> None:
    with st.container(horizontal=True):
        for words, form, mime in (
            ("Download JSON", "json", "application/json"),
            ("Download CSV", "csv", "text/csv"),
        ):
            st.download_button(
                words,
                data=partial(desk.export, view.run_id, form),
                file_name=f"{view.run_id}.{form}",
                mime=mime,
                key=f"export-{form}",
                icon=":material/download:",
            )
