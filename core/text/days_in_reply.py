"""What may be quoted for each of the days a question compares, and what is chosen for each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from core.models.evidence import EvidencePackage
from core.models.judgement import Resolution
from core.models.plan import QueryPlan
from core.models.validity import answers_for
from core.text.choose import Chosen, Option, Part, Similarity, choose_parts
from core.text.pool import options
from core.text.scoring import Scorer
from core.text.similarity import overlap

_ABOUT_AS_GOOD = 0.7
_COUNTERPART = 0.5
"""Share of words in common from which two sentences speak of the same."""


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
        fit = list(_telling(question, mine, fit, pool, similarity))
        each = max(1, limit // len(plan.temporal.compared))
        found = choose_parts(question, mine, fit, limit=each, similarity=similarity)
        found = _beside(found, chosen, fit)
        known = {(c.option.evidence_id, c.option.place) for c in chosen.choices}
        more = [c for c in found.choices if (c.option.evidence_id, c.option.place) not in known]
        chosen = Chosen((*chosen.choices, *more), chosen.answered | found.answered)
    return chosen


def _beside(found: Chosen, earlier: Chosen, fit: Sequence[Option]) -> Chosen:
    """What was quoted for the earlier day leads: its counterpart, where this day's version has one,
    is quoted first, so that like stands beside like."""
    if not found.choices or not earlier.choices:
        return found
    lead, first = earlier.choices[0].option, found.choices[0]
    twin = max(fit, key=lambda o: overlap(lead.unit.prose, o.unit.prose))
    alike = overlap(lead.unit.prose, twin.unit.prose) >= _COUNTERPART
    if not alike or any(c.option == twin for c in found.choices):
        return found
    return Chosen((first._replace(option=twin), *found.choices[1:]), found.answered)


def _telling(
    question: str,
    parts: Sequence[Part],
    fit: Sequence[Option],
    pool: Sequence[Option],
    similarity: Similarity | None,
) -> Sequence[Option]:
    """What one day's version says and another version does not say word for word, where that
    answers about as well as anything; else all of it."""
    elsewhere = {o.unit.prose for o in pool if o not in fit}
    if not elsewhere or not fit:
        return fit
    scorer = Scorer(question, parts, fit, similarity)
    ranked = [pair for part in parts for pair in scorer.ranked(part)]
    best = max((score for score, _ in ranked), default=0.0)
    good = [o for score, o in ranked if score >= _ABOUT_AS_GOOD * best]
    differing = [o for o in good if o.unit.prose not in elsewhere]
    same = [o for o in fit if o.unit.prose in elsewhere]
    return [o for o in fit if o not in same] if best > 0 and differing else fit


def _days(plan: QueryPlan) -> tuple[date, ...]:
    return plan.temporal.compared or (plan.temporal.effective_policy_date,)


def _on_day(plan: QueryPlan, package: EvidencePackage, day: date) -> EvidencePackage:
    able = tuple(e for e in package.selected_evidence if answers_for(e.candidate, day, plan))
    return package.model_copy(update={"selected_evidence": able})
