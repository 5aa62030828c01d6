"""Stage: the rules for what the customer asks to be done are evidence, whatever the gate said.

"Cancel my booking" asks no question, so a passage that says when a booking may be cancelled seems
to answer none. Such a passage is let in, a few at most; one that tries to instruct a model never.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.models.evidence import GatedPassage
from core.models.request import UserRequest
from core.text.requests import wanted_acts
from core.text.requests_rules import RulePassage, rules_found
from core.text.restrictions_state import Facts

MOST = 3
"""Passages let in for one thing asked for."""
_LEAST_SHARE = 0.3
_LEFT_OUT = ("no_evidence", "not_relevant")
_REASON = "holds the rule for what is asked to be done"
_ROWS = ("record", "case_file")


def admit_rules(request: UserRequest, gated: Sequence[GatedPassage]) -> tuple[GatedPassage, ...]:
    """``gated`` with the passages let in that hold a rule for what is asked to be done."""
    if not wanted_acts(request.raw_query):
        return tuple(gated)
    wanted = _wanted(request, gated)
    return tuple(
        g.model_copy(update={"route": "include", "rule": "situation", "reason": _REASON})
        if g.candidate.chunk_id in wanted and g.rule in _LEFT_OUT
        else g
        for g in gated
    )


def _wanted(request: UserRequest, gated: Sequence[GatedPassage]) -> frozenset[str]:
    """Chunk ids of the passages with the rules that decide most."""
    passages = tuple(rule_passage(g) for g in gated if _may_hold_one(g))
    facts = Facts(request.raw_query)
    chosen: set[str] = set()
    for _, found in rules_found(request.raw_query, passages, facts):
        near = [f.passage.key for f in found if f.bearing.share >= _LEAST_SHARE]
        chosen |= set(tuple(dict.fromkeys(near))[:MOST])
    return frozenset(chosen)


def _may_hold_one(passage: GatedPassage) -> bool:
    candidate = passage.candidate
    usable = passage.rule in (*_LEFT_OUT, "evidence", "situation")
    return usable and candidate.retrieval_source not in _ROWS and candidate.status == "active"


def rule_passage(passage: GatedPassage) -> RulePassage:
    """A passage as a place of rules, under its chunk id."""
    candidate = passage.candidate
    return RulePassage(
        key=candidate.chunk_id,
        text=candidate.text,
        section=(candidate.document_id, *candidate.heading_path),
        heading=" ".join(candidate.heading_path[-2:]),
    )
