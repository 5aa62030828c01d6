"""The right pane: the draft, its claims, what must be settled, and the decision."""

from __future__ import annotations

import streamlit as st

from core.models.draft import GeneratedClaim
from core.models.review import DraftVersion
from core.review.views import CaseView
from pages.components.cards import chip, claim_line, claim_summary, tag
from pages.components.untrusted import Html, Piece, el, join, label, show
from pages.components.words import ago, exact, spoken
from pages.reply_desk import actions, advice, decide, edit, state
from pages.reply_desk.evidence import chosen_claim, labels_of, open_claim
from pages.shell import session
from pages.shell.office_desks import Desk

_STATUS_WORDS = {
    "answered": "",
    "insufficient_evidence": "The sources do not answer this; the draft says so.",
    "needs_clarification": "The question leaves something open. Ask the customer.",
    "conflicting_evidence": "The sources disagree and no rule decides. A person has to.",
    "refused": "This is outside what we answer.",
    "escalated": "The co-pilot stopped before a safe draft. Redraft or escalate.",
}


def draw(desk: Desk, view: CaseView) -> None:
    """Draft or editor, claims, checks, decision."""
    _meta(view)
    if view.case.state in decide.DECIDABLE:
        # Before the draft: a person told to escalate need not read it first.
        advice.draw(desk, view)
    if view.draft is None:
        _no_draft(view)
        actions.draw(desk, view)
        decide.draw(desk, view)
        return
    if state.is_editing(view.case.case_id):
        edit.draw(desk, view, view.draft)
        return
    status = view.run.answer.status if view.run else "answered"
    if _STATUS_WORDS.get(status) and view.draft.kind == "copilot":
        show(el("div", tag(f"⚠ {_STATUS_WORDS[status]}", "warn")))
    show(_body(view, view.draft))
    _claims(desk, view)
    actions.draw(desk, view)
    decide.draw(desk, view)


def _meta(view: CaseView) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="draft-head"):
        show(el("div", el("span", "Draft ", cls="cs-cap"), _made_by(view)))
        busy = state.is_editing(view.case.case_id)
        st.button(
            "Redraft",
            key="redraft",
            icon=":material/refresh:",
            type="tertiary",
            disabled=not view.mine or busy,
            on_click=state.ask,
            args=("redraft",),
        )
        st.button(
            "Reject",
            key="reject",
            icon=":material/thumb_down:",
            type="tertiary",
            disabled=not view.mine or busy or view.draft is None,
            on_click=state.ask,
            args=("reject",),
        )
        st.button(
            "Keys",
            key="keys",
            type="tertiary",
            shortcut=None if busy else "H",
            on_click=state.ask,
            args=("keys",),
        )


def _made_by(view: CaseView) -> Html:
    draft = view.draft
    if draft is None:
        return el("span", "none yet", cls="cs-soft")
    when = f"{ago(draft.created_at, session.now())} ago"
    if draft.kind == "edited":
        words = f"edited by {draft.created_by}, {when} · version {draft.number}"
    else:
        words = f"co-pilot, {_backend(view)}{_seconds(view)} · version {draft.number} · {when}"
    return el("span", words, cls="cs-soft", title=exact(draft.created_at))


def _backend(view: CaseView) -> str:
    backends = view.run.trace.backend if view.run else {}
    return spoken(backends.get("draft", "local"))


def _seconds(view: CaseView) -> str:
    timings = view.run.trace.timings_ms if view.run else {}
    total = timings.get("total") or sum(timings.values())
    return f", {total / 1000:.1f} s" if total else ""


def _no_draft(view: CaseView) -> None:
    reason = view.run.trace.failure if view.run and view.run.trace.failure else ""
    show(
        el(
            "div",
            el("div", "No draft", cls="big"),
            el("div", reason or "The co-pilot has not written one. Redraft, escalate or refuse."),
            cls="cs-empty",
        )
    )


def _body(view: CaseView, draft: DraftVersion) -> Html:
    """The text as it would be sent, each claim in place, its evidence behind it."""
    claim = chosen_claim(view)
    evidence = state.picked("evidence")
    labels = labels_of(view)
    pieces: list[Piece] = []
    at = 0
    any_on = False
    for item in sorted(view.claims, key=lambda c: c.start):
        if item.start < at or draft.text[item.start : item.end] != item.text:
            continue
        on = item == claim or (evidence is not None and evidence in _cited(item))
        any_on = any_on or on
        pieces += [draft.text[at : item.start], _sentence(item, on=on), _chips(item, labels)]
        at = item.end
    return el(
        "div", join([*pieces, draft.text[at:]]), cls="cs-draft has-on" if any_on else "cs-draft"
    )


def _sentence(claim: GeneratedClaim, *, on: bool) -> Html:
    return el("span", claim.text, cls=f"c {claim.support_status}{' on' if on else ''}")


def _chips(claim: GeneratedClaim, labels: dict[str, str]) -> Html:
    known = (labels.get(i) for i in _cited(claim))
    return join(
        piece for word in known if word for piece in ("\u202f", chip(word, record=word[0] == "R"))
    )


def _cited(claim: GeneratedClaim) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*claim.evidence_ids, *(s.evidence_id for s in claim.spans))))


def _claims(desk: Desk, view: CaseView) -> None:
    with st.container(key="claims-head", horizontal=True, vertical_alignment="center"):
        show(el("div", el("span", "Claims ", cls="cs-cap"), claim_summary(view.claims)))
        _arrow_keys(desk, view)
    labels = labels_of(view)
    chosen = chosen_claim(view)
    with st.container(key="claims"):
        for number, claim in enumerate(view.claims, 1):
            with st.container(key=f"pick-claim-{number}"):
                show(claim_line(claim, labels, on=claim == chosen))
                st.button(
                    f"Show the evidence of claim {label(number)}",
                    key=f"select-claim-{number}",
                    on_click=open_claim,
                    args=(desk, view, claim.claim_id),
                )


def _arrow_keys(desk: Desk, view: CaseView) -> None:
    """Down and up move the selection."""
    if len(view.claims) < 2 or state.asked():
        return
    ids = [claim.claim_id for claim in view.claims]
    now = state.picked("claim")
    at = ids.index(now) if now in ids else -1
    for words, step, key in (("Next", 1, "Down"), ("Back", -1, "Up")):
        target = ids[(at + step) % len(ids)] if at >= 0 or step > 0 else ids[-1]
        st.button(
            words,
            key=f"move-{key.lower()}",
            type="tertiary",
            shortcut=key,
            on_click=open_claim,
            args=(desk, view, target),
        )
