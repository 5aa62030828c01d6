"""On which days a version holds."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from core.models.evidence import EvidenceCandidate, EvidencePackage
from core.models.plan import Dimension, QueryPlan
from core.models.source import Governance


def held_on(candidate: EvidenceCandidate, day: date) -> bool:
    """Whether the version behind ``candidate`` was valid on ``day``: from ``valid_from`` up to, not
    including, ``valid_to``. Never a draft."""
    if candidate.status == "draft":
        return False
    begun = candidate.valid_from is None or candidate.valid_from <= day
    return begun and (candidate.valid_to is None or day < candidate.valid_to)


def may_speak(candidate: EvidenceCandidate, day: date, plan: QueryPlan) -> bool:
    """Whether ``candidate`` may answer for ``day``: for today only a version in force, for another
    day what was valid then. Records have no versions."""
    if candidate.looked_up:
        return True
    if plan.temporal.current_on(day) and candidate.status != "active":
        return False
    return held_on(candidate, day)


def answers_for(candidate: EvidenceCandidate, day: date, plan: QueryPlan) -> bool:
    """``may_speak``; what still holds today says nothing of what held before a change."""
    when = plan.temporal
    before = when.before_change and bool(when.compared) and day != when.compared[-1]
    if before and not candidate.looked_up:
        return held_on(candidate, day) and not held_on(candidate, when.compared[-1])
    return may_speak(candidate, day, plan)


def speaks_for(candidate: EvidenceCandidate, dimension: Dimension, plan: QueryPlan) -> bool:
    """Whether ``candidate`` may cover ``dimension``: where days are compared, only what may answer
    for the dimension's own day."""
    return not plan.temporal.compared or answers_for(candidate, plan.day_of(dimension), plan)


def for_dimension(
    package: EvidencePackage, dimension: Dimension, plan: QueryPlan
) -> EvidencePackage:
    """``package`` with only what may cover ``dimension``: the version of its own day."""
    if not plan.temporal.compared:
        return package
    able = [
        tuple(e for e in block if speaks_for(e.candidate, dimension, plan))
        for block in (package.selected_evidence, package.conflicting_evidence)
    ]
    return package.model_copy(
        update={"selected_evidence": able[0], "conflicting_evidence": able[1]}
    )


def judged_on(plan: QueryPlan, dimension: Dimension | None = None) -> date | None:
    """The day on which a source's standing counts; ``None`` for what is in force now."""
    day = plan.day_of(dimension) if dimension else plan.temporal.effective_policy_date
    return None if plan.temporal.current_on(day) else day


def ends(versions: Mapping[str, Governance]) -> dict[str, date]:
    """The first day each version of one source no longer holds, by document id.

    As its owner says; where nobody said, the day on which the next version of the same reach
    begins. A version for a special case ends no other. Versions without an end are left out.
    """
    found = {name: g.valid_to for name, g in versions.items() if g.valid_to is not None}
    for name, governance in versions.items():
        if name not in found and (next_begins := _replaced_on(name, governance, versions)):
            found[name] = next_begins
    return found


def successors(versions: Mapping[str, Governance]) -> dict[str, str]:
    """The active version that comes after each version of one source: the one that names it, else
    the one that begins on the day it ends. By document id."""
    last, found = ends(versions), dict[str, str]()
    for name, new in versions.items():
        if new.status != "active":
            continue
        if new.supersedes and new.supersedes != name:
            found[new.supersedes] = name
        for old, end in last.items():
            if old != name and new.valid_from == end and _replaces(new, old, versions[old]):
                found.setdefault(old, name)
    return found


def _replaced_on(name: str, old: Governance, versions: Mapping[str, Governance]) -> date | None:
    begins = [
        new.valid_from
        for other, new in versions.items()
        if other != name and new.valid_from is not None and _replaces(new, name, old)
    ]
    return min(begins, default=None)


def _replaces(new: Governance, name: str, old: Governance) -> bool:
    if new.status == "draft" or new.scope_note or _reach(new) != _reach(old):
        return False
    if new.supersedes == name:
        return True
    later = old.valid_from is not None and new.valid_from is not None
    return later and new.valid_from > old.valid_from  # type: ignore[operator]


def _reach(governance: Governance) -> tuple[str, ...]:
    named = (governance.region, governance.product, governance.language)
    return tuple(name.casefold() for name in named)
