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
    st.set_page_config(page_title="Countersign", page_icon="✒️", layout="wide")
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
        )
        for screen in SCREENS
        if screen.open_to(who.context.actions)
    ]
    chosen = st.navigation([_start(pages), *pages], position="top")
    with st.sidebar:
        show(el("div", el("span", "", cls="cs-dot"), "Countersign", cls="cs-brand"))
    chosen.run()
    _who_bar(who)


def _start(pages: list[st.Page]) -> st.Page:
    """The page at ``/``. Streamlit gives its default page no address of its own, so a screen that
    were the default could not be linked to by name; this one leads on, keeping ``?case=…``.
    """

    def lead_on() -> None:
        if not pages:
            st.error("Your role opens no page here. Ask an administrator.")
            return
        st.switch_page(pages[0], query_params=st.query_params.to_dict())

    return st.Page(lead_on, title="Countersign", default=True, visibility="hidden")


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
