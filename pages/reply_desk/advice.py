"""The advice above the draft: what to do with the case, why, and the clause that says so."""

from __future__ import annotations

import streamlit as st

from core.models.advice import HandlingAdvice
from core.review.views import CaseView
from pages.components.advice import advice_body
from pages.components.untrusted import label, show
from pages.reply_desk.evidence import labels_of, open_evidence
from pages.shell.office_desks import Desk

_MOST = 2
_BUTTONS = {"escalate": "escalate", "ask_customer": "ask", "refuse": "refuse"}


def advised(view: CaseView) -> HandlingAdvice | None:
    """What the run behind the draft advises; ``None`` for a plain reply."""
    advice = view.run.advice if view.run else None
    return None if advice is None or advice.outcome == "reply" else advice


def draw(desk: Desk, view: CaseView) -> None:
    """The strip; nothing for a plain reply."""
    advice = advised(view)
    if advice is None:
        return
    labels = labels_of(view)
    with st.container(key="advice"):
        show(advice_body(advice, labels, most=_MOST))
        clauses = [g.evidence_id for g in advice.grounds[:_MOST] if g.evidence_id in labels]
        with st.container(horizontal=True, gap="small", key="advice-clauses"):
            for number, evidence_id in enumerate(dict.fromkeys(clauses)):
                st.button(
                    f"Show clause in {label(labels[evidence_id])}",
                    key=f"clause-{number}",
                    type="tertiary",
                    icon=":material/gavel:",
                    on_click=open_evidence,
                    args=(desk, view, evidence_id),
                )


def advised_button(view: CaseView) -> str:
    """The key of the button to press first: what is advised, else to approve."""
    advice = advised(view)
    return "approve" if advice is None else _BUTTONS.get(advice.outcome, "approve")


def reason_to_refuse(view: CaseView) -> str:
    """The advised ground with its clause, to begin the reason of a refusal with."""
    advice = advised(view)
    if advice is None or advice.outcome != "refuse" or not advice.grounds:
        return ""
    first = advice.grounds[0]
    return f"{first.words} {first.quote}".strip()


def question_to_ask(view: CaseView) -> str:
    """What the customer would have to tell us, to begin a question with."""
    advice = advised(view)
    if advice is None or advice.outcome != "ask_customer" or not advice.missing:
        return ""
    return f"Before we can decide this, please tell us: {advice.missing[0]}?"
