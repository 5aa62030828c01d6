"""The gate's thresholds: moved on stored answers at once, tried on the golden set, saved."""

from __future__ import annotations

import streamlit as st

from core.errors import CountersignError
from core.evaluation.gate_desk import Standing
from core.evaluation.gate_lab import rerouted
from core.evaluation.gate_reading import Lab
from core.models.evidence import GateThresholds
from pages.components.cards import tag
from pages.components.notices import show_error
from pages.components.untrusted import Html, el, show
from pages.components.words import ago, count, exact
from pages.evaluation import gate_moves, gate_save, gate_trial
from pages.shell import session
from pages.shell.office_evaluation import EvaluationDesk

_WAS_READ = "gate-was-read"


def draw(desk: EvaluationDesk) -> None:
    """What is in force, the sliders and all they change, then every policy there was."""
    try:
        standing = desk.gate.standing()
        show(_in_force(standing))
        _lab(desk)
        gate_save.history(standing)
        gate_save.dialog(desk, standing)
    except CountersignError as error:
        show_error(error)


def _in_force(standing: Standing) -> Html:
    policy = standing.policy
    if policy is None:
        words: tuple[Html | str, ...] = (
            el("b", "The thresholds of the settings are in force"),
            el("span", "No policy was saved yet. A saved one holds from the next run on."),
        )
    else:
        words = (
            el("b", "✔ In force", cls="cs-good"),
            el(
                "span",
                f"saved {ago(policy.saved_at, session.now())} ago by {policy.saved_by}: "
                f"“{policy.reason}”",
                title=f"{exact(policy.saved_at)}, {policy.policy_id}",
            ),
        )
    return el("div", *words, cls="cs-chain")


@st.fragment
def _lab(desk: EvaluationDesk) -> None:
    """Alone redrawn when a slider moves."""
    try:
        standing, lab = desk.gate.standing(), _read(desk)
    except CountersignError as error:
        show_error(error)
        return
    wanted = gate_save.wanted_thresholds(standing)
    _buttons(desk, standing, wanted)
    if not lab.asked and not lab.golden:
        _empty()
        return
    _effects(desk, standing, lab, wanted)
    if st.session_state.pop(gate_save.REDRAW, False):
        st.rerun(scope="app")


def _read(desk: EvaluationDesk) -> Lab:
    """The stored answers; the first time, those of an earlier release may have to be made."""
    if st.session_state.get(_WAS_READ):
        return desk.gate.lab()
    with st.spinner("Reading the gate's stored answers …"):
        lab = desk.gate.lab()
    st.session_state[_WAS_READ] = True
    return lab


def _buttons(desk: EvaluationDesk, standing: Standing, wanted: GateThresholds) -> None:
    same = wanted == standing.thresholds
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Reset to what is in force",
            key="gate-reset",
            icon=":material/undo:",
            disabled=same,
            on_click=gate_save.set_sliders,
            args=(standing.thresholds,),
        )
        gate_trial.button(desk, wanted, same=same)
        st.button(
            "Save as policy …",
            key="gate-save",
            type="primary",
            icon=":material/gavel:",
            disabled=same or not standing.may_save,
            on_click=gate_save.ask,
            args=(wanted,),
        )
        if not standing.may_save:
            show(el("span", "Only a supervisor saves.", cls="cs-soft"), width="content")


def _effects(desk: EvaluationDesk, standing: Standing, lab: Lab, wanted: GateThresholds) -> None:
    asked = rerouted(lab.asked, standing.thresholds, wanted)
    golden = rerouted(lab.golden, standing.thresholds, wanted)
    show(_summary(lab, len(asked.moves), sum(bool(q.moves) for q in asked.questions)))
    gate_moves.totals(asked, golden)
    gate_moves.bars(asked if asked.questions else golden)
    gate_moves.golden(lab, golden)
    gate_trial.result(desk, wanted, standing)
    gate_moves.moves(asked)


def _summary(lab: Lab, moves: int, questions: int) -> Html:
    passages = sum(len(q.answers) for q in lab.asked)
    return el(
        "div",
        tag(f"{moves} of {count(passages, 'passage')} would go another way", "accent")
        if moves
        else tag("nothing moves"),
        tag(f"in {questions} of {count(len(lab.asked), 'question')}") if moves else None,
        el(
            "span",
            f"From the gate's stored answers to the last {count(len(lab.asked), 'question')} you "
            "may read. No model is asked; past runs stay as they are.",
            cls="cs-soft",
        ),
        cls="cs-gap",
    )


def _empty() -> None:
    show(
        el(
            "div",
            el("div", "There is no stored answer that you may read yet", cls="big"),
            el(
                "div",
                "Draft a reply, ask in the inspector, or press “Run the set” under Results. Every "
                "run leaves its answers here, and the sliders re-route them at once. What others "
                "asked is for supervisors.",
            ),
            cls="cs-empty",
        )
    )
