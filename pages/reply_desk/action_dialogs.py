"""The second step before an action runs, and the words for not running it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from core.errors import CountersignError, NotReady
from core.models.action import ActionParameter
from core.review.views import ActionView, CaseView
from pages.components.notices import notify
from pages.components.untrusted import Html, el, join, label, show
from pages.reply_desk import state
from pages.reply_desk.actions import calculation
from pages.shell.office_desks import Desk

_PROBLEM = "action-problem"


def draw(desk: Desk, view: CaseView) -> None:
    """The dialog asked for, if it is about an action of this case."""
    wanted = state.asked()
    show_it = _DIALOGS.get(wanted["kind"]) if wanted else None
    if wanted is None or show_it is None:
        return
    named = (a for a in view.actions if a.proposal.proposal_id == wanted.get("proposal"))
    action = next(named, None)
    if action is None:
        _close()
        return
    show_it(desk, view, action)


def _close() -> None:
    st.session_state.pop(_PROBLEM, None)
    state.close_dialog()


@st.dialog("Confirm and run", width="medium", on_dismiss=_close)
def _confirm(desk: Desk, view: CaseView, action: ActionView) -> None:
    state.leave_when_closed()
    proposal = action.proposal
    show(
        join(
            (
                el("div", proposal.title, cls="cs-src"),
                el("div", proposal.preview),
                el("div", proposal.reason, cls="cs-soft"),
                calculation(proposal),
                _fixed(action),
            )
        )
    )
    for parameter in proposal.parameters:
        if parameter.editable:
            _input(parameter, proposal.arguments.get(parameter.name, ""))
    if proposal.moves_money:
        _money(action)
    _problem()
    words = "Pay it back" if proposal.moves_money else "Make the change"
    _act(words, lambda: _do_confirm(desk, view, action))


def _fixed(action: ActionView) -> Html:
    """What the record fixes, in one line."""
    proposal = action.proposal
    shown = (
        el("span", f"{p.label} ", el("b", proposal.arguments.get(p.name, "")), "\u2002")
        for p in proposal.parameters
        if not p.editable
    )
    return el("div", join(shown))


def _input(parameter: ActionParameter, proposed: str) -> None:
    key = f"action-arg-{parameter.name}"
    if parameter.kind == "choice":
        st.selectbox(label(parameter.label), list(parameter.choices), key=key)
        return
    unit = f" in {parameter.unit}" if parameter.unit else ""
    bound = f", at most {parameter.maximum}" if parameter.maximum else ""
    st.text_input(
        label(f"{parameter.label}{unit}{bound}"),
        value=proposed,
        key=key,
        max_chars=parameter.max_chars,
    )


def _money(action: ActionView) -> None:
    if action.may_pass_bound:
        st.text_input("Why more than that is right (only if it is more)", key="action-override")
    st.text_input(
        "Type the amount once more",
        key="action-again",
        help="Money leaves the company. The second time guards against a slip.",
    )


@st.dialog("Not this action", on_dismiss=_close)
def _decline(desk: Desk, view: CaseView, action: ActionView) -> None:
    state.leave_when_closed()
    show(el("div", f"{action.proposal.title}: nothing will be done.", cls="cs-soft"))
    st.text_input("Why not?", key="action-decline-reason")
    _problem()
    _act("Do not run it", lambda: _do_decline(desk, view, action))


@st.dialog("What became of it?", on_dismiss=_close)
def _settle(desk: Desk, view: CaseView, action: ActionView) -> None:
    state.leave_when_closed()
    show(el("div", action.words))
    st.radio("Look it up first. It was", ["done", "not done"], key="action-was")
    st.text_input("Where you looked and what you found", key="action-note")
    _problem()
    _act("Note it", lambda: _do_settle(desk, view, action))


_DIALOGS: dict[str, Callable[[Desk, CaseView, ActionView], None]] = {
    "confirm-action": _confirm,
    "decline-action": _decline,
    "settle-action": _settle,
}


def _problem() -> None:
    if problem := st.session_state.get(_PROBLEM):
        show(el("div", problem, cls="cs-bad"))


def _act(words: str, act: Callable[[], None]) -> None:
    with st.container(horizontal=True):
        st.button(label(words), key="confirm", type="primary", on_click=act)
        st.button("Cancel", key="cancel", on_click=_close)


def _written(key: str) -> str:
    return str(st.session_state.get(key, "")).strip()


def _run(told: str, call: Callable[..., CaseView], case_id: str, /, **given: Any) -> None:
    """Run the write; what stands against it is said in the dialog, beside what was typed."""
    try:
        call(case_id, **given)
    except CountersignError as error:
        findings = error.findings if isinstance(error, NotReady) else ()
        st.session_state[_PROBLEM] = " ".join((str(error), *findings))
        return
    _close()
    notify("success", told)


def _do_confirm(desk: Desk, view: CaseView, action: ActionView) -> None:
    proposal = action.proposal
    given = {p.name: _written(f"action-arg-{p.name}") for p in proposal.parameters if p.editable}
    if proposal.moves_money and _written("action-again") != given.get("amount"):
        st.session_state[_PROBLEM] = "The two amounts are not the same. Type both again."
        return
    _run(
        f"{proposal.title}: confirmed. It can be taken back for a moment.",
        desk.confirm_action,
        view.case.case_id,
        proposal_id=proposal.proposal_id,
        trace_id=view.run.trace.trace_id if view.run else "",
        arguments=given,
        override_reason=_written("action-override"),
    )


def _do_decline(desk: Desk, view: CaseView, action: ActionView) -> None:
    _run(
        f"{action.proposal.title}: declined.",
        desk.decline_action,
        view.case.case_id,
        proposal_id=action.proposal.proposal_id,
        trace_id=view.run.trace.trace_id if view.run else "",
        reason=_written("action-decline-reason"),
    )


def _do_settle(desk: Desk, view: CaseView, action: ActionView) -> None:
    _run(
        f"{action.proposal.title}: noted.",
        desk.settle_action,
        view.case.case_id,
        proposal_id=action.proposal.proposal_id,
        done=_written("action-was") == "done",
        note=_written("action-note"),
    )
