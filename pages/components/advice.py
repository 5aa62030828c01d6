"""How advice looks: what to do, why, and the clause that decides, wherever it appears."""

from __future__ import annotations

from collections.abc import Mapping

from core.models.advice import AdviceGround, HandlingAdvice
from pages.components.cards import chip, tag
from pages.components.untrusted import Html, Piece, el, join
from pages.components.words import ADVICE_WORDS, GROUND_WORDS

_TONE = {"refuse": "bad", "escalate": "warn", "ask_customer": "accent", "reply": "good"}
_LONG = 240


def advice_body(
    advice: HandlingAdvice, labels: Mapping[str, str], *, most: int | None = None
) -> Html:
    """The outcome, then each ground in words with its clause; at most ``most`` grounds."""
    shown = advice.grounds[:most]
    more = len(advice.grounds) - len(shown)
    to = f" · to {advice.to}" if advice.to else ""
    return join(
        (
            el(
                "div",
                tag(f"Advised: {ADVICE_WORDS[advice.outcome]}{to}", _TONE[advice.outcome]),
                el("span", GROUND_WORDS[shown[0].kind], cls="cs-soft") if shown else None,
                cls="cs-card-head",
            ),
            join(_ground(ground, labels) for ground in shown),
            el("div", f"and {more} more", cls="cs-soft cs-small") if more else None,
        )
    )


def _ground(ground: AdviceGround, labels: Mapping[str, str]) -> Html:
    label = labels.get(ground.evidence_id or "", "")
    marks: list[Piece] = [" ", chip(label, record=label.startswith("R"))] if label else []
    quote = ground.quote if len(ground.quote) <= _LONG else f"{ground.quote[:_LONG].rstrip()}…"
    clause = el("div", f"“{quote}”", *marks, cls="cs-clause") if quote else None
    return el("div", el("div", ground.words), clause, cls="cs-ground")
