"""Audit: whether the chain holds, every decision, and what was known when it was made."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from functools import partial

import streamlit as st

from core.review.views import ChainState, DecisionRow
from pages.audit import actions, decision
from pages.components.cards import tag
from pages.components.untrusted import Html, el, join, label, show
from pages.components.words import DECISION_WORDS, ago, count, exact, span
from pages.shell import guard, session
from pages.shell.office_desks import AuditDesk

_ANY = "any decision"
_SINCE = {"any time": None, "today": 0, "last 7 days": 7, "last 30 days": 30}
_CHAIN = "chain-state"


def render(desk: AuditDesk) -> None:
    """Chain on top, filters at the side, the list, and one decision beside it."""
    _chain(desk)
    actions.draw(desk, _asked("filter-case").lstrip("#") or None)
    with st.sidebar:
        _filters()
        _export(desk)
    rows = _found(desk)
    wanted = st.query_params.get("decision")
    if not rows and not wanted:
        _empty()
        return
    left, right = st.columns([1, 1.7], gap="medium")
    with left:
        show(el("div", count(len(rows), "decision"), cls="cs-cap"))
        for row in rows:
            _row(row, on=row.disposition.disposition_id == wanted)
    with right:
        if wanted:
            decision.draw(desk, wanted)
        else:
            show(
                el(
                    "div",
                    el("div", "Pick a decision to see what was known.", cls="big"),
                    cls="cs-empty",
                )
            )


def _chain(desk: AuditDesk) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="chain"):
        state = _verified(desk)
        show(_chain_words(state))
        st.button("Verify again", key="verify", icon=":material/verified:", on_click=_forget_chain)


def _verified(desk: AuditDesk) -> ChainState:
    """The chain as verified in this session within the last minute (it reads every event)."""
    held = st.session_state.get(_CHAIN)
    if held and session.now().timestamp() - held["at"] < 60:
        return ChainState.model_validate(held["state"])
    with st.spinner("Verifying the chain …"):
        state = desk.verify()
    st.session_state[_CHAIN] = {"at": session.now().timestamp(), "state": state.model_dump()}
    return state


def _forget_chain() -> None:
    st.session_state.pop(_CHAIN, None)


def _chain_words(state: ChainState) -> Html:
    if state.ok:
        return el(
            "div",
            el("b", f"✔ Verified to event {state.events:,}", cls="cs-good"),
            el(
                "span",
                f"every link holds, head {state.head[:12]}",
                cls="cs-soft",
                title=state.head,
            ),
            cls="cs-chain good",
        )
    return el(
        "div",
        el("b", f"✖ The chain breaks at event {state.broken_at}", cls="cs-bad"),
        el(
            "span",
            f"{state.reason} Do not rely on events from there on; keep the database as it is.",
        ),
        cls="cs-chain bad",
    )


def _filters() -> None:
    st.text_input("Person", key="filter-person", placeholder="user id, such as ana")
    st.text_input("Case", key="filter-case", placeholder="such as 1042")
    st.text_input("Source", key="filter-source", placeholder="source id")
    st.selectbox("Decision", [_ANY, *DECISION_WORDS], key="filter-kind", format_func=_kind)
    st.selectbox("When", list(_SINCE), key="filter-since")
    st.text_input("Words in the text sent", key="filter-text")


def _kind(kind: str) -> str:
    return DECISION_WORDS.get(kind, kind)


def _found(desk: AuditDesk) -> tuple[DecisionRow, ...]:
    kind = _asked("filter-kind")
    return desk.decisions(
        person=_asked("filter-person") or None,
        case_id=_asked("filter-case").lstrip("#") or None,
        source_id=_asked("filter-source") or None,
        kind=None if kind in ("", _ANY) else kind,
        since=_since(_asked("filter-since")),
        text=_asked("filter-text"),
    )


def _asked(key: str) -> str:
    return str(st.session_state.get(key) or "").strip()


def _since(words: str) -> datetime | None:
    days = _SINCE.get(words)
    if days is None:
        return None
    return datetime.combine(session.now().date() - timedelta(days=days), time.min, tzinfo=UTC)


def _export(desk: AuditDesk) -> None:
    show(el("div", "Export the chain", cls="cs-cap"))
    show(
        el("div", "Addresses and numbers are masked. The export is an event itself.", cls="cs-soft")
    )
    with st.container(horizontal=True):
        for words, form, mime in (
            ("CSV", "csv", "text/csv"),
            ("JSONL", "jsonl", "application/jsonl"),
        ):
            st.download_button(
                words,
                data=partial(desk.export, form),
                file_name=f"countersign-audit.{form}",
                mime=mime,
                key=f"export-{form}",
                icon=":material/download:",
            )


def _row(row: DecisionRow, *, on: bool) -> None:
    made = row.disposition
    with st.container(key=f"pick-decision-{made.disposition_id}"):
        show(_card(row, on=on))
        st.button(
            f"Open the decision on {label(made.case_id)}",
            key=f"open-{made.disposition_id}",
            on_click=_go_to,
            args=(made.disposition_id,),
        )


def _card(row: DecisionRow, *, on: bool) -> Html:
    made = row.disposition
    when = el("span", f"{ago(made.at, session.now())} ago", title=exact(made.at))
    took = f" after {span(made.seconds_to_decide)}" if made.seconds_to_decide is not None else ""
    return el(
        "div",
        el(
            "div", el("span", f"#{made.case_id} · {row.actor_name}", cls="cs-soft"), when, cls="top"
        ),
        el("div", row.subject, cls="subject"),
        el(
            "div",
            tag(f"{DECISION_WORDS[made.kind]}{took}", "good" if made.kind == "approve" else ""),
            tag(row.status) if row.status else None,
            join(tag(source) for source in row.sources[:3]),
        ),
        cls="cs-tile cs-row-tile cs-hover on" if on else "cs-tile cs-row-tile cs-hover",
    )


def _empty() -> None:
    show(
        el(
            "div",
            el("div", "No decision matches", cls="big"),
            el("div", "Clear the filters, or decide a case at the reply desk first."),
            cls="cs-empty",
        )
    )


def _go_to(disposition_id: str) -> None:
    st.query_params["decision"] = disposition_id


if __name__ == "__main__":
    guard.open_page("audit", session.audit_desk, render)
