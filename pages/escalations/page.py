"""Escalations: the board against its clock, and each packet in place."""

from __future__ import annotations

import streamlit as st

from core.errors import CountersignError
from core.review.views import EscalationRow, EscalationView
from pages.components.advice import advice_body
from pages.components.cards import (
    claim_line,
    claim_summary,
    conflict_body,
    evidence_body,
    tag,
)
from pages.components.notices import attempt, show_error
from pages.components.untrusted import Html, el, join, label, show
from pages.components.words import DECISION_WORDS, REASON_WORDS, ago, exact, span
from pages.shell import guard, session
from pages.shell.office_desks import EscalationDesk

_STATES = {"open": "Open", "resolved": "Resolved", "returned": "Sent back"}


def render(desk: EscalationDesk) -> None:
    """The board at the left, the packet at the right."""
    state = str(st.session_state.get("filter-state") or "open")
    rows = desk.rows(state)
    wanted = st.query_params.get("escalation")
    with st.sidebar:
        st.segmented_control(
            "State",
            list(_STATES),
            default="open",
            key="filter-state",
            format_func=_STATES.__getitem__,
        )
        show(_summary(rows))
    if not rows and not wanted:
        _empty(state)
        return
    left, right = st.columns([1, 1.7], gap="medium")
    with left:
        for reason in dict.fromkeys(row.escalation.reason for row in rows):
            show(el("div", REASON_WORDS[reason], cls="cs-cap"))
            for row in rows:
                if row.escalation.reason == reason:
                    _row(row, on=row.escalation.escalation_id == wanted)
    with right:
        if wanted:
            _packet(desk, wanted)
        else:
            show(
                el(
                    "div",
                    el("div", "Pick an escalation to open its packet.", cls="big"),
                    cls="cs-empty",
                )
            )


def _summary(rows: tuple[EscalationRow, ...]) -> Html:
    late = sum(row.overdue for row in rows)
    return el(
        "div",
        tag(f"{len(rows)} here"),
        tag(f"{late} past their clock", "bad") if late else tag("none past its clock", "good"),
    )


def _row(row: EscalationRow, *, on: bool) -> None:
    item = row.escalation
    with st.container(key=f"pick-escalation-{item.escalation_id}"):
        show(_card(row, on=on))
        st.button(
            f"Open the packet of case {label(item.case_id)}",
            key=f"open-{item.escalation_id}",
            on_click=_go_to,
            args=(item.escalation_id,),
        )


def _card(row: EscalationRow, *, on: bool) -> Html:
    item = row.escalation
    now = session.now()
    if item.state != "open":
        clock = tag(_STATES[item.state].lower())
    elif row.overdue:
        clock = tag(f"late by {span((now - item.due_at).total_seconds())}", "bad")
    else:
        clock = tag(f"due in {span((item.due_at - now).total_seconds())}")
    classes = ["cs-tile", "cs-row-tile", "cs-hover", *(["on"] if on else [])]
    if row.overdue and item.state == "open":
        classes.append("late")
    return el(
        "div",
        el(
            "div",
            el("span", f"#{item.case_id} · {row.customer or 'unknown'}", cls="cs-soft"),
            el("span", f"{ago(item.raised_at, now)} old", title=exact(item.raised_at)),
            cls="top",
        ),
        el("div", row.subject, cls="subject"),
        el("div", clock, tag(f"with {item.assigned_to}" if item.assigned_to else "nobody's yet")),
        el("div", f"missing: {item.missing}", cls="cs-soft") if item.missing else None,
        cls=" ".join(classes),
    )


def _packet(desk: EscalationDesk, escalation_id: str) -> None:
    try:
        view = desk.view(escalation_id)
    except CountersignError as error:
        show_error(error)
        return
    show(_head(view))
    if view.escalation.state == "open":
        _decide(desk, view)
    elif view.escalation.resolution:
        show(el("div", view.escalation.resolution, cls="cs-rule"))
    question, draft, evidence, conflicts, history = st.tabs(
        ["Question", "Draft then", "Evidence then", "Conflicts", "History"]
    )
    with question:
        show(_messages(view))
    with draft:
        _draft(view)
    with evidence:
        show(_evidence(view))
    with conflicts:
        show(_conflicts(view))
    with history:
        show(_history(view))


def _head(view: EscalationView) -> Html:
    item = view.escalation
    facts = (
        ("Reason", REASON_WORDS[item.reason]),
        ("Missing", item.missing),
        ("Note", item.note),
        ("Raised by", f"{item.raised_by}, {exact(item.raised_at)}"),
        ("Due", exact(item.due_at)),
        ("With", item.assigned_to or "nobody yet"),
    )
    pairs: list[Html] = []
    for name, value in facts:
        if value:
            pairs += [el("dt", name), el("dd", value)]
    title = el(
        "span", el("span", f"#{view.case.case_id} ", cls="no"), view.case.subject, cls="title"
    )
    head = el("div", title, cls="cs-head")
    return join((head, el("dl", join(pairs), cls="cs-facts"), _advice(view)))


def _advice(view: EscalationView) -> Html | None:
    """What the co-pilot advised then; nothing for a plain reply."""
    advice = view.run.advice if view.run else None
    if advice is None or advice.outcome == "reply":
        return None
    labels = {card.evidence_id: card.label for card in view.evidence}
    return el("div", advice_body(advice, labels), cls="cs-tile cs-gap")


def _decide(desk: EscalationDesk, view: EscalationView) -> None:
    escalation_id = view.escalation.escalation_id
    answer, back, other = st.tabs(["Answer it", "Send it back", "Hand it on"])
    with answer:
        text = st.text_area(
            "The reply the customer should get",
            value=view.draft.text if view.draft else "",
            key=f"answer-{escalation_id}",
            height=170,
        )
        show(
            el(
                "div",
                "It is checked against the evidence, then waits at the desk for approval.",
                cls="cs-soft",
            )
        )
        st.button(
            "Resolve with this answer",
            key="resolve",
            type="primary",
            disabled=not text.strip(),
            on_click=_resolve,
            args=(desk, escalation_id, text),
        )
    with back:
        note = st.text_input("What should the agent do?", key=f"note-{escalation_id}")
        st.button(
            "Send back",
            key="send-back",
            disabled=not note.strip(),
            on_click=_send_back,
            args=(desk, escalation_id, note),
        )
    with other:
        to = st.text_input("To whom (user id or role)?", key=f"to-{escalation_id}")
        st.button(
            "Hand on",
            key="reassign",
            disabled=not to.strip(),
            on_click=_reassign,
            args=(desk, escalation_id, to),
        )


def _resolve(desk: EscalationDesk, escalation_id: str, text: str) -> None:
    attempt(
        "Answered. It waits at the desk for approval.", desk.resolve, escalation_id, answer=text
    )


def _send_back(desk: EscalationDesk, escalation_id: str, note: str) -> None:
    attempt("The case is back with the agents.", desk.send_back, escalation_id, note=note)


def _reassign(desk: EscalationDesk, escalation_id: str, to: str) -> None:
    attempt("Handed on; its clock runs on.", desk.reassign, escalation_id, to=to)


def _messages(view: EscalationView) -> Html:
    return join(
        el(
            "div",
            el("div", f"{m.author} · {exact(m.at)}", cls="cs-soft"),
            el("div", m.body, cls="body"),
            cls=f"cs-msg {m.author}",
        )
        for m in view.case.messages
    )


def _draft(view: EscalationView) -> None:
    if view.draft is None:
        show(el("div", "There was no draft when this was escalated.", cls="cs-soft"))
        return
    show(el("div", view.draft.text, cls="cs-draft"))
    labels = {card.evidence_id: card.label for card in view.evidence}
    show(el("div", el("span", "Claims ", cls="cs-cap"), claim_summary(view.draft.claims)))
    for claim in view.draft.claims:
        show(claim_line(claim, labels))


def _evidence(view: EscalationView) -> Html:
    if not view.evidence:
        return el("div", "Nothing was found that answers it.", cls="cs-soft")
    return join(el("div", evidence_body(card), cls="cs-tile cs-gap") for card in view.evidence)


def _conflicts(view: EscalationView) -> Html:
    if not view.conflicts:
        return el("div", "The sources did not contradict each other.", cls="cs-soft")
    return join(el("div", conflict_body(card), cls="cs-tile cs-gap") for card in view.conflicts)


def _history(view: EscalationView) -> Html:
    if not view.history:
        return el("div", "No decision before the escalation.", cls="cs-soft")
    return el(
        "ul",
        join(
            el(
                "li",
                f"{d.by} {DECISION_WORDS[d.kind]}, {exact(d.at)}. {d.reason} {d.note}".rstrip(),
            )
            for d in view.history
        ),
    )


def _empty(state: str) -> None:
    words = "No escalation is open" if state == "open" else "None here"
    show(
        el(
            "div",
            el("div", words, cls="big"),
            el(
                "div",
                "Agents escalate from the reply desk; the packet arrives here with its clock.",
            ),
            cls="cs-empty",
        )
    )


def _go_to(escalation_id: str) -> None:
    st.query_params["escalation"] = escalation_id


if __name__ == "__main__":
    guard.open_page("escalations", session.escalation_desk, render)
