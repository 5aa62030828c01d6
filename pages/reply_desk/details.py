"""Below the case: ledger, freshness, what would change the reply, history, rounds, trace."""

from __future__ import annotations

import streamlit as st

from core.errors import CountersignError
from core.review.views import CaseView
from pages.components.action_table import actions_table
from pages.components.cards import source_address, table, tag
from pages.components.notices import show_error
from pages.components.rounds import rounds_body
from pages.components.untrusted import Html, el, join, show
from pages.components.words import DECISION_WORDS, ago, exact, span, spoken
from pages.shell import session
from pages.shell.office_desks import Desk


def draw(desk: Desk, view: CaseView) -> None:
    """Six tabs."""
    ledger, fresh, change, history, rounds, trace = st.tabs(
        ["Ledger", "Freshness", "What would change this", "History", "Rounds", "Trace"]
    )
    with ledger:
        _ledger(desk, view)
    with fresh:
        show(_freshness(view))
    with change:
        show(_change(view))
    with history:
        show(_history(view))
    with rounds:
        show(_rounds(view))
    with trace:
        _trace(desk, view)


def _ledger(desk: Desk, view: CaseView) -> None:
    ledger = view.ledger
    if ledger is None:
        show(el("div", "No ledger yet: there is no checked draft.", cls="cs-soft"))
        return
    metrics = ledger.answer_quality_metrics
    bare = metrics.sentences_without_citation
    show(
        el(
            "div",
            tag(f"{metrics.total_factual_sentences} factual sentences"),
            tag(f"{bare} without a citation", "warn" if bare else "good"),
            tag(f"{len(metrics.dangerous_unverified_sentences)} dangerous", "bad")
            if metrics.dangerous_unverified_sentences
            else None,
        )
    )
    show(
        table(
            ("Id", "Source", "Where", "Who may see it", "Exact words", "Used in"),
            (
                (
                    el("span", c.id, cls="cs-code"),
                    spoken(c.source_type).lower(),
                    el("span", c.source_location, cls="cs-code"),
                    spoken(c.document_permission_tag).lower(),
                    f"“{c.snippet}”",
                    str(len(c.used_in_answer_sentences)),
                )
                for c in ledger.citations
            ),
            numbers=(5,),
        )
    )
    _download(desk, view, "ledger")


def _freshness(view: CaseView) -> Html:
    if not view.freshness:
        return el(
            "div", "Every source this reply leans on is within its review date.", cls="cs-soft"
        )
    return table(
        ("Source", "State", "What it means", "Owner"),
        (
            (
                el("a", w.title, href=source_address(w.source_id, w.document_id)),
                tag(spoken(w.state), "good" if w.state == "fresh" else "warn"),
                w.message,
                w.owner,
            )
            for w in view.freshness
        ),
    )


def _change(view: CaseView) -> Html:
    if not view.what_would_change:
        return el("div", "Nothing known would turn this reply around.", cls="cs-soft")
    return el("ul", join(el("li", line) for line in view.what_would_change))


def _history(view: CaseView) -> Html:
    decided = [action.record for action in view.actions if action.record is not None]
    if not view.history and not decided:
        return el("div", "No decision has been made on this case.", cls="cs-soft")
    if not decided:
        return _decisions(view)
    actions = actions_table(decided, with_case=False)
    return join((_decisions(view) if view.history else None, actions))


def _decisions(view: CaseView) -> Html:
    now = session.now()
    return table(
        ("When", "Who", "What", "Why", "After"),
        (
            (
                el("span", f"{ago(d.at, now)} ago", title=exact(d.at)),
                d.by,
                DECISION_WORDS[d.kind],
                " · ".join(p for p in (d.reason, d.note, d.to) if p),
                span(d.seconds_to_decide) if d.seconds_to_decide is not None else "",
            )
            for d in reversed(view.history)
        ),
    )


def _rounds(view: CaseView) -> Html:
    """Each round of searching: what was missing, what was tried, what came back."""
    if view.run is None:
        return el("div", "No search was run for this draft.", cls="cs-soft")
    return rounds_body(view.run)


def _trace(desk: Desk, view: CaseView) -> None:
    if view.run is None:
        show(el("div", "No run is stored for this draft.", cls="cs-soft"))
        return
    trace = view.run.trace
    show(
        table(
            ("Stage", "Round", "Decision", "Backend", "ms"),
            (
                (spoken(s.stage), str(s.round or ""), s.decision, s.backend, f"{s.ms:.0f}")
                for s in trace.stages
            ),
            numbers=(1, 4),
        )
    )
    show(el("div", f"Trace {trace.trace_id}", cls="cs-soft"))
    _download(desk, view, "trace")


def _download(desk: Desk, view: CaseView, what: str) -> None:
    """A download whose content is only made when it is asked for."""
    case_id = view.case.case_id
    make = desk.ledger_json if what == "ledger" else desk.trace_json
    try:
        st.download_button(
            "Download as JSON",
            data=lambda: make(case_id),
            file_name=f"{what}-{case_id}.json",
            mime="application/json",
            key=f"download-{what}",
            icon=":material/download:",
            type="tertiary",
        )
    except CountersignError as error:
        show_error(error)
