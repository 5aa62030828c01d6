"""A decision's evidence looked up again on the index it was given on."""

from __future__ import annotations

import streamlit as st

from core.errors import CountersignError
from core.models.trace import RagTrace
from core.review.replay import Replay, ReplayedPassage
from pages.components.cards import source_address, table, tag
from pages.components.notices import show_error
from pages.components.untrusted import Html, el, join, show
from pages.components.words import count
from pages.shell.office_desks import AuditDesk

_ASKED = "replay-of"
_TONES = {"word for word": "good", "other words": "bad", "not there": "bad"}


def draw(desk: AuditDesk, trace: RagTrace | None) -> None:
    """A button, and what came of it; nothing is searched before somebody asks."""
    if trace is None or not trace.index_versions:
        show(el("div", "No search stands behind this decision, or it is not yours.", cls="cs-soft"))
        return
    words = "Look every passage up again on the index of that moment, and run the same searches."
    show(el("div", words, cls="cs-soft"))
    st.button("Replay", key="replay", icon=":material/replay:", on_click=_ask, args=(trace,))
    if st.session_state.get(_ASKED) != trace.trace_id:
        return
    try:
        with st.spinner("Searching the index of then …"):
            found = desk.replay(trace.trace_id)
    except CountersignError as error:
        show_error(error)
        return
    show(_found(found))


def _ask(trace: RagTrace) -> None:
    st.session_state[_ASKED] = trace.trace_id


def _found(found: Replay) -> Html:
    used = tuple(p for p in found.passages if p.evidence_id)
    verdict = (
        tag(f"{count(len(used), 'passage')} used, each there word for word", "good")
        if found.agrees
        else tag("some evidence does not stand in the index of then as it was used", "bad")
    )
    return join(
        (
            el("div", verdict, tag(f"index version {found.index_version}")),
            el("div", "Searched for: " + " · ".join(found.queries), cls="cs-soft"),
            table(
                ("Passage", "Then", "Same search finds it", "Part in the answer"),
                map(_row, found.passages),
            ),
        )
    )


def _address(passage: ReplayedPassage) -> str:
    return source_address(passage.source_id, passage.document_id, passage.chunk_id)


def _row(passage: ReplayedPassage) -> tuple[Html | str, ...]:
    return (
        el("a", passage.title, href=_address(passage)),
        tag(passage.standing, _TONES[passage.standing]),
        "yes" if passage.found_again else "no",
        "evidence" if passage.evidence_id else "left out",
    )
