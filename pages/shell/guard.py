"""The lock on each page. Navigation hides a page; this refuses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from core.errors import CountersignError
from pages.components.notices import draw_notices, show_error
from pages.shell import session
from pages.shell.screens import signed_out, where

T = TypeVar("T")


def open_page(folder: str, build: Callable[[], T], render: Callable[[T], None]) -> None:
    """Render a page for a signed-in person with the right to it; say what is wrong otherwise."""
    try:
        who = session.person()
        if who is None:
            signed_out()
            return
        if not where(folder).open_to(who.context.actions):
            st.error("Your role does not open this page. Ask an administrator if it should.")
            return
        draw_notices()
        render(build())
    except CountersignError as error:
        show_error(error)
