"""What must be settled before sending, and the five ways to decide."""

from __future__ import annotations

import streamlit as st

from core.models.review import DraftVersion
from core.review.views import CaseView, ReviewCheck
from pages.components.notices import attempt
from pages.components.untrusted import el, join, label, show
from pages.components.words import STATE_WORDS, count, exact
from pages.reply_desk import evidence, queue, state
from pages.reply_desk.advice import advised_button
from pages.shell.office_desks import Desk

_OPENABLE = {"conflict", "stale", "money_or_date"}
DECIDABLE = ("in_review", "edited", "drafted")


def draw(desk: Desk, view: CaseView) -> None:
    """Checks, then buttons with the reason beside what is not possible."""
    if view.case.state not in DECIDABLE:
        _decided(view)
        return
    _checks(desk, view)
    with st.container(key="decision"):
        _buttons(desk, view)


def _checks(desk: Desk, view: CaseView) -> None:
    show(el("div", "Before you send", cls="cs-cap"))
    if not view.checks:
        show(el("div", "Nothing in this reply needs opening first.", cls="cs-soft"))
    with st.container(key="checks"):
        for number, check in enumerate(view.checks):
            _check(desk, view, check, number)


def _check(desk: Desk, view: CaseView, check: ReviewCheck, number: int) -> None:
    sign, tone = ("☑", "good") if check.done else ("☐", "warn")
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
        show(el("div", el("span", sign, cls=f"cs-{tone}"), el("span", check.label), cls="cs-check"))
        if not check.done and check.kind in _OPENABLE:
            st.button(
                "Show",
                key=f"check-{number}",
                icon=":material/visibility:",
                type="tertiary",
                on_click=_show_risk,
                args=(desk, view, check),
            )


def _show_risk(desk: Desk, view: CaseView, check: ReviewCheck) -> None:
    """Bring the risky thing to the front. A conflict is confirmed on its card, with both sides."""
    about = check.check_id.partition(":")[2]
    if check.kind == "conflict":
        evidence.show_tab(evidence.conflicts_tab(view))
    elif check.kind == "stale" and about:
        evidence.open_evidence(desk, view, about)
    elif check.kind == "money_or_date" and about:
        state.let_go()
        evidence.open_claim(desk, view, about)
    else:
        attempt("", desk.mark_opened, view.case.case_id, check.check_id)


def _buttons(desk: Desk, view: CaseView) -> None:
    quiet = state.asked() is not None or not view.mine
    draft, first = view.draft, advised_button(view)
    with st.container(horizontal=True, gap="small", key="decide"):
        st.button(
            "Approve and send",
            key="approve",
            type="primary" if first == "approve" else "secondary",
            icon=":material/send:",
            shortcut=None if quiet else "Ctrl+Enter",
            disabled=draft is None or not view.can_approve or not view.mine,
            on_click=_approve,
            args=(desk, view, draft),
        )
        st.button(
            "Edit",
            key="edit",
            shortcut=None if quiet else "E",
            disabled=draft is None or not view.mine,
            on_click=state.start_edit,
            args=(view.case.case_id, _text_to_edit(view)),
        )
        for words, key, kind in (
            ("Escalate", "X", "escalate"),
            ("Ask customer", "A", "ask"),
            ("Refuse", "F", "refuse"),
        ):
            st.button(
                words,
                key=kind,
                type="primary" if first == kind else "secondary",
                shortcut=None if quiet else key,
                disabled=not view.mine,
                on_click=state.ask,
                args=(kind,),
            )
    _blocked(desk, view, draft)


def _blocked(desk: Desk, view: CaseView, draft: DraftVersion | None) -> None:
    if view.can_approve or not (view.approve_blocked_by or view.read_only_reason):
        return
    waiting = [c for c in view.checks if not c.done and c.kind in _OPENABLE]
    labels = {check.label for check in waiting}
    reasons = [r for r in view.approve_blocked_by if r not in labels]
    _next_check(desk, view, waiting)
    if not waiting and not reasons:
        reasons = [view.read_only_reason]
    if reasons:
        lines = el("ul", join(el("li", reason) for reason in reasons))
        show(el("div", "Approve waits, because:", lines, cls="cs-blocked"))
    if draft is not None and view.mine and view.override_possible:
        with st.expander("Send with open claims, giving a reason"):
            reason = st.text_input(
                "Why is this right although the evidence does not show it?", key="override-reason"
            )
            st.button(
                "Approve with this reason",
                key="approve-override",
                disabled=not reason.strip(),
                on_click=_approve,
                args=(desk, view, draft, reason),
            )


def _next_check(desk: Desk, view: CaseView, waiting: list[ReviewCheck]) -> None:
    """What still has to be opened, one key away."""
    if not waiting:
        return
    with st.container(
        horizontal=True, wrap=False, vertical_alignment="center", gap="small", key="next-check"
    ):
        number = count(len(waiting), "thing")
        words = f"Approve waits for {number} to be opened: {waiting[0].label}"
        show(el("div", words, cls="cs-blocked"))
        st.button(
            "Show it",
            key="show-next",
            icon=":material/visibility:",
            shortcut=None if state.asked() else "N",
            on_click=_show_risk,
            args=(desk, view, waiting[0]),
        )


def _approve(desk: Desk, view: CaseView, draft: DraftVersion, reason: str = "") -> None:
    """Approve exactly the text that was on the screen, then go on to the next case."""
    case_id = view.case.case_id
    after = attempt(
        "",
        desk.approve,
        case_id,
        draft_id=draft.draft_id,
        text_hash=draft.text_hash,
        case_version=view.case.version,
        override_reason=reason,
    )
    if after is None:
        return
    until = after.undo_until.isoformat() if after.undo_until else ""
    state.note_sent(case_id, until)
    state.go_to(queue.next_after(desk, case_id))


def _text_to_edit(view: CaseView) -> str:
    if view.working_edit is not None:
        return view.working_edit.text
    return view.draft.text if view.draft else ""


def _decided(view: CaseView) -> None:
    show(el("div", f"This case is {STATE_WORDS[view.case.state]}.", cls="cs-rule"))
    item = view.outbox
    if item is None:
        return
    words = {
        "pending": "The reply leaves in a moment.",
        "delivering": "The reply is being delivered.",
        "delivered": f"Delivered to {item.recipient or 'the customer'}.",
        "failed": f"Delivery failed {item.attempts} times: {item.last_error}. It is kept.",
        "cancelled": "The reply was taken back before it left.",
    }[item.state]
    stamp = exact(item.delivered_at) if item.delivered_at else None
    show(el("div", words, cls="cs-soft", title=stamp))
    if item.state == "failed":
        st.error(f"{label(words, 300)}")
