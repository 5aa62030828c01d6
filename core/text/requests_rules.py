"""What the rules of some passages make of what a message asks to be done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.text.requests import WantedAct, wanted_acts
from core.text.requests_acts import matters
from core.text.restrictions import clauses
from core.text.restrictions_bearing import Bearing, Rule, Verdict, bearing
from core.text.restrictions_state import Facts

_ORDER: tuple[Verdict, ...] = (
    "forbidden",
    "failed",
    "approval",
    "exceeds",
    "allowed",
    "doubtful",
    "open",
)
"""What decides first: a ban, a condition not met, an approval, a limit; then a plain permission."""
_CLOSE = 0.6
"""A rule that names this share less of what is asked than the best one is left aside."""


class RulePassage(NamedTuple):
    """A passage as a place of rules. ``section`` names the document and heading it stands under."""

    key: str
    text: str
    section: tuple[str, ...]
    heading: str = ""


class Found(NamedTuple):
    """One rule that bears on one wanted act, and the passage it stands in."""

    wanted: WantedAct
    bearing: Bearing
    passage: RulePassage


def rules_found(
    message: str, passages: Sequence[RulePassage], facts: Facts
) -> tuple[tuple[WantedAct, tuple[Found, ...]], ...]:
    """For each thing ``message`` asks to be done, the rules that bear on it, the deciding first."""
    wanted = wanted_acts(message)
    if not wanted:
        return ()
    around = _sections(passages)
    rules = [
        (Rule(clause, around[p.section]), p)
        for p in passages
        for clause in clauses(p.text, p.heading)
    ]
    return tuple((act, _bearing_on(act, rules, facts)) for act in wanted)


def _bearing_on(
    wanted: WantedAct, rules: Sequence[tuple[Rule, RulePassage]], facts: Facts
) -> tuple[Found, ...]:
    found = [
        Found(wanted, result, passage)
        for rule, passage in rules
        if (result := bearing(rule, wanted, facts)) is not None
    ]
    best = max((f.bearing.share for f in found), default=0.0)
    near = [f for f in found if f.bearing.share >= best * (1 - _CLOSE)]
    return tuple(sorted(near, key=lambda f: (_ORDER.index(f.bearing.verdict), -f.bearing.share)))


def _sections(passages: Sequence[RulePassage]) -> dict[tuple[str, ...], frozenset[str]]:
    texts: dict[tuple[str, ...], str] = {}
    for p in passages:
        texts[p.section] = f"{texts.get(p.section, '')} {p.heading} {p.text}"
    return {section: matters(text) for section, text in texts.items()}
