"""The head of a case: who, where, how long, how risky, whose; the messages; the facts."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from core.models.review import Case, Message
from core.review.views import CaseView
from pages.components.notices import attempt
from pages.components.untrusted import Html, el, join, label, show
from pages.components.words import RISK_WORDS, STATE_WORDS, ago, clock, count, exact, spoken
from pages.reply_desk import state
from pages.shell import session
from pages.shell.office_desks import Desk


def draw(desk: Desk, view: CaseView) -> None:
    """Head, banners, messages and facts."""
    show(_head(view))
    _banners(desk, view)
    case = view.case
    with (
        st.expander(
            f"Customer wrote ({label(count(len(case.messages), 'message'))})", expanded=True
        ),
        st.container(key="case-text"),
    ):
        left, right = st.columns([1.7, 1], gap="medium")
        with left:
            show(join(_message(m) for m in case.messages) if case.messages else _no_message())
        with right:
            show(_facts(view))


def _head(view: CaseView) -> Html:
    case = view.case
    word, tone = RISK_WORDS[case.risk]
    since = _waiting_since(case)
    who = case.customer_name or (
        f"customer {case.customer_id}" if case.customer_id else "unknown customer"
    )
    return el(
        "div",
        el(
            "div",
            el("span", el("span", f"#{case.case_id} ", cls="no"), case.subject, cls="title"),
            cls="cs-head",
        ),
        el(
            "div",
            _tag(who),
            _tag(spoken(case.output_form)),
            _tag(f"waiting {ago(since, session.now())}", title=exact(since)),
            _tag(word, tone),
            _tag(STATE_WORDS[case.state]),
            _lease_tag(view),
        ),
    )


def _lease_tag(view: CaseView) -> Html | None:
    if view.lease is None:
        return None
    if view.mine:
        return _tag(f"yours until {clock(view.lease.expires_at)}", "accent")
    return _tag(f"with {view.lease.user_name} until {clock(view.lease.expires_at)}", "warn")


def _banners(desk: Desk, view: CaseView) -> None:
    case_id = view.case.case_id
    if view.read_only_reason:
        with st.container(horizontal=True, vertical_alignment="center", key="read-only"):
            st.warning(f"{label(view.read_only_reason, 300)}", icon=":material/lock:")
            if view.lease is not None and not view.mine:
                st.button(
                    "Take over",
                    key=f"take-over-{case_id}",
                    help="The holder is told. What they typed stays saved for them.",
                    on_click=attempt,
                    args=("The case is yours now.", desk.take_over, case_id),
                )
    if view.banner:
        st.warning(f"{label(view.banner, 400)}", icon=":material/sync_problem:")
    if view.working_edit and view.draft and not state.is_editing(case_id) and view.mine:
        with st.container(horizontal=True, vertical_alignment="center", key="edit-waiting"):
            when = ago(view.working_edit.saved_at, session.now())
            st.info(
                f"You have an edit of this reply, saved {label(when)} ago.", icon=":material/edit:"
            )
            st.button(
                "Go on editing",
                key=f"resume-edit-{case_id}",
                on_click=state.start_edit,
                args=(case_id, view.working_edit.text),
            )
            st.button(
                "Discard it",
                key=f"discard-edit-{case_id}",
                type="tertiary",
                on_click=attempt,
                args=("The edit is discarded.", desk.discard_edit, case_id),
            )


def _message(message: Message) -> Html:
    return el(
        "div",
        el(
            "div",
            f"{message.author} · ",
            el("span", f"{ago(message.at, session.now())} ago", title=exact(message.at)),
            cls="cs-soft",
        ),
        el("div", message.body, cls="body"),
        cls=f"cs-msg {message.author}",
    )


def _no_message() -> Html:
    return el(
        "div", "No message is stored with this case; the subject is all there is.", cls="cs-soft"
    )


_SIGNS = {"done": "☑", "missing": "☐"}


def _facts(view: CaseView) -> Html:
    """What is on record for the case; things to do before it may close carry a box."""
    facts = view.case_facts or ("Nothing on record for this case.",)
    lines = join(el("li", _fact(fact)) for fact in facts)
    return join((el("div", "Case facts", cls="cs-cap"), el("ul", lines, cls="cs-small cs-list")))


def _fact(fact: str) -> str:
    name, colon, rest = fact.partition(": ")
    sign = _SIGNS.get(name) if colon else None
    return f"{sign} {rest} ({name})" if sign else fact


def _tag(words: str, tone: str = "", title: str | None = None) -> Html:
    return el("span", words, cls=f"cs-tag {tone}".strip(), title=title)


def _waiting_since(case: Case) -> datetime:
    asked = [m.at for m in case.messages if m.author == "customer"]
    return asked[-1] if asked else case.updated_at
