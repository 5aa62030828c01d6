"""The gate: four probabilities against their limits, the test that decided, what it was read from.

The sliders re-route the run's stored answers at once; the run itself stays as it was.
"""

from __future__ import annotations

from collections.abc import Mapping

from core.evaluation.gate_steps import Step, steps
from core.models.evidence import GatedPassage, GateThresholds
from core.models.trace import PipelineRun
from pages.components import gate_words
from pages.components.cards import table, tag
from pages.components.gate_words import RULES, route_tag
from pages.components.untrusted import Html, Piece, el, join, show
from pages.components.words import count
from pages.inspector.stage import stage_card
from pages.shell.office_asking import Inspector

_HEADS = {
    "injection": "1 Instructs ≤",
    "contradicts": "2 Denies ≤",
    "relevant": "3 About it ≥",
    "evidence": "4 Evidence >",
}
_DECIDED = {
    "include": ("✔", "cs-good"),
    "conflict": ("⚖", "cs-warn"),
    "exclude": ("✖", "cs-bad"),
}


def draw(inspector: Inspector, run: PipelineRun) -> None:
    """Sliders over the stored answers; no model is asked again."""
    with stage_card(run, 6, "Gate", "gate", open_=True):
        show(_conditions(run))
        if not run.gated:
            show(el("div", "Nothing reached the gate.", cls="cs-soft"))
            return
        thresholds = _thresholds(run)
        routed = inspector.reroute(run, thresholds)
        before = {g.candidate.chunk_id: g.route for g in run.gated}
        changed = [g for g in routed if before.get(g.candidate.chunk_id) != g.route]
        if changed:
            show(el("div", tag(f"{len(changed)} of {len(routed)} would go another way", "accent")))
        show(_table(routed, before, thresholds))
        found = [piece for g in routed if (piece := _found(g)) is not None]
        if found:
            show(el("div", "What it was read from", cls="cs-cap"))
            show(join(found))


def _conditions(run: PipelineRun) -> Html:
    """Whose thresholds the run went by, who judged, and what could not be judged."""
    policy = run.trace.gate_policy_id
    judges = sorted({g.backend for g in run.gated if g.backend})
    unjudged = sum(g.scores is None and g.rule == "unjudged" for g in run.gated)
    return el(
        "div",
        tag(f"policy {policy}") if policy else tag("thresholds of the settings, or on trial"),
        tag(f"judged by {', '.join(judges) or run.trace.backend.get('gate', 'nobody')}"),
        tag(f"⚠ {count(unjudged, 'passage')} could not be judged and stayed out", "warn")
        if unjudged
        else None,
        el(
            "span",
            "Tests run from left to right; the first that decides ends them: instructs the "
            "model, denies the premise, is about the question, states usable evidence.",
            cls="cs-soft",
        ),
        cls="cs-gap",
    )


def _thresholds(run: PipelineRun) -> GateThresholds:
    trace = run.trace.trace_id
    return gate_words.sliders(run.trace.thresholds, lambda name: f"{name}-{trace}", columns=4)


def _table(
    routed: tuple[GatedPassage, ...], before: Mapping[str, str], thresholds: GateThresholds
) -> Html:
    limits = {step.question: step.limit for step in steps(routed[0], thresholds)}
    heads = [f"{_HEADS[question]} {limit:.2f}" for question, limit in limits.items()]
    return table(
        ("Passage", *heads, "Goes to", "Because"),
        (_row(g, before.get(g.candidate.chunk_id, ""), thresholds) for g in routed),
    )


def _row(g: GatedPassage, before: str, thresholds: GateThresholds) -> tuple[Piece, ...]:
    moved = before != g.route
    return (
        join(
            (
                el("div", g.candidate.source_title, cls="cs-src"),
                el("div", _short(g.candidate.text), cls="cs-soft"),
            )
        ),
        *(_step(step, g) for step in steps(g, thresholds)),
        join((route_tag(g.route), tag(f"moved, was {before}", "accent") if moved else None)),
        join((el("div", RULES[g.rule]), el("div", g.reason, cls="cs-soft"))),
    )


def _step(step: Step, g: GatedPassage) -> Html:
    if step.probability is None:
        return el("span", "– not judged", cls="cs-soft cs-one")
    value = f"{step.probability:.2f}"
    if step.outcome == "decided":
        sign, tone = _DECIDED[g.route]
        return el("div", el("b", f"{value} {sign}"), el("div", "decided", cls="cs-small"), cls=tone)
    if step.outcome == "passed":
        return el("div", f"{value} ✔", el("div", "passed", cls="cs-soft"))
    return el("div", value, el("div", "not reached"), cls="cs-soft")


def _found(g: GatedPassage) -> Html | None:
    """What the gate read its answer from: both sides of a premise, the words of an instruction."""
    note = g.note
    premise = (
        el(
            "div",
            _side("The question assumes", note.premise or "(not named)"),
            _side(f"{g.candidate.source_title} says", note.counter_quote),
            cls="cs-sides",
        )
        if note.counter_quote
        else None
    )
    instruction = (
        el(
            "div",
            _side(f"{g.candidate.source_title} addresses the model", note.injection_quote),
            cls="cs-gap",
        )
        if note.injection_quote
        else None
    )
    if premise is None and instruction is None:
        return None
    reasons = ", ".join(note.reasons)
    return el(
        "div",
        premise,
        instruction,
        el("div", f"Found by: {reasons}", cls="cs-soft") if reasons else None,
        cls="cs-gap",
    )


def _side(title: str, words: str) -> Html:
    return el(
        "div",
        el("div", title, cls="cs-soft"),
        el("div", f"“{words}”", cls="val"),
        cls="cs-side",
    )


def _short(text: str) -> str:
    return text if len(text) <= 110 else text[:109].rstrip() + "…"
