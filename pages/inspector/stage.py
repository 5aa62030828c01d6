"""One stage as a card: its name, what it decided, how long it took, and its substance inside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from core.models.trace import PipelineRun
from pages.components.untrusted import Html, Piece, el, join, label


@contextmanager
def stage_card(
    run: PipelineRun, number: int, words: str, *stages: str, open_: bool = False
) -> Iterator[None]:
    """An expander headed by the stage's decision and milliseconds."""
    records = [s for s in run.trace.stages if s.stage in stages]
    ms = sum(s.ms for s in records)
    decision = next((s.decision for s in reversed(records) if s.decision), "")
    timing = f" · {ms:.0f} ms" if records else ""
    head = f"{number}. {words}{timing}" + (f" · {decision}" if decision else "")
    with st.expander(f"{label(head, 150)}", expanded=open_):
        yield


def facts(pairs: Sequence[tuple[str, Piece]]) -> Html:
    """Names and values, empty values left out."""
    shown: list[Html] = []
    for name, value in pairs:
        if value:
            shown += [el("dt", name), el("dd", value)]
    return el("dl", join(shown), cls="cs-facts")
