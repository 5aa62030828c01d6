"""What app.py runs for a browser session: the look, the person, and the pages open to them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.errors import CountersignError
from pages.components.look import apply_look
from pages.components.untrusted import el, show
from pages.shell import session
from pages.shell.screens import SCREENS, signed_out
from pages.shell.session import Person

_ROOT = Path(__file__).resolve().parent.parent


def run() -> None:
    """Draw the frame and the page asked for."""
    st.set_page_config(
        page_title="Countersign", page_icon="✒️", layout="wide"
    )
    apply_look()
    try:
        who = session.person()
    except CountersignError:
        who = None
    if who is None:
        st.navigation([st.Page(signed_out, title="Signed out")], position="hidden").run()
        return
    pages = [
        st.Page(
            _ROOT / screen.folder / "page.py",
            title=screen.title,
            icon=screen.icon,
            url_path=screen.address,
            default=index == 0,
        )
        for index, screen in enumerate(s for s in SCREENS if s.open_to(who.context.actions))
    ]
    if not pages:
        st.error("Your role opens no page here. Ask an administrator.")
        _who_bar(who)
        return
    chosen = st.navigation(pages, position="top")
    _who_bar(who)
    chosen.run()


def _who_bar(who: Person) -> None:
    with st.sidebar.container(key="who", horizontal=True, vertical_alignment="center"):
        role = who.user.roles[0].replace("_", " ") if who.user.roles else "no role"
        show(
            el(
                "div",
                el("div", who.user.name, cls="cs-name"),
                el("div", f"{role} · demo sign-in, this machine only", cls="cs-soft"),
                cls="cs-who",
            )
        )
        st.button(
            "Sign out",
            key="sign-out",
            icon=":material/logout:",
            type="tertiary",
            on_click=session.sign_out,
        )
