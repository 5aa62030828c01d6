"""What may be quoted for each of the days a question compares, and what is chosen for each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.models.evidence import EvidencePackage
from core.models.judgement import Resolution
from core.models.plan import QueryPlan
from core.models.validity import may_speak
from core.text.choose import Chosen, Option, Part, Similarity, choose_parts
from core.text.pool import options


def options_on_days(
    plan: QueryPlan, package: EvidencePackage, resolutions: Sequence[Resolution]
) -> tuple[Option, ...]:
    """Every unit that may be quoted for some day asked about, each once."""
    found: dict[tuple[str, int], Option] = {}
    for day in _days(plan):
        on = None if plan.temporal.current_on(day) else day
        mine = _on_day(plan, package, day) if plan.temporal.compared else package
        for option in options(mine, resolutions, on=on):
            found.setdefault((option.evidence_id, option.place), option)
    return tuple(found.values())


def choose_on_days(
    plan: QueryPlan,
    package: EvidencePackage,
    question: str,
    parts: Sequence[Part],
    pool: Sequence[Option],
    *,
    limit: int,
    similarity: Similarity | None = None,
) -> Chosen:
    """``choose_parts`` for each compared day by itself, from its own versions; the earlier first.

    Sentences of a version that holds on both days are given once.
    """
    if not plan.temporal.compared:
        return choose_parts(question, parts, pool, limit=limit, similarity=similarity)
    days = {d.id: d.valid_on for d in plan.dimensions}
    undated = [p for p in parts if days.get(p.part_id) is None]
    chosen = choose_parts(question, undated, pool, limit=limit, similarity=similarity)
    if not undated:
        chosen = Chosen((), frozenset())
    for day in plan.temporal.compared:
        mine = [p for p in parts if days.get(p.part_id) == day]
        able = {e.evidence_id for e in _on_day(plan, package, day).selected_evidence}
        fit = [o for o in pool if o.evidence_id in able]
        if not mine:
            continue
        each = max(1, limit // len(plan.temporal.compared))
        found = choose_parts(question, mine, fit, limit=each, similarity=similarity)
        known = {(c.option.evidence_id, c.option.place) for c in chosen.choices}
        more = [c for c in found.choices if (c.option.evidence_id, c.option.place) not in known]
        chosen = Chosen((*chosen.choices, *more), chosen.answered | found.answered)
    return chosen


def _days(plan: QueryPlan) -> tuple[date, ...]:
    return plan.temporal.compared or (plan.temporal.effective_policy_date,)


def _on_day(plan: QueryPlan, package: EvidencePackage, day: date) -> EvidencePackage:
    able = tuple(e for e in package.selected_evidence if may_speak(e.candidate, day, plan))
    return package.model_copy(update={"selected_evidence": able})
