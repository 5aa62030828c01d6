"""The gate in words: its four questions, what moving a threshold does, and where passages go."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.evaluation.gate_words import thresholds_of
from core.models.evidence import GateThresholds
from pages.components.cards import tag
from pages.components.untrusted import Html, el, label, show

ROUTES = {
    "include": ("✔ included", "good"),
    "conflict": ("⚖ conflict", "warn"),
    "exclude": ("✖ left out", ""),
}
"""Route → words and tone. Colour never stands alone."""

RULES = {
    "injection": "instructs the model",
    "contradicts": "denies the premise",
    "not_relevant": "off the subject",
    "no_evidence": "no usable evidence",
    "evidence": "usable evidence",
    "situation": "the customer's case",
    "forced": "a reviewer's decision",
    "unjudged": "could not be judged",
}
CAUSES = {
    "injection": "instructs the model",
    "contradicts": "denies the premise",
    "relevant": "is about the question",
    "evidence": "states usable evidence",
}
SLIDERS = (
    (
        "injection_max",
        "Left out: instructs the model above",
        "Tested first. Higher lets more text through that addresses the model; lower leaves more "
        "ordinary prose out with it.",
    ),
    (
        "contradicts_min",
        "Set apart: denies the premise above",
        "Tested second. Higher reports fewer conflicts, so a false premise may pass; lower sets "
        "more passages apart.",
    ),
    (
        "relevant_min",
        "Kept: about the question from",
        "Tested third. Higher leaves more out as off the subject; lower keeps more.",
    ),
    (
        "evidence_min",
        "Used: states usable evidence above",
        "Tested last. Higher hands the drafter fewer, surer passages; lower hands it more.",
    ),
)
"""Thresholds in the order they decide, named, with what raising and lowering does."""


def route_tag(route: str) -> Html:
    """Where a passage goes."""
    words, tone = ROUTES[route]
    return tag(words, tone)


def sliders(now: GateThresholds, key: Callable[[str], str], *, columns: int) -> GateThresholds:
    """Four sliders that begin at ``now``; what they stand at.

    A slider holds two decimals: one that was not moved keeps the exact value.
    """
    places = st.columns(columns, gap="large")
    values = {}
    for number, (name, words, meaning) in enumerate(SLIDERS):
        exact = float(getattr(now, name))
        st.session_state.setdefault(key(name), round(exact, 2))
        with places[number % columns]:
            moved = st.slider(label(words), 0.0, 1.0, step=0.01, key=key(name), format="%.2f")
            show(el("div", meaning, cls="cs-soft cs-gap"))
        values[name] = exact if abs(moved - exact) < 0.005 else round(moved, 2)
    return thresholds_of(values)


def threshold_words(thresholds: GateThresholds) -> tuple[tuple[str, str], ...]:
    """``(name in words, value)`` in the order they decide."""
    return tuple((words, f"{getattr(thresholds, name):.2f}") for name, words, _ in SLIDERS)
