"""The queue at the side: counts, filters, and one card for each case."""

from __future__ import annotations

import streamlit as st

from core.review.views import QueueRow
from pages.components.untrusted import Html, el, join, label, show
from pages.components.words import RISK_WORDS, STATE_WORDS, ago, exact
from pages.reply_desk import state
from pages.shell import session
from pages.shell.office_desks import Desk

_FIRST = 25
_CHANNELS = ("channel", "email", "web", "slack", "api")
_RISKS = ("risk", "high", "medium", "low")


def draw(desk: Desk) -> tuple[QueueRow, ...]:
    """Draw the queue and return what it shows."""
    with st.sidebar:
        _counts(desk)
        rows = filtered(desk)
        _filters()
        if not rows:
            show(el("div", "No case matches these filters.", cls="cs-soft"))
        shown = rows if st.session_state.get("show-all") else _first(rows)
        with st.container(key="queue-rows"):
            for row in shown:
                _row(row, on=row.case_id == state.case_id())
        if len(rows) > _FIRST:
            st.toggle(f"Show all {len(rows):d}", key="show-all")
    return rows


def _first(rows: tuple[QueueRow, ...]) -> tuple[QueueRow, ...]:
    """Mine and the one that is open on top, then the first of the rest."""
    own = tuple(r for r in rows if r.mine or r.case_id == state.case_id())
    rest = tuple(r for r in rows if r not in own)
    return (*own, *rest[: max(0, _FIRST - len(own))])


def filtered(desk: Desk) -> tuple[QueueRow, ...]:
    """The queue under this browser's filters."""
    channel = st.session_state.get("filter-channel", _CHANNELS[0])
    risk = st.session_state.get("filter-risk", _RISKS[0])
    rows = desk.queue(
        channel=None if channel == _CHANNELS[0] else channel,
        risk=None if risk == _RISKS[0] else risk,
        search=st.session_state.get("search-queue") or "",
    )
    return tuple(r for r in rows if r.mine) if st.session_state.get("filter-mine") else rows


def next_after(desk: Desk, case_id: str) -> str | None:
    """The case to open once ``case_id`` is decided."""
    free = [r for r in filtered(desk) if r.case_id != case_id and (r.mine or not r.held_by)]
    return free[0].case_id if free else None


def _counts(desk: Desk) -> None:
    counts = desk.counts()
    show(
        el(
            "div",
            el("span", f"{counts.mine} mine", cls="cs-tag accent"),
            el("span", f"{counts.open} open", cls="cs-tag"),
            el("span", f"{counts.back} back", cls="cs-tag warn" if counts.back else "cs-tag"),
        )
    )


def _filters() -> None:
    st.text_input(
        "Search the queue",
        key="search-queue",
        placeholder="Search subject, customer, number",
        label_visibility="collapsed",
        icon=":material/search:",
    )
    left, right = st.columns(2, gap="small")
    left.selectbox("Channel", _CHANNELS, key="filter-channel", label_visibility="collapsed")
    right.selectbox("Risk", _RISKS, key="filter-risk", label_visibility="collapsed")
    st.checkbox("Only mine", key="filter-mine")


def _row(row: QueueRow, *, on: bool) -> None:
    with st.container(key=f"pick-case-{row.case_id}"):
        show(_card(row, on=on))
        st.button(
            f"Open case {label(row.case_id)}: {label(row.subject)}",
            key=f"open-{row.case_id}",
            on_click=state.go_to,
            args=(row.case_id,),
        )


def _card(row: QueueRow, *, on: bool) -> Html:
    waiting = ago(row.waiting_since, session.now())
    word, tone = RISK_WORDS[row.risk]
    holder = "yours" if row.mine else (f"with {row.held_by}" if row.held_by else "")
    under: list[Html] = []
    if row.risk != "low":
        under.append(el("span", f"● {word}", cls=f"cs-{tone}"))
    if row.state not in ("new", "drafted", "in_review"):
        under.append(el("span", STATE_WORDS[row.state]))
    if holder:
        under.append(el("span", holder))
    if row.warning:
        under.append(el("span", f"⚠ {row.warning}", cls="cs-warn"))
    return el(
        "div",
        el(
            "div",
            el("span", f"#{row.case_id} · {row.customer or 'unknown'}"),
            el("span", waiting, title=f"waiting since {exact(row.waiting_since)}"),
            cls="top",
        ),
        el("div", row.subject, cls="subject", title=row.subject),
        el("div", join(under), cls="under"),
        cls="cs-row cs-hover on" if on else "cs-row cs-hover",
    )
