"""The screens there are, and which rights open them: one line for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from pages.components.untrusted import el, show


@dataclass(frozen=True)
class Screen:
    """One folder under ``pages`` with its address and the actions, any of which opens it."""

    folder: str
    title: str
    icon: str
    address: str
    actions: tuple[str, ...]

    def open_to(self, actions: Sequence[str]) -> bool:
        """Whether any of a person's actions opens the screen."""
        return any(action in actions for action in self.actions)


SCREENS = (
    Screen("reply_desk", "Reply desk", ":material/inbox:", "desk", ("review",)),
    # Agents read sources there too: "open in source" leads to it. The shelf guards every change.
    Screen(
        "knowledge",
        "Knowledge",
        ":material/library_books:",
        "knowledge",
        ("own_knowledge", "review", "supervise", "administer"),
    ),
    Screen(
        "escalations",
        "Escalations",
        ":material/moving:",
        "escalations",
        ("supervise", "administer", "own_knowledge"),
    ),
    Screen("audit", "Audit", ":material/verified_user:", "audit", ("supervise", "administer")),
    Screen("inspector", "Inspector", ":material/biotech:", "inspector", ("ask",)),
    Screen(
        "evaluation",
        "Evaluation",
        ":material/monitoring:",
        "evaluation",
        ("supervise", "administer"),
    ),
    Screen("settings", "Settings", ":material/settings:", "settings", ("administer",)),
)


def where(folder: str) -> Screen:
    """The screen in ``folder``."""
    return next(screen for screen in SCREENS if screen.folder == folder)


def signed_out() -> None:
    """What a person without a session sees."""
    st.subheader("You are signed out")
    st.info("Sign in to go on. Nothing you saved is lost: edits are kept on the server.")
    show(el("a", "Go to sign-in", href="/signin", cls="cs-button"))
