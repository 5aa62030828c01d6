"""How the rounds of a search look: what each was for, what came back, what it settled."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.models.evidence import Evidence
from core.models.judgement import Coverage, CoverageSignals
from core.models.round_words import LOOP_ENDS, STRATEGIES, coverage_words, yield_words
from core.models.trace import PipelineRun, Round
from pages.components.cards import chip, source_line, table, tag
from pages.components.untrusted import Html, Piece, el, join
from pages.components.words import count

_SETTLED = "covered"
_FIGURE = re.compile(r" \([a-z ]*\d(?:\.\d+)?\)")
"""A probability within a reason: for the inspector, not for an agent's screen."""


def rounds_body(run: PipelineRun, *, figures: bool = False) -> Html:
    """Every round and why there was no further one; ``figures`` adds what the judge went by."""
    trace = run.trace
    if not trace.rounds:
        why = LOOP_ENDS[trace.loop_end] if trace.loop_end else "no search was run"
        return el("div", f"No search was run: {why}.", cls="cs-soft")
    names = {d.id: d.name for d in run.plan.dimensions} if run.plan else {}
    evidence = {e.evidence_id: e for e in run.package.all_evidence()} if run.package else {}
    before: Mapping[str, Coverage] = {}
    shown: list[Html] = []
    for done in trace.rounds:
        shown.append(_round(done, before, names, evidence, figures=figures))
        before = done.judgement.dimension_coverage_matrix if done.judgement else before
    return join((*shown, _end(run)))


def _end(run: PipelineRun) -> Html | None:
    end = run.trace.loop_end
    if end is None:
        return None
    rounds = count(len(run.trace.rounds), "round")
    good = end == "enough"
    sign = "✔" if good else "○"
    words = f"{sign} Ended after {rounds}: {LOOP_ENDS[end]}"
    return el("div", tag(words, "good" if good else "warn"), cls="cs-gap")


def _round(
    done: Round,
    before: Mapping[str, Coverage],
    names: Mapping[str, str],
    evidence: Mapping[str, Evidence],
    *,
    figures: bool,
) -> Html:
    return el(
        "div",
        _head(done),
        _why(done, names),
        el("div", f"“{done.query}”", cls="cs-quote"),
        el("div", f"Brought {yield_words(done)}.", cls="cs-soft"),
        _accepted(done, evidence),
        _coverage(done, before, names, figures=figures),
        cls="cs-tile cs-gap",
    )


def _head(done: Round) -> Html:
    filled = {
        True: tag("✔ gap filled", "good"),
        False: tag("○ gap still open", "warn"),
        None: None,
    }[done.gap_filled]
    return el(
        "div",
        el("b", f"Round {done.number}"),
        tag(STRATEGIES[done.rewrite.strategy_tag] if done.rewrite else "asked as it came"),
        filled,
        tag(f"{done.ms / 1000:.1f} s") if done.ms else None,
        cls="cs-card-head",
    )


def _why(done: Round, names: Mapping[str, str]) -> Html | None:
    rewrite = done.rewrite
    if rewrite is None:
        return None
    gap = names.get(rewrite.gap, rewrite.gap)
    return el(
        "div",
        el("span", f"Missing: {gap}. "),
        f"Hoped for: {rewrite.expected_new_evidence}.",
        cls="cs-small",
    )


def _accepted(done: Round, evidence: Mapping[str, Evidence]) -> Html | None:
    """The new evidence by title. What a later round left out again has only its number."""
    if not done.new_evidence_ids:
        return None
    return el("ul", join(_one(i, evidence.get(i)) for i in done.new_evidence_ids), cls="cs-small")


def _one(evidence_id: str, item: Evidence | None) -> Html:
    if item is None:
        return el("li", el("span", evidence_id, cls="cs-code"), " not kept in the end")
    c = item.candidate
    row = c.retrieval_source in ("record", "case_file")
    return el(
        "li",
        chip(evidence_id, record=row),
        " ",
        source_line(c.source_title, " › ".join(h for h in c.heading_path if h != c.source_title)),
    )


def _coverage(
    done: Round, before: Mapping[str, Coverage], names: Mapping[str, str], *, figures: bool
) -> Html | None:
    if done.judgement is None:
        return None
    matrix = done.judgement.dimension_coverage_matrix
    heads = ["", "Must cover", "Before", "After", "Why"]
    rows = [_row(d, c, before.get(d), names, figures=figures) for d, c in matrix.items()]
    if figures:
        heads.append("The judge went by")
        rows = [(*row, _signals(c.signals)) for row, c in zip(rows, matrix.values(), strict=True)]
    return table(heads, rows)


def _row(
    dimension: str,
    now: Coverage,
    then: Coverage | None,
    names: Mapping[str, str],
    *,
    figures: bool,
) -> tuple[Piece, ...]:
    was, words = coverage_words(then) if then else "–", coverage_words(now)
    good = words == _SETTLED
    moved = was not in (words, "–")
    after = tag(f"{'✔' if good else '○'} {words}", "good" if good else "warn")
    return (
        el("span", dimension, cls="cs-one"),
        names.get(dimension, ""),
        el("span", was, cls="cs-one"),
        join((after, tag("changed", "accent") if moved else None)),
        now.reason if figures else _FIGURE.sub("", now.reason),
    )


def _signals(signals: CoverageSignals | None) -> Piece:
    if signals is None:
        return ""
    parts = [
        f"usable evidence {signals.evidence:.2f}",
        f"directness {signals.directness:.2f}",
        f"authority {signals.authority}" if signals.authority else "",
        count(signals.sources, "source") if signals.sources else "",
        signals.freshness.replace("_", " "),
    ]
    return " · ".join(part for part in parts if part)
