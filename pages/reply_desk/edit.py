"""The editor: the text beside its check. Changed words marked, broken claims with a way out."""

from __future__ import annotations

import streamlit as st

from core.errors import CountersignError
from core.models.draft import GeneratedClaim
from core.models.review import DraftVersion
from core.review.views import CaseView, CheckedText
from pages.components.cards import claim_line, claim_summary, diff_body
from pages.components.notices import attempt, show_error
from pages.components.untrusted import el, join, show
from pages.components.words import ago
from pages.reply_desk import state
from pages.reply_desk.evidence import labels_of
from pages.shell import session
from pages.shell.office_desks import Desk


def draw(desk: Desk, view: CaseView, draft: DraftVersion) -> None:
    """The text area, the stamp, and the check of exactly this text."""
    case_id = view.case.case_id
    key = state.edit_key(case_id)
    if key not in st.session_state:
        st.session_state[key] = view.working_edit.text if view.working_edit else draft.text
    with st.container(key="edit-box"):
        text = st.text_area(
            "Reply as it will be sent",
            key=key,
            height=270,
            on_change=_autosave,
            args=(desk, case_id, draft.draft_id),
        )
    _stamp(view)
    checked = _check(desk, case_id, text or "")
    _buttons(desk, view, draft, text or "", checked)
    if checked is not None:
        _findings(desk, view, draft, text or "", checked)


def _autosave(desk: Desk, case_id: str, draft_id: str) -> None:
    text = st.session_state.get(state.edit_key(case_id), "")
    attempt("", desk.autosave, case_id, base_draft_id=draft_id, text=text)


def _stamp(view: CaseView) -> None:
    edit = view.working_edit
    if edit is None:
        words = el("span", "Saved as you pause; nothing is sent from here.", cls="cs-soft")
    else:
        since = str(int(edit.saved_at.timestamp()))
        when = el("span", ago(edit.saved_at, session.now()), data_since=since)
        words = el("span", "Saved ", when, " ago. Nothing is sent from here.", cls="cs-soft")
    show(words)


def _check(desk: Desk, case_id: str, text: str) -> CheckedText | None:
    if not text.strip():
        st.warning("The reply is empty. Write something, or go back to the draft.")
        return None
    try:
        return desk.check(case_id, text)
    except CountersignError as error:
        show_error(error)
        return None


def _buttons(
    desk: Desk, view: CaseView, draft: DraftVersion, text: str, checked: CheckedText | None
) -> None:
    case_id = view.case.case_id
    unchanged = text == draft.text
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button(
            "Keep this text",
            key="keep-edit",
            type="primary",
            icon=":material/check:",
            disabled=checked is None or unchanged,
            on_click=_keep,
            args=(desk, view, draft, text),
        )
        st.button("Close", key="close-edit", on_click=state.stop_edit)
        st.button(
            "Discard changes",
            key="discard-edit",
            type="tertiary",
            on_click=_discard,
            args=(desk, case_id),
        )
        if unchanged:
            show(el("span", "Same as the draft so far.", cls="cs-soft"), width="content")


def _keep(desk: Desk, view: CaseView, draft: DraftVersion, text: str) -> None:
    kept = attempt(
        "Your text is kept and checked. Approve it when the points below are settled.",
        desk.submit_edit,
        view.case.case_id,
        base_draft_id=draft.draft_id,
        text=text,
        case_version=view.case.version,
    )
    if kept is not None:
        state.stop_edit()
        state.let_go()


def _discard(desk: Desk, case_id: str) -> None:
    attempt("", desk.discard_edit, case_id)
    st.session_state.pop(state.edit_key(case_id), None)
    state.stop_edit()


def _findings(
    desk: Desk, view: CaseView, draft: DraftVersion, text: str, checked: CheckedText
) -> None:
    broken = [c for c in checked.claims if c.support_status != "supported"]
    show(el("div", el("span", "Check ", cls="cs-cap"), claim_summary(checked.claims)))
    labels = labels_of(view)
    for number, claim in enumerate(broken):
        _broken(desk, view, draft, text, claim, number, labels)
    if checked.blocking:
        show(
            el(
                "div",
                "Before this text can be approved:",
                el("ul", join(el("li", reason) for reason in checked.blocking)),
                cls="cs-blocked",
            )
        )
    if checked.diff and any(op != "same" for op, _ in checked.diff):
        show(el("div", "Changed words", cls="cs-cap"))
        show(diff_body(checked.diff))
    for claim in checked.claims:
        if claim.support_status == "supported":
            show(claim_line(claim, labels))


def _broken(
    desk: Desk,
    view: CaseView,
    draft: DraftVersion,
    text: str,
    claim: GeneratedClaim,
    number: int,
    labels: dict[str, str],
) -> None:
    with st.container(key=f"card-broken-{number}"):
        show(claim_line(claim, labels))
        for span in claim.spans:
            name = labels.get(span.evidence_id, span.evidence_id)
            show(el("div", f"{name} says: “{span.quote}”", cls="cs-rule cs-small"))
        if claim.suggestion:
            show(el("div", "Supported wording: ", el("b", claim.suggestion), cls="cs-small"))
            st.button(
                "Use this wording",
                key=f"use-wording-{number}",
                icon=":material/auto_fix_high:",
                on_click=_use_wording,
                args=(desk, view.case.case_id, draft.draft_id, text, claim),
            )


def _use_wording(desk: Desk, case_id: str, draft_id: str, text: str, claim: GeneratedClaim) -> None:
    """Put the supported wording in the claim's place and save."""
    wording = claim.suggestion or claim.text
    if text[claim.start : claim.end] == claim.text:
        fixed = text[: claim.start] + wording + text[claim.end :]
    else:
        fixed = text.replace(claim.text, wording, 1)
    st.session_state[state.edit_key(case_id)] = fixed
    attempt("", desk.autosave, case_id, base_draft_id=draft_id, text=fixed)
