"""The golden set under thresholds on trial: begun here, run beside the screen, compared by row."""

from __future__ import annotations

import streamlit as st

from core.evaluation.gate_desk import Standing, Trial
from core.evaluation.report_store import JobState
from core.models.evidence import GateThresholds
from pages.components.cards import tag
from pages.components.notices import attempt
from pages.components.untrusted import el, show
from pages.components.words import ago, count, exact
from pages.evaluation import compare, gate_save
from pages.shell import session
from pages.shell.office_evaluation import EvaluationDesk


def button(desk: EvaluationDesk, wanted: GateThresholds, *, same: bool) -> None:
    """Run the set under these thresholds; not while a run is under way."""
    st.button(
        "Run the golden set under these",
        key="gate-trial",
        icon=":material/play_arrow:",
        disabled=same or _runs(desk.job()),
        on_click=_begin,
        args=(desk, wanted),
    )


def _begin(desk: EvaluationDesk, wanted: GateThresholds) -> None:
    attempt("", desk.gate.start_trial, wanted, with_taken=True)
    st.session_state[gate_save.REDRAW] = True


def _runs(job: JobState | None) -> bool:
    return job is not None and job.phase == "running" and not job.elsewhere


def result(desk: EvaluationDesk, wanted: GateThresholds, standing: Standing) -> None:
    """The finished trial of just these thresholds, or how to get one."""
    if wanted == standing.thresholds:
        return
    show(el("div", "The golden set run under these thresholds", cls="cs-cap"))
    trial = desk.gate.trial(wanted)
    if trial is None:
        show(
            el(
                "div",
                "Not run yet. “Run the golden set under these” asks every row anew, drafts "
                "included; it goes on beside the screen and nothing is saved.",
                cls="cs-soft cs-gap",
            )
        )
        return
    _finished(trial)


def _finished(trial: Trial) -> None:
    report = trial.report
    show(
        el(
            "div",
            tag(f"{report.overall.passed:.0%} of {count(report.overall.rows, 'row')} passed"),
            el(
                "span",
                f"run {ago(report.started_at, session.now())} ago by {report.by}",
                cls="cs-soft",
                title=exact(report.started_at),
            ),
        )
    )
    if trial.comparison is None:
        show(
            el(
                "div",
                "There is no run under the thresholds in force to compare it with. Press “Run the "
                "set” under Results, then look here again.",
                cls="cs-soft cs-gap",
            )
        )
        return
    compare.draw_comparison(trial.comparison)
