"""A question under way: what is being answered, and the way to stop it."""

from __future__ import annotations

import streamlit as st

from core.errors import CountersignError
from pages.components.notices import notify
from pages.components.untrusted import el, show
from pages.shell.office_asking import Inspector

AT_ONCE = 1.5
"""Seconds an answer may take before the page says that it is under way."""


def draw(inspector: Inspector) -> None:
    """Looks in again until the answer is there."""
    _watch(inspector)


@st.fragment(run_every=0.5)
def _watch(inspector: Inspector) -> None:
    if collect(inspector):
        st.rerun()
    work = inspector.under_way()
    if work is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="asking"):
        words = "Stopping before the next stage" if work.is_stopping else "Running every stage"
        show(el("div", el("b", f"{words} … "), work.about))
        st.button(
            "Stop",
            key="stop-run",
            icon=":material/stop_circle:",
            disabled=work.is_stopping,
            on_click=inspector.stop,
        )


def collect(inspector: Inspector, *, wait: float = 0.0) -> bool:
    """Whether nothing is under way any more; the run that was made is then the one shown."""
    try:
        run = inspector.finished(wait)
    except CountersignError as error:
        notify("error", f"{error}\nNothing was stored.")
        return True
    if run is not None:
        st.query_params["trace"] = run.trace.trace_id
    return run is not None
