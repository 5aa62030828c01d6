"""The left pane: what was accepted, what disagrees, what was left out and why."""

from __future__ import annotations

import streamlit as st

from core.models.draft import GeneratedClaim
from core.models.judgement import Ambiguity
from core.review.views import CaseView, ConflictCard, EvidenceCard, LeftOutCard
from pages.components.calculation import calculation_body
from pages.components.cards import (
    conflict_body,
    evidence_body,
    left_out_body,
    readings_body,
    source_address,
)
from pages.components.notices import attempt
from pages.components.untrusted import el, label, show
from pages.reply_desk import state
from pages.shell.office_desks import Desk

_TAB = "evidence-tab"


def draw(desk: Desk, view: CaseView) -> None:
    """Three tabs with their counts; above them what the gate could not judge."""
    package = view.run.package if view.run else None
    for words in package.not_read() if package else ():
        show(el("div", f"⚠ {words.rstrip('.')}.", cls="cs-warn cs-small"))
    for words in package.unjudged if package else ():
        show(el("div", f"⚠ Not all was judged: {words}.", cls="cs-warn cs-small"))
    accepted, conflicts, left_out = st.tabs(
        [
            label(_accepted_tab(view)),
            label(conflicts_tab(view)),
            f"Left out {len(view.left_out):d}",
        ],
        key=_TAB,
        on_change="rerun",
    )
    with accepted:
        _accepted(desk, view)
    with conflicts:
        for number, found in enumerate(_ambiguities(view)):
            with st.container(key=f"card-readings-{number}"):
                show(readings_body(found, labels_of(view)))
        if not view.conflicts:
            _quiet("The accepted sources do not contradict each other or the question.")
        for conflict in view.conflicts:
            _conflict(desk, view, conflict)
    with left_out:
        if not view.left_out:
            _quiet("Nothing that was found was left out.")
        for number, card in enumerate(view.left_out):
            _left_out(view, card, number)


def _ambiguities(view: CaseView) -> tuple[Ambiguity, ...]:
    """Names that stand for two things in the run behind the draft."""
    judgement = view.run.judgement if view.run else None
    return judgement.ambiguities if judgement else ()


def show_tab(words: str) -> None:
    """Bring a tab of this pane to the front, from a callback."""
    st.session_state[_TAB] = words


def conflicts_tab(view: CaseView) -> str:
    """The name of the tab with the conflicts."""
    return f"Conflicts {len(view.conflicts):d}"


def _accepted_tab(view: CaseView) -> str:
    return f"Evidence {len(view.evidence):d}"


def open_claim(desk: Desk, view: CaseView, claim_id: str) -> None:
    """Select a claim: its passage is shown, which settles the check on its sentence."""
    state.pick("claim", claim_id)
    show_tab(_accepted_tab(view))
    check = f"value:{claim_id}"
    if any(c.check_id == check and not c.done for c in view.checks):
        attempt("", desk.mark_opened, view.case.case_id, check)


def open_evidence(desk: Desk, view: CaseView, evidence_id: str) -> None:
    """Select a piece of evidence: the sentences that lean on it are marked."""
    state.pick("evidence", evidence_id)
    show_tab(_accepted_tab(view))
    attempt("", desk.mark_opened, view.case.case_id, evidence_id)


def labels_of(view: CaseView) -> dict[str, str]:
    """``EVID-0001`` → ``E1``, for chips."""
    return {card.evidence_id: card.label for card in view.evidence}


def chosen_claim(view: CaseView) -> GeneratedClaim | None:
    """The claim selected in this browser, if it is one of the draft's."""
    wanted = state.picked("claim")
    return next((c for c in view.claims if c.claim_id == wanted), None)


def _accepted(desk: Desk, view: CaseView) -> None:
    if not view.evidence:
        _quiet(
            "No passage was found that answers this. Look at what was left out, ask the customer, "
            "or escalate with what is missing."
        )
    claim = chosen_claim(view)
    # What the selected claim leans on comes first, then what the draft leans on; the labels keep
    # the order of the search.
    leaning = _cited(claim) if claim else set()
    for card in sorted(view.evidence, key=lambda c: (c.evidence_id not in leaning, not c.quotes)):
        _card(desk, view, card, claim)


def _card(desk: Desk, view: CaseView, card: EvidenceCard, claim: GeneratedClaim | None) -> None:
    spans = _spans(claim, card)
    leaning = claim is not None and card.evidence_id in _cited(claim)
    on = leaning or state.picked("evidence") == card.evidence_id
    dim = "dim-" if claim is not None and not leaning else ("on-" if on else "")
    with st.container(key=f"card-{dim}{card.label}"):
        with st.container(key=f"pick-evidence-{card.label}"):
            show(evidence_body(card, spans))
            st.button(
                f"Show which sentences lean on {label(card.label)}",
                key=f"pick-{card.label}",
                on_click=open_evidence,
                args=(desk, view, card.evidence_id),
            )
        if card.calculation is not None:
            show(calculation_body(card.calculation))
        if card.freshness is not None and card.freshness.superseded:
            show(el("div", f"⚠ {card.freshness.message}", cls="cs-warn cs-small"))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            if not card.is_record:
                address = source_address(card.source_id, card.document_id, card.chunk_id)
                show(
                    el("span", el("a", "Open in source", href=address), cls="cs-links"),
                    width="content",
                )
            _ask_button("Flag", "flag", view, card.chunk_id, card.label, icon=":material/flag:")
            _ask_button(
                "Not this one", "drop", view, card.chunk_id, card.label, icon=":material/close:"
            )


def _conflict(desk: Desk, view: CaseView, card: ConflictCard) -> None:
    with st.container(key=f"card-conflict-{card.conflict_id}"):
        show(conflict_body(card))
        if card.opened:
            show(el("span", "✔ you have read this", cls="cs-good cs-small"))
        else:
            st.button(
                "I have read this",
                key=f"read-{card.conflict_id}",
                icon=":material/check:",
                disabled=not view.mine,
                on_click=attempt,
                args=("", desk.mark_opened, view.case.case_id, card.conflict_id),
            )


def _left_out(view: CaseView, card: LeftOutCard, number: int) -> None:
    with st.container(key=f"card-left-{number}"):
        show(left_out_body(card))
        if card.can_use:
            _ask_button("Use it", "use", view, card.chunk_id, str(number), icon=":material/add:")
        else:
            st.button("Use it", key=f"use-{number}", disabled=True, type="tertiary")
            show(
                el(
                    "div",
                    "It tries to instruct the model. No click brings such a passage back.",
                    cls="cs-soft",
                )
            )


def _ask_button(
    words: str, kind: str, view: CaseView, chunk_id: str, place: str, *, icon: str
) -> None:
    st.button(
        label(words),
        key=f"{kind}-{place}",
        icon=icon,
        type="tertiary",
        disabled=not view.mine,
        on_click=state.ask,
        kwargs={"kind": kind, "chunk": chunk_id},
    )


def _spans(claim: GeneratedClaim | None, card: EvidenceCard) -> tuple[tuple[int, int], ...]:
    if claim is None:
        return ()
    return tuple((s.start, s.end) for s in claim.spans if s.evidence_id == card.evidence_id)


def _cited(claim: GeneratedClaim) -> set[str]:
    return {*claim.evidence_ids, *(s.evidence_id for s in claim.spans)}


def _quiet(words: str) -> None:
    show(el("div", words, cls="cs-soft"))
