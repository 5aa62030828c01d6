"""One decision: the text sent, the difference, the passages as they were then."""

from __future__ import annotations

import json

import streamlit as st

from core.errors import CountersignError
from core.review.views import DecisionView
from pages.audit import actions, replayed
from pages.components.cards import (
    claim_line,
    claim_summary,
    conflict_body,
    diff_body,
    evidence_body,
    table,
    tag,
)
from pages.components.notices import show_error
from pages.components.untrusted import Html, el, join, show
from pages.components.words import (
    DECISION_WORDS,
    REASON_WORDS,
    ago,
    exact,
    opened_words,
    span,
    spoken,
)
from pages.shell import session
from pages.shell.office_desks import AuditDesk

_SENDS = ("approve", "ask_customer", "refuse")


def draw(desk: AuditDesk, disposition_id: str) -> None:
    """The whole decision, as it was."""
    try:
        view = desk.decision(disposition_id)
    except CountersignError as error:
        show_error(error)
        return
    show(_head(view))
    text, passages, conflicts, done, record, trace, again = st.tabs(
        ["Text", "Passages then", "Conflicts", "Actions", "Events", "Versions", "Replay"]
    )
    with text:
        _text(view)
    with passages:
        show(_passages(view))
    with conflicts:
        if not view.conflicts:
            show(el("div", "No conflict was on the table.", cls="cs-soft"))
        for card in view.conflicts:
            show(el("div", conflict_body(card), cls="cs-tile"))
    with done:
        show(actions.of_case(view.actions))
    with record:
        show(_events(view))
    with trace:
        show(_versions(view))
    with again:
        replayed.draw(desk, view.trace)


def _head(view: DecisionView) -> Html:
    made = view.disposition
    took = span(made.seconds_to_decide) if made.seconds_to_decide is not None else "unknown"
    opened = opened_words(made.opened_items)
    facts = (
        ("Who", made.by),
        ("When", exact(made.at)),
        ("Time to decide", took),
        ("Opened before", opened),
        (
            "Reason",
            " · ".join(p for p in (REASON_WORDS.get(made.reason, made.reason), made.note) if p),
        ),
        ("To", made.to),
        ("Text hash", made.text_hash or ""),
        ("Delivery", _delivery(view)),
    )
    pairs: list[Html] = []
    for name, value in facts:
        if value:
            pairs += [el("dt", name), el("dd", value)]
    return join(
        (
            el(
                "div",
                el("span", f"#{view.case.case_id} ", cls="no"),
                el("span", f"{view.case.subject}: {DECISION_WORDS[made.kind]}", cls="title"),
                cls="cs-head",
            ),
            el("dl", join(pairs), cls="cs-facts"),
        )
    )


def _delivery(view: DecisionView) -> str:
    item = view.outbox
    if item is None:
        return ""
    receipt = f", receipt {item.receipt}" if item.receipt else ""
    return f"{item.state} by {item.channel} to {item.recipient}{receipt}"


def _text(view: DecisionView) -> None:
    draft = view.draft
    sent = view.disposition.kind in _SENDS
    if draft is None or not sent:
        show(el("div", "No text went out with this decision.", cls="cs-soft"))
    if draft is None:
        return
    show(el("div", draft.text, cls="cs-draft"))
    if draft.override_reason:
        show(el("div", tag(f"sent with open claims: {draft.override_reason}", "warn")))
    labels = {card.evidence_id: card.label for card in view.passages}
    show(el("div", el("span", "Claims ", cls="cs-cap"), claim_summary(draft.claims)))
    for claim in draft.claims:
        show(claim_line(claim, labels))
    show(el("div", "Changed from the co-pilot's draft", cls="cs-cap"))
    if any(op != "same" for op, _ in view.diff):
        show(diff_body(view.diff))
    else:
        words = "Nothing: it went out as drafted." if sent else "Nothing."
        show(el("div", words, cls="cs-soft"))


def _passages(view: DecisionView) -> Html:
    if not view.passages:
        return el("div", "No evidence stood behind this decision.", cls="cs-soft")
    return join(el("div", evidence_body(card), cls="cs-tile cs-gap") for card in view.passages)


def _events(view: DecisionView) -> Html:
    now = session.now()
    return table(
        ("Event", "When", "Who", "What", "Carried"),
        (
            (
                str(e.seq),
                el("span", f"{ago(e.at, now)} ago", title=exact(e.at)),
                e.actor,
                e.kind,
                el("span", json.dumps(e.payload, ensure_ascii=False, default=str), cls="cs-code"),
            )
            for e in view.events
        ),
        numbers=(0,),
    )


def _versions(view: DecisionView) -> Html:
    trace = view.trace
    if trace is None:
        return el("div", "No run is stored for this, or it is not yours to see.", cls="cs-soft")
    thresholds = trace.thresholds
    lines = (
        ("Trace", trace.trace_id),
        ("Index", ", ".join(f"{k} {v}" for k, v in trace.index_versions.items())),
        ("Encoder", ", ".join(trace.embedding_models)),
        ("Backends", ", ".join(f"{spoken(k)} {v}" for k, v in trace.backend.items())),
        ("Policy", trace.policy_version),
        (
            "Thresholds",
            f"injection above {thresholds.injection_max}, "
            f"contradicts from {thresholds.contradicts_min}, "
            f"relevant from {thresholds.relevant_min}, evidence from {thresholds.evidence_min}",
        ),
        ("Gate policy", trace.gate_policy_id or "none: the settings, or on trial"),
        ("Filter", trace.filter_sql),
    )
    pairs: list[Html] = []
    for name, value in lines:
        pairs += [el("dt", name), el("dd", value or "–", cls="cs-code")]
    return el("dl", join(pairs), cls="cs-facts")
