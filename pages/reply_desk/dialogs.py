"""Dialogs of the desk. Each shows while a flag in the session says so; callbacks write."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import streamlit as st

from core.models.review import EscalationReason
from core.review.views import CaseView
from pages.components.notices import attempt
from pages.components.untrusted import el, join, label, show
from pages.components.words import REASON_WORDS
from pages.reply_desk import advice, queue, state
from pages.shell.office_desks import Desk

_KEYS = (
    ("Ctrl + Enter", "approve and send"),
    ("E", "edit the draft"),
    ("X", "escalate"),
    ("A", "ask the customer"),
    ("F", "refuse"),
    ("↓ ↑", "next, previous claim"),
    ("N", "show the next thing to open"),
    ("H", "this sheet"),
)


def draw(desk: Desk, view: CaseView) -> None:
    """The dialog asked for, if any."""
    wanted = state.asked()
    if wanted is None:
        return
    show_it = _DIALOGS.get(wanted["kind"])
    if show_it is not None:
        show_it(desk, view, wanted.get("chunk", ""))


@st.dialog("Escalate this case", width="medium", on_dismiss=state.close_dialog)
def _escalate(desk: Desk, view: CaseView, _chunk: str) -> None:
    st.caption("Question, draft, evidence, conflicts and open gaps go along.")
    reasons = list(get_args(EscalationReason))
    default = reasons.index(_likely_reason(view))
    st.selectbox(
        "Reason", reasons, index=default, key="esc-reason", format_func=lambda r: REASON_WORDS[r]
    )
    advised = advice.advised(view)
    to = (advised.to if advised else "") or view.suggested_escalation_to
    st.text_input("To whom", value=to, key="esc-to")
    st.text_input("What is missing", value=_missing(view), key="esc-missing")
    note = advised.grounds[0].words if advised and advised.grounds else ""
    st.text_area("Note", value=note, key="esc-note", height=90)
    _confirm("Escalate", lambda: _do_escalate(desk, view))


@st.dialog("Ask the customer", width="medium", on_dismiss=state.close_dialog)
def _ask(desk: Desk, view: CaseView, _chunk: str) -> None:
    st.caption("The question is checked like a reply before it leaves.")
    question = view.suggested_question or advice.question_to_ask(view)
    st.text_area("Question", value=question, key="ask-text", height=120)
    _confirm("Send the question", lambda: _do_ask(desk, view))


@st.dialog("Refuse", on_dismiss=state.close_dialog)
def _refuse(desk: Desk, view: CaseView, _chunk: str) -> None:
    st.caption("The customer gets the standard refusal. The reason stays with us.")
    st.text_input("Reason", value=advice.reason_to_refuse(view), key="refuse-reason")
    _confirm("Send the refusal", lambda: _do_refuse(desk, view))


@st.dialog("Draft again", on_dismiss=state.close_dialog)
def _redraft(desk: Desk, view: CaseView, _chunk: str) -> None:
    st.caption("The co-pilot reads the sources again. An edit you saved stays.")
    st.text_input("What was wrong with this draft (may stay empty)", key="redraft-reason")
    _confirm("Draft again", lambda: _do_redraft(desk, view))


@st.dialog("Reject this draft", on_dismiss=state.close_dialog)
def _reject(desk: Desk, view: CaseView, _chunk: str) -> None:
    st.caption("The draft is of no use. The case goes back to the queue as new.")
    st.text_input("What is wrong with it?", key="reject-reason")
    _confirm("Reject the draft", lambda: _do_reject(desk, view))


@st.dialog("Use a passage that was left out", on_dismiss=state.close_dialog)
def _use(desk: Desk, view: CaseView, chunk: str) -> None:
    st.caption("The co-pilot drafts again with it. Your reason goes into the audit.")
    st.text_input("Why does it belong here?", key="use-reason")
    _confirm("Use it and draft again", lambda: _do_use(desk, view, chunk))


@st.dialog("Leave a passage out", on_dismiss=state.close_dialog)
def _drop(desk: Desk, view: CaseView, chunk: str) -> None:
    st.caption("The co-pilot drafts again without it. Your reason goes into the audit.")
    st.text_input("Why does it not belong here?", key="drop-reason")
    _confirm("Leave it out and draft again", lambda: _do_drop(desk, view, chunk))


@st.dialog("Flag a passage for its owner", on_dismiss=state.close_dialog)
def _flag(desk: Desk, view: CaseView, chunk: str) -> None:
    st.caption("The owner sees the flag with this case. The draft stays as it is.")
    st.text_input("Which claim is wrong or doubtful?", key="flag-claim")
    st.text_input("Why?", key="flag-reason")
    _confirm("Flag it", lambda: _do_flag(desk, view, chunk))


@st.dialog("Keys", on_dismiss=state.close_dialog)
def _keys(_desk: Desk, _view: CaseView, _chunk: str) -> None:
    state.leave_when_closed()
    lines = (el("div", el("kbd", key), " ", what) for key, what in _KEYS)
    show(el("div", join(lines)))
    st.button("Close", key="close-keys", on_click=state.close_dialog)


_DIALOGS: dict[str, Callable[[Desk, CaseView, str], None]] = {
    "escalate": _escalate,
    "ask": _ask,
    "refuse": _refuse,
    "redraft": _redraft,
    "reject": _reject,
    "use": _use,
    "drop": _drop,
    "flag": _flag,
    "keys": _keys,
}


def _confirm(words: str, act: Callable[[], None]) -> None:
    state.leave_when_closed()
    with st.container(horizontal=True):
        st.button(label(words), key="confirm", type="primary", on_click=act)
        st.button("Cancel", key="cancel", on_click=state.close_dialog)


def _written(key: str) -> str:
    return str(st.session_state.get(key, "")).strip()


def _finish(desk: Desk, view: CaseView, result: object, *, decided: bool) -> None:
    if result is None:
        return
    state.close_dialog()
    if decided:
        if isinstance(result, CaseView) and result.undo_until is not None:
            state.note_sent(view.case.case_id, result.undo_until.isoformat())
        state.go_to(queue.next_after(desk, view.case.case_id))


def _do_escalate(desk: Desk, view: CaseView) -> None:
    result = attempt(
        f"#{view.case.case_id} is escalated with its packet.",
        desk.escalate,
        view.case.case_id,
        reason=st.session_state["esc-reason"],
        to=_written("esc-to"),
        missing=_written("esc-missing"),
        note=_written("esc-note"),
        case_version=view.case.version,
    )
    _finish(desk, view, result, decided=True)


def _do_ask(desk: Desk, view: CaseView) -> None:
    result = attempt(
        f"The question for #{view.case.case_id} is on its way.",
        desk.ask_customer,
        view.case.case_id,
        question=_written("ask-text"),
        case_version=view.case.version,
    )
    _finish(desk, view, result, decided=True)


def _do_refuse(desk: Desk, view: CaseView) -> None:
    result = attempt(
        f"#{view.case.case_id} is refused; the standard words are on their way.",
        desk.refuse,
        view.case.case_id,
        reason=_written("refuse-reason"),
        case_version=view.case.version,
    )
    _finish(desk, view, result, decided=True)


def _do_redraft(desk: Desk, view: CaseView) -> None:
    reason = _written("redraft-reason")
    _finish(
        desk,
        view,
        attempt("A new draft is here.", desk.redraft, view.case.case_id, reason=reason),
        decided=False,
    )


def _do_reject(desk: Desk, view: CaseView) -> None:
    result = attempt(
        f"The draft of #{view.case.case_id} is rejected.",
        desk.reject,
        view.case.case_id,
        reason=_written("reject-reason"),
        case_version=view.case.version,
    )
    _finish(desk, view, result, decided=True)


def _do_use(desk: Desk, view: CaseView, chunk: str) -> None:
    result = attempt(
        "Drafted again with the passage you chose.",
        desk.use_left_out,
        view.case.case_id,
        chunk_id=chunk,
        reason=_written("use-reason"),
    )
    _finish(desk, view, result, decided=False)


def _do_drop(desk: Desk, view: CaseView, chunk: str) -> None:
    result = attempt(
        "Drafted again without that passage.",
        desk.not_this_one,
        view.case.case_id,
        chunk_id=chunk,
        reason=_written("drop-reason"),
    )
    _finish(desk, view, result, decided=False)


def _do_flag(desk: Desk, view: CaseView, chunk: str) -> None:
    result = attempt(
        "Flagged. The owner will see it.",
        desk.flag,
        view.case.case_id,
        chunk_id=chunk,
        claim=_written("flag-claim"),
        reason=_written("flag-reason"),
    )
    _finish(desk, view, result, decided=False)


def _likely_reason(view: CaseView) -> EscalationReason:
    advised = advice.advised(view)
    if advised is not None and advised.reason is not None:
        return advised.reason
    status = view.run.answer.status if view.run else "escalated"
    if status == "conflicting_evidence":
        return "conflicting_sources"
    if status == "escalated":
        return "stage_failure"
    return "insufficient_evidence"


def _missing(view: CaseView) -> str:
    advised = advice.advised(view)
    points = advised.missing if advised else ()
    said = view.run.answer.missing_information if view.run else ()
    return "; ".join(dict.fromkeys((*points, *said)))
