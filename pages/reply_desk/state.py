"""What this browser is looking at: ids only. Everything that matters is in the stores."""

from __future__ import annotations

from typing import Any

import streamlit as st

_DIALOG, _EDITING, _OPENED, _PICKED, _SENT = "dialog", "editing", "opened", "picked", "sent"


def case_id() -> str | None:
    """The case in the address, ``?case=1042``."""
    return st.query_params.get("case")


def go_to(wanted: str | None) -> None:
    """Put another case (or none) into the address."""
    for key in (_PICKED, _EDITING, _DIALOG):
        st.session_state.pop(key, None)
    if wanted:
        st.query_params["case"] = wanted
    elif "case" in st.query_params:
        del st.query_params["case"]


def is_opened(wanted: str) -> bool:
    """Whether this browser has opened the case since it was last chosen."""
    return st.session_state.get(_OPENED) == wanted


def note_opened(wanted: str | None) -> None:
    """Remember which case is open, so that a rerun only reads it."""
    st.session_state[_OPENED] = wanted


def pick(kind: str, item: str) -> None:
    """Select a claim or a piece of evidence; selecting it again lets go."""
    now = [kind, item]
    st.session_state[_PICKED] = None if st.session_state.get(_PICKED) == now else now


def let_go() -> None:
    """Select nothing."""
    st.session_state[_PICKED] = None


def picked(kind: str) -> str | None:
    """The selected ``claim`` or ``evidence``, if that kind is selected."""
    held = st.session_state.get(_PICKED)
    return held[1] if held and held[0] == kind else None


def start_edit(wanted: str, text: str) -> None:
    """Open the editor on ``text``."""
    st.session_state[_EDITING] = wanted
    st.session_state[edit_key(wanted)] = text


def stop_edit() -> None:
    """Close the editor; the autosaved text stays on the server."""
    st.session_state.pop(_EDITING, None)


def is_editing(wanted: str) -> bool:
    """Whether the editor is open for the case."""
    return st.session_state.get(_EDITING) == wanted


def edit_key(wanted: str) -> str:
    """The key of the case's text area."""
    return f"edit-text-{wanted}"


def ask(kind: str, **about: str) -> None:
    """Open a dialog on the next run; ``about`` names what it is about."""
    st.session_state[_DIALOG] = {"kind": kind, **about}


def asked() -> dict[str, Any] | None:
    """The dialog to show, if any."""
    return st.session_state.get(_DIALOG)


def close_dialog() -> None:
    """Show no dialog."""
    st.session_state.pop(_DIALOG, None)


def leave_when_closed() -> None:
    """Draw the page anew from inside a dialog that was closed: a click redraws it alone."""
    if asked() is None:
        st.rerun(scope="app")


def note_sent(sent: str, until: str) -> None:
    """Remember the reply that just went out and until when it may be taken back (ISO time)."""
    st.session_state[_SENT] = [sent, until]


def just_sent() -> tuple[str, str] | None:
    """Case and end of the undo window of the last approval in this browser."""
    held = st.session_state.get(_SENT)
    return (held[0], held[1]) if held else None


def forget_sent() -> None:
    """The undo window is over or was used."""
    st.session_state.pop(_SENT, None)
