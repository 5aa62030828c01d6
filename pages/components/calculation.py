"""A calculation as a card shows it: its steps, what went in and from where, what is not known."""

from __future__ import annotations

from collections.abc import Sequence

from core.models.calculation import Calculation, CalculationInput
from pages.components.cards import table
from pages.components.untrusted import Html, el, join


def calculation_body(worked: Calculation) -> Html:
    """The steps down to the result, then the inputs under the source of each."""
    last = len(worked.steps) - 1
    steps = table(
        ("Step", "How", "Result"),
        (
            (s.label, s.expression, el("b" if number == last else "span", s.result))
            for number, s in enumerate(worked.steps)
        ),
        numbers=(2,),
    )
    by_source: dict[str, list[CalculationInput]] = {}
    for given in worked.inputs:
        by_source.setdefault(given.source, []).append(given)
    unknown = [el("div", f"? {words}", cls="cs-soft cs-small") for words in worked.unknown]
    return el(
        "div",
        steps,
        el("div", "What went in", cls="cs-cap cs-worked"),
        join(_source(key, inputs) for key, inputs in by_source.items()),
        el("div", worked.rounding, cls="cs-soft cs-small") if worked.rounding else None,
        join(unknown),
    )


def _source(key: str, inputs: Sequence[CalculationInput]) -> Html:
    """One source, its row key or passage id beside its title, and what was read from it."""
    rule = all(given.label == "Rule" for given in inputs)
    read = [f"“{i.value}”" if rule else f"{i.label}: {i.value}" for i in inputs]
    return el(
        "div",
        el("b", inputs[0].source_title or key),
        el("span", f"  {key}", cls="cs-soft"),
        el("div", " · ".join(read)),
        cls="cs-small cs-gap",
    )
