"""The loop in plain words, the same on every screen and at the terminal."""

from __future__ import annotations

from collections.abc import Mapping

from core.models.judgement import Coverage
from core.models.plan import RewriteStrategy
from core.models.trace import LoopEnd, Round

STRATEGIES: Mapping[RewriteStrategy, str] = {
    "EXPAND_FIELDS": "asked for the fields a rule would state",
    "NARROW_TIME_SCOPE": "asked for the version valid then",
    "SWITCH_KEYWORD_SYNONYM": "asked in other words",
    "SWITCH_TO_STRUCTURED_QUERY": "looked records up by their key",
    "RESOLVE_AMBIGUOUS_TERM": "asked for exactly the thing that is named",
}
"""What a rewrite did."""

LOOP_ENDS: Mapping[LoopEnd, str] = {
    "enough": "everything asked is covered",
    "contradiction": "sources contradict each other; more search would not settle it",
    "rounds_spent": "the rounds a question may take are spent",
    "time_spent": "the time a question may take is spent",
    "cost_spent": "what a question may cost is spent",
    "nothing_new": "further search brought nothing new",
    "nothing_left_to_try": "no other way to ask was left",
    "nothing_to_search": "there was nothing to search for",
    "cancelled": "somebody stopped it",
    "failed": "a part broke",
}
"""Why no further round was begun."""


def round_words(done: Round, names: Mapping[str, str]) -> str:
    """One round in a line: what was asked, why, what came of it. ``names`` are of the gaps."""
    rewrite = done.rewrite
    why = (
        f" ({STRATEGIES[rewrite.strategy_tag]}, for: {names.get(rewrite.gap, rewrite.gap)})"
        if rewrite
        else ""
    )
    return f"“{done.query}”{why} – {yield_words(done)}"


def yield_words(done: Round) -> str:
    """What a round brought: new passages, which count, and whether its gap is filled."""
    found, taken = len(done.new_chunk_ids), len(done.new_evidence_ids)
    brought = f"{found} new passage{'' if found == 1 else 's'}, {taken or 'none'} accepted"
    filled = {True: ", the gap is filled", False: ", the gap is still open", None: ""}
    return f"{brought}{filled[done.gap_filled]}"


def coverage_words(coverage: Coverage | None) -> str:
    """How far a dimension is covered, for a person; no figures."""
    if coverage is None:
        return "not looked at"
    if coverage.covered:
        return "covered" if coverage.confidence == "high" else "covered, not surely"
    return "touched, not stated" if coverage.evidence_ids else "missing"
