"""Evaluation: the golden set run beside the screen, its figures, and what changed between runs."""

from __future__ import annotations

import streamlit as st

from core.evaluation.golden_views import GoldenSet
from core.evaluation.report_store import JobState, ReportHead
from pages.components.notices import attempt
from pages.components.untrusted import Html, el, label, show
from pages.components.words import ago, count, exact, span, spoken
from pages.evaluation import calibration, compare, gate, grow, results
from pages.shell import guard, session
from pages.shell.office_evaluation import EvaluationDesk

_VIEWS = ("Results", "Compare", "Grow the set", "Gate", "Calibration")
_ABOUT_RUNS = ("Results", "Compare")
_SEEN = "job-on-screen"


def render(desk: EvaluationDesk) -> None:
    """Stored runs at the side, the run under way on top, one view below."""
    heads = desk.reports()
    newest = next((head.run_id for head in heads if not head.trial), "")
    wanted = st.query_params.get("run") or newest
    with st.sidebar:
        _stored(heads, wanted)
    view = st.segmented_control(
        "View",
        _VIEWS,
        default=_VIEWS[0],
        key="view",
        label_visibility="collapsed",
        bind="query-params",
    )
    if view in _ABOUT_RUNS:
        _start(desk)
    _under_way(desk)
    if view in _DRAWN:
        _DRAWN[view](desk)
    elif view == "Compare":
        compare.draw(desk, heads)
    elif wanted:
        results.draw(desk, wanted)
    else:
        _empty()


_DRAWN = {"Grow the set": grow.draw, "Gate": gate.draw, "Calibration": calibration.draw}


def _stored(heads: tuple[ReportHead, ...], wanted: str) -> None:
    show(el("div", "Stored runs", cls="cs-cap"))
    if not heads:
        show(el("div", "None yet.", cls="cs-soft"))
    for head in heads[:30]:
        with st.container(key=f"pick-run-{head.run_id}"):
            show(_card(head, on=head.run_id == wanted))
            st.button(
                f"Open the run of {label(exact(head.started_at))}",
                key=f"open-{head.run_id}",
                on_click=_go_to,
                args=(head.run_id,),
            )


def _card(head: ReportHead, *, on: bool) -> Html:
    only = ", ".join(spoken(word) for word in head.asked_for)
    return el(
        "div",
        el(
            "div",
            el("span", f"{ago(head.started_at, session.now())} ago", title=exact(head.started_at)),
            el("span", head.by),
            cls="top",
        ),
        el("div", _subject(head) or only or "The whole set", cls="subject", title=head.note),
        el(
            "div",
            el("span", f"{head.overall.passed:.0%} of {head.overall.rows} passed"),
            el("span", f"p95 {head.overall.p95_ms:,.0f} ms"),
            cls="under",
        ),
        cls="cs-row cs-hover on" if on else "cs-row cs-hover",
    )


def _subject(head: ReportHead) -> str:
    return "On trial: other thresholds" if head.trial else head.note


def _start(desk: EvaluationDesk) -> None:
    golden = desk.golden()
    running = _runs_here(desk.job())
    with st.form("start", border=True):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.multiselect(
                "Questions",
                [*golden.difficulties, *golden.languages, *golden.kinds],
                key="only",
                format_func=_word_of_filter,
                placeholder=_everything(golden),
                width=420,
            )
            st.text_input("Note", key="note", placeholder="What changed since the last run?")
            st.form_submit_button(
                "Run the set",
                key="run",
                type="primary",
                icon=":material/play_arrow:",
                disabled=running,
                on_click=_run,
                args=(desk,),
            )
        if golden.taken:
            st.checkbox(
                f"And the {golden.taken:d} taken in on this screen", key="with-taken", value=True
            )


def _everything(golden: GoldenSet) -> str:
    return f"All {golden.rows}, or choose some"


def _word_of_filter(word: str) -> str:
    return {"en": "English", "zh": "Chinese"}.get(word, spoken(word).lower())


def _run(desk: EvaluationDesk) -> None:
    held = st.session_state
    attempt(
        "",
        desk.start,
        tuple(held.get("only") or ()),
        note=str(held.get("note") or ""),
        with_taken=bool(held.get("with-taken", False)),
    )


def _under_way(desk: EvaluationDesk) -> None:
    job = desk.job()
    if _runs_here(job):
        st.session_state[_SEEN] = True
        _progress(desk)
    elif job is not None and job.elsewhere:
        show(_elsewhere(job))
    elif job is not None and job.phase in ("failed", "stopped", "cut_off"):
        show(_ended(job))


@st.fragment(run_every=1)
def _progress(desk: EvaluationDesk) -> None:
    job = desk.job()
    if job is None or job.phase != "running":
        # The page around the fragment shows the stored run; a fragment redraws itself alone.
        if st.session_state.pop(_SEEN, False):
            if job is not None and job.phase == "done" and not job.trial:
                st.query_params["run"] = job.run_id
            st.rerun(scope="app")
        return
    with st.container(key="card-job"):
        st.progress(job.done / job.total)
        with st.container(horizontal=True, vertical_alignment="center"):
            show(_pace(job))
            st.button("Stop", key="stop", icon=":material/stop:", on_click=_stop, args=(desk,))


def _pace(job: JobState) -> Html:
    left = job.seconds_left
    failed = job.done - job.passed
    return el(
        "div",
        el("b", f"{'On trial: ' if job.trial else ''}{job.done} of {count(job.total, 'question')}"),
        el(
            "span",
            f" · {job.passed} passed, {failed} not"
            + (f" · {job.rate:.1f} a second · about {span(left)} left" if left is not None else "")
            + (f" · last {job.last}" if job.last else " · the first one loads the models")
            + f" · begun by {job.by}. You may leave; it goes on.",
            cls="cs-soft",
        ),
    )


def _stop(desk: EvaluationDesk) -> None:
    attempt("It stops after the question in hand.", desk.stop)


def _elsewhere(job: JobState) -> Html:
    seen = f"{ago(job.seen_at, session.now())} ago"
    return el(
        "div",
        el("b", f"{job.done} of {count(job.total, 'question')} asked", cls="cs-warn"),
        el(
            "span",
            f"as another console process said {seen}, begun by {job.by}. If that process is gone, "
            "nothing of the run was kept; you may begin another.",
        ),
        cls="cs-chain",
    )


def _ended(job: JobState) -> Html:
    heads = {
        "failed": "✖ The last run failed",
        "stopped": "The last run was stopped",
        "cut_off": "The last run was cut off",
    }
    return el(
        "div",
        el("b", heads[job.phase], cls="cs-bad" if job.phase == "failed" else "cs-warn"),
        el("span", f"after {job.done} of {job.total}. {job.words} Earlier runs are as they were."),
        cls="cs-chain",
    )


def _empty() -> None:
    show(
        el(
            "div",
            el("div", "No run is stored yet", cls="big"),
            el(
                "div",
                "Press “Run the set”: every golden question is asked with the rights of its role, "
                "measured, and kept here.",
            ),
            cls="cs-empty",
        )
    )


def _runs_here(job: JobState | None) -> bool:
    return job is not None and job.phase == "running" and not job.elsewhere


def _go_to(run_id: str) -> None:
    st.query_params["run"] = run_id
    st.session_state["view"] = _VIEWS[0]


if __name__ == "__main__":
    guard.open_page("evaluation", session.evaluation_desk, render)
