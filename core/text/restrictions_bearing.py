"""Whether a rule bears on what is asked for, and what it makes of it by what is known."""

# ruff: noqa: E501 - patterns read better unbroken
from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from core.text.quantities import Quantity, find_quantities
from core.text.requests import WantedAct, wanted_acts
from core.text.requests_acts import answers_to, matters
from core.text.restrictions import Clause
from core.text.restrictions_parts import Condition
from core.text.restrictions_state import Facts, State, families, known, refused, ruled_out, state

Verdict = Literal["forbidden", "failed", "approval", "exceeds", "open", "doubtful", "allowed"]
_I = re.IGNORECASE
_MONEY = {"USD", "EUR", "GBP", "CNY", "CAD", "AUD", "dollar"}
_PART = re.compile(
    r"\b(?:only|just)\s+(?:one|some|the \w+|that|this|two)\b|\bone (?:of (?:the|my|our)|segment|leg|way)\b|\bfor (?:that|this) [^.,]{0,30}"
    r"\b(?:flight|item|room|leg|segment)\b|\bleave the others?\b|\bpart of\b|\bonly for\b|只(?:退|改|取消)一",
    _I,
)
"""Asks for a part to be treated unlike the rest."""
_QUALIFIED = 0.34
"""Above this share of what a rule is about left unsaid, it is open whether it speaks of this."""
_NEUTRAL = 0.75
_WEAK = 0.2
"""Below this a section that merely stands around the rule says nothing of what is asked."""


class Bearing(NamedTuple):
    """What one rule makes of one wanted act. ``condition`` is the one that decided, in its words."""

    verdict: Verdict
    clause: Clause
    condition: str = ""
    share: float = 0.0
    """How much of what is asked about the rule names, 0..1."""


class Rule(NamedTuple):
    """A clause with the words of the section it stands in."""

    clause: Clause
    section: frozenset[str] = frozenset()


def bearing(rule: Rule, wanted: WantedAct, facts: Facts) -> Bearing | None:
    """What ``rule`` makes of ``wanted``; ``None`` where it does not speak of it."""
    clause = rule.clause
    if clause.acts and not clause.acts & answers_to(wanted.act):
        return None
    facts = facts._replace(said=_without_goals(facts.said))
    have = known(facts)
    share, weak = _shared(rule, wanted, facts)
    if not clause.about and _sums(clause):
        share, weak = max(share, 0.5), False
    if not _speaks_of_it(clause, share, have) or not _amount_reached(clause, facts):
        return None
    if ruled_out(clause.about, have) or clause.about & refused(facts):
        return None
    given = clause.about | wanted.about | {wanted.act} | clause.acts
    missing = _missing(clause, have)
    unsaid = len(missing) / len(clause.about) if clause.about else 0.0
    judged = _Judged(clause, wanted, facts, given, unsure=weak or unsaid > _QUALIFIED)
    verdict, words = judged.verdict()
    return Bearing(verdict, clause, words, share) if verdict else None


_GOAL = re.compile(
    r"\b(?:to|into)\s+(?:an?\s+|the\s+)?(?!(?:be|get|have|cancel|keep)\b)\w[^,.;]*", _I
)
_TURNS = frozenset({"upgrade", "downgrade", "change", "exchange", "replace"})


@lru_cache(maxsize=512)
def _without_goals(said: str) -> str:
    """What something is to become is not what it is: "upgrade it to business"."""
    for wanted in wanted_acts(said):
        if wanted.act not in _TURNS:
            continue
        goal = _GOAL.search(wanted.words, wanted.words.lower().find(wanted.act[:4]) + 1)
        said = said.replace(goal[0], " ") if goal else said
    return said


_LIST = re.compile(r"\w+(?:,\s+[\w ]+?)*,?\s+or\s+\w+", _I)


def _missing(clause: Clause, have: frozenset[str]) -> frozenset[str]:
    """What the rule is about and nobody said; of "glass, plants or food" one is enough."""
    have = families(have)
    missing = frozenset(s for s in clause.about if not families(frozenset({s})) & have)
    for listed in _LIST.finditer(clause.text):
        group = matters(listed[0])
        if len(group - missing) and group <= clause.about:
            missing -= group
    return missing


def _shared(rule: Rule, wanted: WantedAct, facts: Facts) -> tuple[float, bool]:
    """How much of the thing asked about the rule, or else its section, names."""
    things = families(wanted.about or matters(facts.said))
    if not things:
        return 0.0, True
    about = families(rule.clause.about)
    if both := about & things:
        return len(both) / max(1, len(wanted.about) or len(about)), False
    said = families(matters(wanted.sentence) | matters(facts.said))
    if about and about <= said:
        return 0.5, False
    around = families(rule.clause.heading | rule.section)
    near = things & around
    share = 0.3 * len(near) / len(things)
    return (share, True) if share >= _WEAK else (0.0, True)


def _speaks_of_it(clause: Clause, share: float, have: frozenset[str]) -> bool:
    if clause.acts:
        return share > 0
    said = frozenset(s for s in clause.about if families(frozenset({s})) & have)
    return len(said) >= 2 and len(said) >= _NEUTRAL * len(clause.about)


def _sums(clause: Clause) -> list[Quantity]:
    """The amounts of money from which on a rule asks for an approval."""
    if clause.force != "needs_approval":
        return []
    return [q for q in find_quantities(clause.text) if q.unit.upper() in _MONEY]


def _amount_reached(clause: Clause, facts: Facts) -> bool:
    """ "A refund of more than $500" speaks of no smaller one, and of none whose amount is unknown."""
    for q in _sums(clause):
        named = find_quantities(f"{facts.said} {facts.records}")
        if re.search(r"(?:more than|over|above|exceed\w*)\s*$", clause.text[: q.start], _I):
            return any(s.value > q.value for s in named if s.unit == q.unit)
    return True


class _Judged(NamedTuple):
    clause: Clause
    wanted: WantedAct
    facts: Facts
    given: frozenset[str]
    unsure: bool

    def verdict(self) -> tuple[Verdict | None, str]:
        """What the rule comes to, and the condition that decided."""
        clause = self.clause
        if clause.partial:
            part = _PART.search(self.wanted.sentence) or _PART.search(self.facts.said)
            return ("open" if self.unsure else "forbidden", "") if part else (None, "")
        if clause.force == "needs_approval":
            return (None, "") if self.unsure else ("approval", clause.approver)
        return self._ban() if clause.force == "forbids" else self._permission()

    def _states(self, *senses: str) -> list[tuple[Condition, State]]:
        return [
            (c, state(c.words, self.facts, self.given))
            for c in self.clause.conditions
            if c.sense in senses
        ]

    def _ban(self) -> tuple[Verdict | None, str]:
        for exception, holds in self._states("unless"):
            if holds == "met":
                return "allowed", exception.words
        triggers = self._states("if")
        if any(s == "failed" for _, s in triggers):
            return None, ""
        if left := [c for c, s in triggers if s == "open"]:
            return "open", left[0].words
        return ("open", "") if self.unsure else ("forbidden", "")

    def _permission(self) -> tuple[Verdict | None, str]:
        for lifted, holds in self._states("unless"):
            if holds == "met":
                return ("doubtful" if self.unsure else "failed"), lifted.words
        if limit := _exceeded(self.clause, self.wanted):
            return (None, "") if self.unsure else ("exceeds", limit)
        states = self._states("only_if")
        outcome = _joined(states, any_of=self.clause.any_of)
        if outcome == "met":
            return (None, "") if self.unsure else ("allowed", "")
        words = next((c.words for c, s in states if s == outcome), "")
        if outcome == "failed":
            return ("doubtful" if self.unsure else "failed"), words
        return "open", words


def _joined(states: Sequence[tuple[Condition, State]], *, any_of: bool) -> State:
    found = [s for _, s in states]
    if any_of:
        if "met" in found:
            return "met"
        return "failed" if found and all(s == "failed" for s in found) else "open"
    if "failed" in found:
        return "failed"
    return "open" if "open" in found else "met"


_UP_TO = re.compile(r"\b(?:up to|at most|(?:a )?maximum of|within|no more than)\s*$|最多", _I)


def _exceeded(clause: Clause, wanted: WantedAct) -> str:
    """The rule's limit, where what is asked for is more of the same: 60 days against 45."""
    asked = find_quantities(wanted.words)
    for limit in find_quantities(clause.text):
        if not _UP_TO.search(clause.text[: limit.start]):
            continue
        if any(_same_unit(limit, q) and q.value > limit.value for q in asked):
            return limit.text
    return ""


def _same_unit(a: Quantity, b: Quantity) -> bool:
    return a.unit == b.unit and a.unit not in ("number", "time")
