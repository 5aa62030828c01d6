"""Selecting: what fits the budget, without copies, in the order of its use to the drafter."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from core.models.evidence import (
    Evidence,
    EvidenceCandidate,
    EvidencePackage,
    GatedPassage,
    Sufficiency,
)
from core.models.gate_words import unjudged_words
from core.models.plan import QueryPlan
from core.models.standing import standing
from core.models.validity import held_on, may_speak, speaks_for
from core.ports import TokenCounter
from core.text.polarity import negated
from core.text.similarity import overlap, term_coverage

MAX_ACCEPTED = 8
"""Accepted passages at most: more rarely adds a fact and costs the reader's time."""
MAX_CONFLICTING = 3
MAX_NEARBY = 3
_SAME = 0.85
_ID = re.compile(r"EVID-(\d+)")


def select(
    request_id: str,
    plan: QueryPlan,
    gated: Sequence[GatedPassage],
    *,
    tokens: TokenCounter,
    budget: int,
    known: Mapping[str, str] | None = None,
    max_accepted: int = MAX_ACCEPTED,
) -> EvidencePackage:
    """The package for the drafter, at most ``budget`` tokens; what had to go is listed.

    ``known`` maps chunk ids of earlier rounds to their evidence ids, which stay. Evidence that
    contradicts the question's premise is kept in its own block and counted first.
    """
    unjudged = unjudged_words(gated)
    notes = list(unjudged)
    alive = [_for_its_day(passage, plan) for passage in gated if passage.route != "exclude"]
    current, dead = _split_dead(alive, plan)
    if dead:
        notes.append(f"{len(dead)} passages of versions no longer in force were left out")
    kept, copies = _without_copies(current, plan.temporal.compared)
    if copies:
        notes.append(f"{len(copies)} near-identical passages were left out")
    denying = [p for p in kept if p.route == "conflict"]
    denying.sort(key=lambda p: -p.probability("contradicts"))
    accepted = _by_use(plan, [p for p in kept if p.route == "include"])
    fitting = _Budget(tokens, budget)
    conflicting = fitting.take(denying, MAX_CONFLICTING)
    looked_up = sum(_is_looked_up(p) for p in accepted)  # rows do not crowd out passages
    selected = fitting.take(accepted, max_accepted + looked_up)
    left = [p for p in (*denying, *accepted) if p not in conflicting and p not in selected]
    if left:
        notes.append(f"{len(left)} accepted passages did not fit")
    ids = _evidence_ids((*selected, *conflicting), known or {})
    return EvidencePackage(
        request_id=request_id,
        query=plan.normalized_query,
        selected_evidence=_as_evidence(selected, ids),
        conflicting_evidence=_as_evidence(conflicting, ids),
        total_tokens=fitting.used,
        omitted_candidate_ids=tuple(p.candidate.chunk_id for p in (*left, *copies, *dead)),
        sufficiency=_sufficiency(plan, selected, conflicting),
        notes=tuple(notes),
        unjudged=unjudged,
        nearby=_nearby(gated, plan),
    )


def _nearby(gated: Sequence[GatedPassage], plan: QueryPlan) -> tuple[str, ...]:
    """What a colleague may look at where nothing states the answer; never what is out of force."""
    beside = [p for p in gated if p.rule == "no_evidence"]
    alive, _ = _split_dead(beside, plan)
    alive.sort(key=lambda p: -p.probability("relevant"))
    named = (" › ".join((p.candidate.source_title, *p.candidate.heading_path[-1:])) for p in alive)
    return tuple(dict.fromkeys(name for name in named if name.strip(" ›")))[:MAX_NEARBY]


class _Budget:
    """Takes passages in order while they fit; a passage too large is skipped, not cut."""

    def __init__(self, tokens: TokenCounter, budget: int) -> None:
        self._tokens, self._left, self.used = tokens, budget, 0

    def take(self, passages: Sequence[GatedPassage], at_most: int) -> list[GatedPassage]:
        taken: list[GatedPassage] = []
        for passage in passages:
            cost = self._tokens.count(passage.candidate.text)
            if len(taken) < at_most and cost <= self._left:
                taken.append(passage)
                self._left -= cost
                self.used += cost
        return taken


def _split_dead(
    passages: Sequence[GatedPassage], plan: QueryPlan
) -> tuple[list[GatedPassage], list[GatedPassage]]:
    """Versions no longer in force serve only a question about the past, and only on their own days.
    A person may overrule."""
    when = plan.temporal
    days = when.compared or (when.effective_policy_date,)
    dead = [
        p
        for p in passages
        if p.rule != "forced" and not any(may_speak(p.candidate, day, plan) for day in days)
    ]
    return [p for p in passages if p not in dead], dead


def _for_its_day(passage: GatedPassage, plan: QueryPlan) -> GatedPassage:
    """Where days are compared, what held on one of them denies nothing that is said of another."""
    days = plan.temporal.compared
    denies = passage.route == "conflict" and passage.rule == "contradicts"
    if not (days and denies) or all(held_on(passage.candidate, day) for day in days):
        return passage
    reason = "it holds for one of the days that are compared"
    return passage.model_copy(update={"route": "include", "rule": "evidence", "reason": reason})


def _without_copies(
    passages: Sequence[GatedPassage], days: Sequence[date]
) -> tuple[list[GatedPassage], list[GatedPassage]]:
    ranked = sorted(passages, key=lambda p: _worth(p.candidate), reverse=True)
    kept: list[GatedPassage] = []
    copies: list[GatedPassage] = []
    for passage in ranked:
        same = any(
            _is_copy(passage.candidate, other.candidate)
            and _same_days(passage.candidate, other.candidate, days)
            for other in kept
        )
        (copies if same else kept).append(passage)
    order = {p.candidate.chunk_id: at for at, p in enumerate(passages)}
    kept.sort(key=lambda p: order[p.candidate.chunk_id])
    return kept, copies


def _worth(candidate: EvidenceCandidate) -> tuple[int, date, float]:
    """Of two copies the one from the higher authority stays, then the newer."""
    return (
        -standing(candidate).rank,
        candidate.valid_from or candidate.last_reviewed or date.min,
        candidate.score,
    )


def _is_copy(a: EvidenceCandidate, b: EvidenceCandidate) -> bool:
    if "record" in (a.retrieval_source, b.retrieval_source):
        return a.chunk_id == b.chunk_id
    if "case_file" in (a.retrieval_source, b.retrieval_source):
        return a.chunk_id == b.chunk_id
    if _digits(a.text) != _digits(b.text) or negated(a.text) != negated(b.text):
        return False  # Alike in words but not in value: that is a conflict to show, not a copy.
    return a.text == b.text or overlap(a.text, b.text) >= _SAME


def _same_days(a: EvidenceCandidate, b: EvidenceCandidate, days: Sequence[date]) -> bool:
    """The same words of two versions are no copies where each is asked for on its own day."""
    return all(held_on(a, day) == held_on(b, day) for day in days)


def _digits(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\d+(?:[.,]\d+)*", text))


def _by_use(plan: QueryPlan, passages: Sequence[GatedPassage]) -> list[GatedPassage]:
    """Records first, then the best passage of each dimension in turn, then the rest by worth."""
    looked_up = [p for p in passages if _is_looked_up(p)]
    rest = sorted((p for p in passages if p not in looked_up), key=_usefulness, reverse=True)
    first: list[GatedPassage] = []
    for dimension in plan.dimensions:
        if dimension.kind != "passage" or not rest:
            continue
        able = [p for p in rest if speaks_for(p.candidate, dimension, plan)]
        best = max(able, key=lambda p: _fit(dimension.query, p), default=None)
        if best is not None and best not in first:
            first.append(best)
    first.sort(key=_usefulness, reverse=True)
    return [*looked_up, *first, *(p for p in rest if p not in first)]


def _is_looked_up(passage: GatedPassage) -> bool:
    return passage.candidate.retrieval_source in ("record", "case_file")


def _usefulness(passage: GatedPassage) -> float:
    """Evidence first; authority breaks what is nearly equal; a reviewer's choice leads."""
    chosen = 1.0 if passage.rule == "forced" else 0.0
    return chosen + passage.probability("evidence") - 0.05 * standing(passage.candidate).rank


def _fit(query: str, passage: GatedPassage) -> float:
    candidate = passage.candidate
    text = " ".join((candidate.source_title, *candidate.heading_path, candidate.text))
    return term_coverage(query, text) + _usefulness(passage)


def _evidence_ids(passages: Sequence[GatedPassage], known: Mapping[str, str]) -> dict[str, str]:
    used = [int(match[1]) for value in known.values() if (match := _ID.fullmatch(value))]
    upcoming = max(used, default=0) + 1
    ids: dict[str, str] = {}
    for passage in passages:
        chunk = passage.candidate.chunk_id
        if chunk in known:
            ids[chunk] = known[chunk]
        else:
            ids[chunk] = f"EVID-{upcoming:04d}"
            upcoming += 1
    return ids


def _as_evidence(passages: Sequence[GatedPassage], ids: Mapping[str, str]) -> tuple[Evidence, ...]:
    return tuple(Evidence(evidence_id=ids[p.candidate.chunk_id], gated=p) for p in passages)


def _sufficiency(
    plan: QueryPlan, selected: Sequence[GatedPassage], conflicting: Sequence[GatedPassage]
) -> Sufficiency:
    if plan.needs_clarification:
        return "ambiguous"
    if conflicting:
        return "conflicting"
    return "sufficient" if selected else "insufficient"
