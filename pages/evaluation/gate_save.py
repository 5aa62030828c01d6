"""Saving a gate policy: what changes, the reason, the confirmation; and the policies there were."""

from __future__ import annotations

import streamlit as st

from core.evaluation.gate_desk import PastPolicy, Standing
from core.evaluation.gate_lab import golden_effects, rerouted
from core.evaluation.gate_words import refused, thresholds_of
from core.models.evidence import GateThresholds
from core.models.gate_policy import REASON_AT_MOST
from pages.components import gate_words
from pages.components.cards import table, tag
from pages.components.notices import attempt
from pages.components.untrusted import Html, Piece, el, join, show
from pages.components.words import ago, count, exact
from pages.shell import session
from pages.shell.office_evaluation import EvaluationDesk

REDRAW = "gate-redraw"
_ASKED, _HELD = "gate-asked", "gate-held"


def key_of(name: str) -> str:
    """The slider's key."""
    return f"gate-{name}"


def wanted_thresholds(standing: Standing) -> GateThresholds:
    """Where the sliders stand; kept while other views are looked at."""
    held = st.session_state.get(_HELD)
    for name, value in (held or {}).items():
        st.session_state.setdefault(key_of(name), value)
    wanted = gate_words.sliders(standing.thresholds, key_of, columns=2)
    st.session_state[_HELD] = {name: round(v, 2) for name, v in wanted.model_dump().items()}
    return wanted


def set_sliders(thresholds: GateThresholds) -> None:
    """Move every slider."""
    for name, value in thresholds.model_dump().items():
        st.session_state[key_of(name)] = round(value, 2)


def ask(thresholds: GateThresholds, reason: str = "") -> None:
    """Open the dialog over the whole page."""
    st.session_state[_ASKED] = thresholds.model_dump()
    st.session_state["gate-reason"] = reason
    st.session_state[REDRAW] = True


def dialog(desk: EvaluationDesk, standing: Standing) -> None:
    """The dialog, while it is asked for."""
    held = st.session_state.get(_ASKED)
    if held is not None:
        _confirm(desk, standing, thresholds_of(held))


def _close() -> None:
    st.session_state.pop(_ASKED, None)


@st.dialog("Save gate policy", width="medium", on_dismiss=_close)
def _confirm(desk: EvaluationDesk, standing: Standing, wanted: GateThresholds) -> None:
    show(_changes(standing.thresholds, wanted))
    show(_meaning(desk, standing, wanted))
    reason = st.text_area(
        "Why? The audit keeps it.", key="gate-reason", height=80, max_chars=REASON_AT_MOST
    )
    sure = st.checkbox("I have looked at what moves", key="gate-sure")
    problems = refused(wanted, standing.thresholds, "given" if not reason.strip() else reason)
    if problems:
        show(el("div", join(el("div", f"✖ {words}") for words in problems), cls="cs-blocked"))
    with st.container(horizontal=True):
        saved = st.button(
            "Save and put in force",
            key="gate-confirm",
            type="primary",
            disabled=bool(problems) or not sure or not reason.strip(),
        )
        left = st.button("Cancel", key="gate-cancel")
    if saved:
        attempt(
            "Saved. It holds from the next run on; past runs stay as they are.",
            desk.gate.save,
            wanted,
            reason=reason,
            replaces=standing.policy_id,
        )
    if saved or left:
        _close()
        st.rerun()


def _changes(before: GateThresholds, after: GateThresholds) -> Html:
    rows: list[tuple[Piece, ...]] = []
    for name, words, _ in gate_words.SLIDERS:
        old, new = float(getattr(before, name)), float(getattr(after, name))
        same = old == new
        rows.append(
            (
                words,
                f"{old:.2f}",
                el("b", f"{new:.2f}") if not same else f"{new:.2f}",
                el("span", "same", cls="cs-soft") if same else "raised" if new > old else "lowered",
            )
        )
    return table(("Threshold", "In force", "New", ""), rows, numbers=(1, 2))


def _meaning(desk: EvaluationDesk, standing: Standing, wanted: GateThresholds) -> Html:
    lab = desk.gate.lab()
    asked = rerouted(lab.asked, standing.thresholds, wanted)
    effects = golden_effects(rerouted(lab.golden, standing.thresholds, wanted), lab.gold)
    worse = sum(effect.worse for effect in effects)
    tried = desk.gate.trial(wanted)
    return el(
        "div",
        tag(f"{count(len(asked.moves), 'passage')} of recent questions would go another way"),
        tag(f"✖ {count(worse, 'golden question')} would lose something", "bad")
        if worse
        else tag("✔ no golden question would lose anything", "good")
        if lab.golden
        else tag("⚠ the golden set was never run", "warn"),
        tag("✔ golden set run under these", "good")
        if tried
        else tag("⚠ golden set not run under these", "warn"),
        cls="cs-gap",
    )


# -- the policies there were ------------------------------------------------------------------


def history(standing: Standing) -> None:
    """Every policy, newest first; each can be taken up again, as a new one."""
    show(el("div", "Policies so far", cls="cs-cap"))
    if not standing.history:
        show(
            el(
                "div",
                "None yet: the first one you save replaces the thresholds of the settings.",
                cls="cs-soft",
            )
        )
        return
    for number, past in enumerate(standing.history):
        _past(past, standing, in_force=number == 0)


def _past(past: PastPolicy, standing: Standing, *, in_force: bool) -> None:
    policy = past.policy
    with st.container(key=f"card-policy-{policy.policy_id}", horizontal=True):
        show(
            el(
                "div",
                el(
                    "div",
                    tag("✔ in force", "good") if in_force else None,
                    el("b", policy.reason),
                ),
                el(
                    "div",
                    f"{ago(policy.saved_at, session.now())} ago by {policy.saved_by} · ",
                    changes_in_words(past.before, policy.thresholds),
                    cls="cs-soft",
                    title=f"{exact(policy.saved_at)}, {policy.policy_id}",
                ),
            )
        )
        same = policy.thresholds == standing.thresholds
        st.button(
            "Take up again …",
            key=f"gate-again-{policy.policy_id}",
            disabled=same or not standing.may_save,
            on_click=_again,
            args=(policy.thresholds, f"Back to the policy of {exact(policy.saved_at)}"),
        )
    if in_force:
        _undo(past, standing)


def _undo(past: PastPolicy, standing: Standing) -> None:
    st.button(
        "Undo the last change …",
        key="gate-undo",
        icon=":material/undo:",
        disabled=not standing.may_save or past.before == standing.thresholds,
        on_click=_again,
        args=(past.before, f"Undo of “{past.policy.reason}”"[:REASON_AT_MOST]),
    )


def _again(thresholds: GateThresholds, reason: str) -> None:
    set_sliders(thresholds)
    ask(thresholds, reason)
    st.session_state.pop(REDRAW, None)


def changes_in_words(before: GateThresholds, after: GateThresholds) -> str:
    """``injection 0.70 → 0.60``, for each that differs."""
    names = {"injection_max": "injection", "contradicts_min": "contradicts",
             "relevant_min": "relevant", "evidence_min": "evidence"}  # fmt: skip
    said = [
        f"{words} {getattr(before, name):.2f} → {getattr(after, name):.2f}"
        for name, words in names.items()
        if getattr(before, name) != getattr(after, name)
    ]
    return ", ".join(said) or "the same values"
