"""Growing the golden set: questions people really asked, edited and taken in one by one."""

from __future__ import annotations

from typing import get_args

import streamlit as st

from core.errors import CountersignError
from core.evaluation.golden import DIFFICULTIES, GoldenCase, GoldenKind
from core.evaluation.golden_build import Proposal
from core.models.draft import AnswerStatus
from pages.components.cards import table, tag
from pages.components.notices import attempt, show_error
from pages.components.untrusted import Html, el, join, label, show
from pages.components.words import count, spoken
from pages.evaluation.results import trace_link
from pages.shell.office_evaluation import EvaluationDesk

_STATUSES, _KINDS = get_args(AnswerStatus), get_args(GoldenKind)


def draw(desk: EvaluationDesk) -> None:
    """Proposals, most disputed first, then the rows taken so far."""
    try:
        with st.spinner("Looking through recent questions …"):
            found = desk.growth()
    except CountersignError as error:
        show_error(error)
        return
    show(
        el(
            "div",
            f"From {count(found.looked_at, 'question')} of the last {found.days} days that you may "
            "read. A proposal is what the console did, not what is right: correct it, then take it "
            "in.",
            cls="cs-soft",
        )
    )
    if not found.proposals:
        _empty()
    for proposal in found.proposals:
        _proposal(desk, proposal)
    _taken(desk, found.taken)


def _empty() -> None:
    show(
        el(
            "div",
            el("div", "Nothing new to propose", cls="big"),
            el("div", "Draft replies or ask in the inspector; what is asked most appears here."),
            cls="cs-empty",
        )
    )


def _proposal(desk: EvaluationDesk, proposal: Proposal) -> None:
    row = proposal.row
    with st.expander(f"{label(row.question, 110)} · {label(proposal.reason)}"):
        show(_what_happened(proposal))
        with st.form(f"proposal-{row.query_id}", border=False):
            with st.container(horizontal=True):
                st.selectbox(
                    "Right status",
                    _STATUSES,
                    index=_STATUSES.index(row.expected_status),
                    key=f"status-{row.query_id}",
                    format_func=spoken,
                )
                st.selectbox("Kind", _KINDS, key=f"kind-{row.query_id}", format_func=spoken)
                st.selectbox(
                    "Difficulty",
                    DIFFICULTIES,
                    index=DIFFICULTIES.index(row.difficulty_level),
                    key=f"difficulty-{row.query_id}",
                    format_func=str.lower,
                )
            left, right = st.columns(2)
            left.text_area(
                "The answer must say (one fact a line)",
                value="\n".join(row.required_facts),
                key=f"must-{row.query_id}",
                height=90,
            )
            right.text_area(
                "The answer must not say (one fact a line)", key=f"not-{row.query_id}", height=90
            )
            with st.container(horizontal=True):
                st.form_submit_button(
                    "Take it in",
                    key=f"take-{row.query_id}",
                    type="primary",
                    icon=":material/add:",
                    on_click=_take,
                    args=(desk, row.query_id),
                )
                st.form_submit_button(
                    "Never propose it",
                    key=f"never-{row.query_id}",
                    on_click=_never,
                    args=(desk, row.query_id),
                )


def _what_happened(proposal: Proposal) -> Html:
    row = proposal.row
    quotes = join(
        el(
            "div",
            el("div", f"“{gold.expected_value_or_range}”", cls="cs-quote"),
            el("div", gold.should_come_from_source_location, cls="cs-soft"),
        )
        for gold in row.gold_citations[:3]
    )
    return el(
        "div",
        el("div", row.question, cls="cs-src"),
        el(
            "div", trace_link(proposal.trace_id, "see what it did in the inspector"), cls="cs-links"
        ),
        tag(f"it was {spoken(row.expected_status)}"),
        tag(f"asked as {spoken(row.role)}"),
        tag(f"as of {row.as_of_date:%-d %b %Y}") if row.as_of_date else None,
        join(tag(source) for source in row.gold_sources[:4]),
        quotes if row.gold_citations else None,
    )


def _take(desk: EvaluationDesk, query_id: str) -> None:
    held = st.session_state
    attempt(
        "Taken into the set. Download it below to keep it with the other rows.",
        desk.accept,
        query_id,
        kind=held[f"kind-{query_id}"],
        difficulty=held[f"difficulty-{query_id}"],
        expected_status=held[f"status-{query_id}"],
        required_facts=str(held[f"must-{query_id}"]).splitlines(),
        forbidden_facts=str(held[f"not-{query_id}"]).splitlines(),
    )


def _never(desk: EvaluationDesk, query_id: str) -> None:
    attempt("It will not be proposed again.", desk.dismiss, query_id)


def _taken(desk: EvaluationDesk, taken: tuple[GoldenCase, ...]) -> None:
    show(el("div", "Taken in", cls="cs-cap"))
    if not taken:
        show(el("div", "No row yet.", cls="cs-soft"))
        return
    show(
        table(
            ("Id", "Question", "Kind", "Difficulty", "Right status", "Must say"),
            (
                (
                    el("span", row.query_id, cls="cs-one"),
                    row.question,
                    spoken(row.kind),
                    row.difficulty_level.lower(),
                    spoken(row.expected_status),
                    ", ".join(row.required_facts),
                )
                for row in taken
            ),
        )
    )
    st.download_button(
        "Download as JSONL",
        data=desk.taken_jsonl,
        file_name="golden-additions.jsonl",
        mime="application/jsonl",
        key="download-taken",
        icon=":material/download:",
    )
