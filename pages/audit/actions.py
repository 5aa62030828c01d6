"""Actions in the audit: who confirmed what, with which arguments, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.models.action import ActionRecord
from pages.components.action_table import actions_table
from pages.components.untrusted import Html, el, join, show
from pages.components.words import count
from pages.shell.office_desks import AuditDesk


def draw(desk: AuditDesk, case_id: str | None) -> None:
    """The actions of the company or of one case, folded away; nothing where there is none."""
    actions = desk.actions(case_id)
    if actions:
        with st.expander(f"Actions: {len(actions):d} decided on by reviewers"):
            show(actions_table(actions, with_case=True))


def of_case(actions: Sequence[ActionRecord]) -> Html:
    """Those of one case."""
    if not actions:
        return el("div", "No action of this case was confirmed or declined.", cls="cs-soft")
    return join(
        (
            el("div", f"{count(len(actions), 'action')} of this case.", cls="cs-soft"),
            actions_table(actions, with_case=False),
        )
    )
