"""The inspector: one question through every stage, with what came out and why."""

from __future__ import annotations

from typing import get_args

import streamlit as st

from core.errors import CountersignError
from core.models.request import OutputForm
from core.models.trace import PipelineRun
from pages.components.cards import tag
from pages.components.notices import notify, show_error
from pages.components.untrusted import Html, el, label, show
from pages.components.words import ago, count, exact, spoken
from pages.inspector import asking, compare, findings, gate, search
from pages.shell import guard, session
from pages.shell.office_asking import Inspector


def render(inspector: Inspector) -> None:
    """Ask, or open an earlier run by ``?trace=``."""
    with st.sidebar:
        _recent(inspector)
    _ask(inspector)
    if inspector.under_way() is not None:
        asking.draw(inspector)
        return
    wanted = st.query_params.get("trace")
    if not wanted:
        _nothing()
        return
    try:
        run = inspector.get(wanted)
    except CountersignError as error:
        show_error(error)
        return
    if run is None:
        st.warning("That run is not stored, or not yours to see. Ask the question again.")
        return
    show(_head(run))
    search.draw(run)
    gate.draw(inspector, run)
    findings.draw(run)
    compare.draw(inspector, run)
    _trace(run)


def _ask(inspector: Inspector) -> None:
    with st.form("ask", border=True):
        question = st.text_input(
            "Question", key="question", placeholder="Ask as a customer or a colleague would"
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.date_input("As of", value=None, key="as-of", width=170)
            st.selectbox(
                "Answer as", get_args(OutputForm), key="output-form", format_func=spoken, width=170
            )
            st.form_submit_button(
                "Run every stage",
                key="run",
                type="primary",
                icon=":material/play_arrow:",
                on_click=_run,
                args=(inspector,),
            )
    del question


def _run(inspector: Inspector) -> None:
    question = str(st.session_state.get("question") or "").strip()
    if not question:
        notify("warning", "Write a question first.")
        return
    try:
        inspector.begin(
            question,
            at=st.session_state.get("as-of"),
            output_form=st.session_state.get("output-form") or "chat_reply",
        )
    except CountersignError as error:
        notify("error", f"{error}\nNothing was stored.")
        return
    asking.collect(inspector, wait=asking.AT_ONCE)


def _recent(inspector: Inspector) -> None:
    show(el("div", "Earlier runs", cls="cs-cap"))
    rows = inspector.recent()
    if not rows:
        show(el("div", "None yet.", cls="cs-soft"))
    for trace_id, question, at in rows[:25]:
        with st.container(key=f"pick-run-{trace_id}"):
            show(_recent_card(question, ago(at, session.now()), exact(at)))
            st.button(
                f"Open the run of {label(question)}",
                key=f"open-{trace_id}",
                on_click=_go_to,
                args=(trace_id,),
            )


def _recent_card(question: str, when: str, stamp: str) -> Html:
    return el(
        "div",
        el("div", question, cls="subject", title=question),
        el("div", f"{when} ago", cls="under", title=stamp),
        cls="cs-row cs-hover",
    )


def _head(run: PipelineRun) -> Html:
    trace = run.trace
    status = run.answer.status
    tone = "good" if status == "answered" else "warn"
    total = trace.timings_ms.get("total") or sum(s.ms for s in trace.stages)
    return el(
        "div",
        el("div", el("span", run.request.raw_query, cls="title"), cls="cs-head"),
        tag(spoken(status), tone),
        tag(f"{total / 1000:.2f} s"),
        tag(count(len(trace.rounds), "round")),
        tag(f"as {run.context.user_id}"),
        tag(f"failed: {trace.failure}", "bad") if trace.failure else None,
    )


def _trace(run: PipelineRun) -> None:
    st.download_button(
        "Download the trace",
        data=run.trace.model_dump_json(indent=2),
        file_name=f"{run.trace.trace_id}.json",
        mime="application/json",
        key="download-trace",
        icon=":material/download:",
    )


def _nothing() -> None:
    show(
        el(
            "div",
            el("div", "Ask a question to see every stage", cls="big"),
            el(
                "div",
                "You see what your own rights allow: sources, passages, and the rule that fired.",
            ),
            cls="cs-empty",
        )
    )


def _go_to(trace_id: str) -> None:
    st.query_params["trace"] = trace_id


if __name__ == "__main__":
    guard.open_page("inspector", session.inspector, render)
