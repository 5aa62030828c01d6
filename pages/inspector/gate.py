"""The gate: four probabilities and the rule that fired, and thresholds that re-route at once."""

from __future__ import annotations

import streamlit as st

from core.models.evidence import GatedPassage, GateQuestion, GateThresholds
from core.models.trace import PipelineRun
from pages.components.cards import table, tag
from pages.components.untrusted import Html, Piece, el, join, label, show
from pages.components.words import spoken
from pages.inspector.stage import stage_card
from pages.shell.office import Inspector

_ROUTES = {
    "include": ("✔ include", "good"),
    "conflict": ("⚖ conflict", "warn"),
    "exclude": ("✖ exclude", ""),
}
_SLIDERS = (
    ("Injection above", "injection_max"),
    ("Contradicts from", "contradicts_min"),
    ("Relevant from", "relevant_min"),
    ("Usable evidence from", "evidence_min"),
)


def draw(inspector: Inspector, run: PipelineRun) -> None:
    """Sliders over the stored scores; no model is asked again."""
    with stage_card(run, 6, "Gate", "gate", open_=True):
        if not run.gated:
            show(el("div", "Nothing reached the gate.", cls="cs-soft"))
            return
        thresholds = _thresholds(run)
        routed = inspector.reroute(run, thresholds)
        changed = _changed(run.gated, routed)
        if changed:
            show(el("div", tag(f"{len(changed)} of {len(routed)} would go another way", "accent")))
        show(
            table(
                (
                    "Passage",
                    "Relevant",
                    "Evidence",
                    "Contradicts",
                    "Injection",
                    "Goes to",
                    "Because",
                ),
                (_row(g, moved=g.candidate.chunk_id in changed) for g in routed),
                numbers=(1, 2, 3, 4),
            )
        )


def _thresholds(run: PipelineRun) -> GateThresholds:
    stored = run.trace.thresholds
    values: dict[str, float] = {}
    for column, (words, name) in zip(st.columns(4), _SLIDERS, strict=True):
        with column:
            values[name] = st.slider(
                label(words),
                0.0,
                1.0,
                float(getattr(stored, name)),
                0.01,
                key=f"{name}-{run.trace.trace_id}",
            )
    return stored.model_copy(update=values)


def _changed(before: tuple[GatedPassage, ...], after: tuple[GatedPassage, ...]) -> set[str]:
    routes = {g.candidate.chunk_id: g.route for g in before}
    return {g.candidate.chunk_id for g in after if routes.get(g.candidate.chunk_id) != g.route}


def _row(g: GatedPassage, *, moved: bool) -> tuple[Piece, ...]:
    words, tone = _ROUTES[g.route]
    return (
        join(
            (
                el("div", g.candidate.source_title),
                el("div", _short(g.candidate.text), cls="cs-soft"),
            )
        ),
        _bar(g, "relevant"),
        _bar(g, "evidence"),
        _bar(g, "contradicts"),
        _bar(g, "injection"),
        join((tag(words, tone), tag("moved", "accent") if moved else None)),
        join(
            (
                el("div", spoken(g.rule)),
                el("div", g.reason, cls="cs-soft"),
                el("div", f"denies: {g.note.premise}", cls="cs-soft") if g.note.premise else None,
            )
        ),
    )


def _bar(g: GatedPassage, question: GateQuestion) -> Html:
    return el("span", "–" if g.scores is None else f"{g.probability(question):.2f}")


def _short(text: str) -> str:
    return text if len(text) <= 110 else text[:109].rstrip() + "…"
