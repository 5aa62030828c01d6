"""The moment after sending: how long it can be taken back, and the button for it."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from core.errors import CountersignError
from pages.components.notices import attempt
from pages.components.untrusted import el, show
from pages.reply_desk import state
from pages.shell import session
from pages.shell.office_desks import Desk


def draw(desk: Desk) -> None:
    """The bar for the last approval of this browser, while it can be undone and shortly after."""
    sent = state.just_sent()
    if sent is None:
        return
    case_id, until = sent
    if _seconds_left(until) < -20:
        state.forget_sent()
        return
    _bar(desk, case_id, until)


@st.fragment(run_every=2)
def _bar(desk: Desk, case_id: str, until: str) -> None:
    if state.just_sent() is None:
        # A click in a fragment redraws the fragment alone; after an undo the page must follow.
        st.rerun(scope="app")
    left = _seconds_left(until)
    with st.container(key="undo-bar", horizontal=True, vertical_alignment="center", border=True):
        if left > 0:
            stamp = str(int(datetime.fromisoformat(until).timestamp()))
            show(
                el(
                    "div",
                    f"✔ Approved #{case_id}. It leaves in ",
                    el("b", f"{int(left)} s", data_until=stamp),
                    ".",
                )
            )
            st.button(
                "Undo", key="undo", icon=":material/undo:", on_click=_undo, args=(desk, case_id)
            )
        else:
            show(el("div", _fate(desk, case_id), cls="cs-soft"))


def _undo(desk: Desk, case_id: str) -> None:
    if attempt(f"#{case_id} is back with you; nothing was sent.", desk.undo, case_id) is not None:
        state.forget_sent()
        state.note_opened(None)
        state.go_to(case_id)


def _fate(desk: Desk, case_id: str) -> str:
    try:
        item = desk.view(case_id).outbox
    except CountersignError:
        return f"#{case_id} was approved."
    if item is None or item.state in ("pending", "delivering"):
        return f"#{case_id} is on its way."
    if item.state == "delivered":
        return f"✔ #{case_id} was delivered."
    return f"#{case_id}: delivery is {item.state}. {item.last_error}"


def _seconds_left(until: str) -> float:
    if not until:
        return -1.0
    return (datetime.fromisoformat(until) - session.now()).total_seconds()
