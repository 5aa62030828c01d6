"""Proposed actions beside the draft: what would change, on what grounds, and what became of it."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from core.models.action import ActionProposal, ActionRecord
from core.review.views import ActionView, CaseView
from pages.components.cards import chip, table, tag
from pages.components.notices import attempt
from pages.components.untrusted import Html, Piece, el, join, label, show
from pages.components.words import ACTION_WORDS, ago, exact
from pages.reply_desk import state
from pages.reply_desk.evidence import labels_of
from pages.shell import session
from pages.shell.office_desks import Desk

_UNDECIDED = ("needs your decision", "warn")


def draw(desk: Desk, view: CaseView) -> None:
    """A card for each action; nothing at all where there is none."""
    if not view.actions:
        return
    show(
        el(
            "div",
            el("span", "Proposed actions ", cls="cs-cap"),
            el("span", "Sending the reply runs none of them.", cls="cs-soft"),
        )
    )
    labels = labels_of(view)
    for number, action in enumerate(view.actions):
        with st.container(key=f"card-action-{number}"):
            show(_card(action, labels))
            _buttons(desk, view, action, number)
    if any(not action.settled for action in view.actions):
        _watch(desk, view.case.case_id, tuple(_stand(a) for a in view.actions))


def calculation(proposal: ActionProposal) -> Html | None:
    """The steps of the calculation behind a proposal."""
    if not proposal.steps:
        return None
    rows = ((step.label, step.expression, step.result) for step in proposal.steps)
    return table(("Calculation", "From", "Result"), rows, numbers=(2,))


def _card(action: ActionView, labels: dict[str, str]) -> Html:
    proposal, record = action.proposal, action.record
    words, tone = ACTION_WORDS[record.state] if record else _UNDECIDED
    chips: list[Piece] = []
    for evidence_id in proposal.evidence_ids:
        if word := labels.get(evidence_id):
            chips += [" ", chip(word, record=word[0] == "R")]
    return join(
        (
            el(
                "div",
                el("span", proposal.title, cls="cs-src"),
                tag(words, tone),
                cls="cs-card-head",
            ),
            el("div", _final(proposal, record) or proposal.preview),
            el("div", proposal.reason, *chips, cls="cs-soft"),
            calculation(proposal),
            _stands(action) if record else None,
            el("div", "; ".join(action.blocked_by), cls="cs-blocked")
            if action.blocked_by
            else None,
        )
    )


def _final(proposal: ActionProposal, record: ActionRecord | None) -> str:
    """What was confirmed, where a person changed it; empty where it is as proposed."""
    if record is None or record.arguments == proposal.arguments:
        return ""
    named = [
        f"{p.label.lower()} {record.arguments.get(p.name, '')}"
        for p in proposal.parameters
        if p.editable
    ]
    return f"Confirmed with {', '.join(named)}."


def _stands(action: ActionView) -> Html:
    record = action.record
    at = record.settled_at or record.at if record else None
    when = f" · {ago(at, session.now())} ago" if at else ""
    return el("div", action.words, when, cls="cs-rule", title=exact(at) if at else None)


def _buttons(desk: Desk, view: CaseView, action: ActionView, number: int) -> None:
    about = {"proposal": action.proposal.proposal_id}
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"act-on-{number}"
    ):
        if action.open:
            st.button(
                "Confirm and run …",
                key=f"confirm-action-{number}",
                icon=":material/task_alt:",
                disabled=bool(action.blocked_by),
                on_click=state.ask,
                args=("confirm-action",),
                kwargs=about,
            )
            st.button(
                "Not this",
                key=f"decline-action-{number}",
                type="tertiary",
                on_click=state.ask,
                args=("decline-action",),
                kwargs=about,
            )
        if action.may_settle:
            st.button(
                "Say what became of it",
                key=f"settle-action-{number}",
                on_click=state.ask,
                args=("settle-action",),
                kwargs=about,
            )
        if action.take_back_until is not None:
            _take_back(desk, view, action, action.take_back_until, number)


def _take_back(
    desk: Desk, view: CaseView, action: ActionView, until: datetime, number: int
) -> None:
    left = max(0, int((until - session.now()).total_seconds()))
    stamp = str(int(until.timestamp()))
    show(el("div", "It runs in ", el("b", f"{left} s", data_until=stamp), cls="cs-soft"))
    st.button(
        "Take it back",
        key=f"take-back-action-{number}",
        icon=":material/undo:",
        on_click=attempt,
        args=(
            f"{action.proposal.title}: taken back, nothing was done.",
            desk.take_back_action,
            view.case.case_id,
        ),
        kwargs={"proposal_id": action.proposal.proposal_id},
    )


def _stand(action: ActionView) -> tuple[str, bool]:
    state_now = action.record.state if action.record else ""
    return f"{action.proposal.proposal_id} {state_now}", action.take_back_until is not None


@st.fragment(run_every=2)
def _watch(desk: Desk, case_id: str, shown: tuple[tuple[str, bool], ...]) -> None:
    """Redraw the page once an action that is under way has moved on."""
    if state.asked() is not None:
        return
    if tuple(_stand(a) for a in desk.view(case_id).actions) != shown:
        st.rerun(scope="app")
    show(el("div", label("Watching what becomes of it."), cls="cs-soft cs-small"))
