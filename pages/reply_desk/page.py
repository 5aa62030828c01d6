"""The reply desk: from opening a case to a safe decision."""

from __future__ import annotations

import streamlit as st

from core.errors import CountersignError
from core.review.views import CaseView
from pages.components.notices import show_error
from pages.components.untrusted import el, show
from pages.reply_desk import (
    action_dialogs,
    case,
    details,
    dialogs,
    draft,
    evidence,
    queue,
    state,
    undo,
)
from pages.shell import guard, session
from pages.shell.office_desks import Desk

_WORKABLE = ("new", "drafted", "in_review", "edited")


def render(desk: Desk) -> None:
    """The queue at the side, one case in the middle."""
    wanted = state.case_id()
    undo.draw(desk)
    view = _open(desk, wanted) if wanted else None
    rows = queue.draw(desk)
    if wanted is None:
        _nothing_chosen(any_case=bool(rows))
    if view is not None:
        _case(desk, view)


def _case(desk: Desk, view: CaseView) -> None:
    case.draw(desk, view)
    left, right = st.columns([1.04, 1], gap="medium")
    with left:
        evidence.draw(desk, view)
    with right:
        draft.draw(desk, view)
    details.draw(desk, view)
    dialogs.draw(desk, view)
    action_dialogs.draw(desk, view)


def _open(desk: Desk, wanted: str) -> CaseView | None:
    """The case: opened (leased and drafted) the first time, only read on later runs."""
    try:
        if state.is_opened(wanted):
            view = desk.view(wanted)
            if not _ran_out(view):
                return view
        with st.spinner("Opening the case: reading sources, checking claims …"):
            view = desk.open(wanted)
        state.note_opened(wanted)
    except CountersignError as error:
        show_error(error)
        st.button("Back to the queue", key="close-case", on_click=state.go_to, args=(None,))
        return None
    return view


def _ran_out(view: CaseView) -> bool:
    """Whether the lease ended while the page stood open, with nobody else on the case."""
    return view.lease is None and view.case.state in _WORKABLE


def _nothing_chosen(*, any_case: bool) -> None:
    if any_case:
        line = "Pick a case on the left. The longest waiting and riskiest come first."
        head = "No case open"
    else:
        line = "No case matches. Clear the filters, or wait for the next customer."
        head = "Nothing to review"
    show(el("div", el("div", head, cls="big"), el("div", line), cls="cs-empty"))


if __name__ == "__main__":
    guard.open_page("reply_desk", session.desk, render)
