"""Values of a claim held against the evidence: quantities with their bounds, and dates."""

from __future__ import annotations

import re

from core.text import bounds
from core.text.context import context_of, same_matter, shared
from core.text.dates import PartialDate, absolute_dates
from core.text.findings import Finding, FindingKind, Part, mostly_same, nearest_sentence
from core.text.predicates import denials
from core.text.quantities import Quantity, find_quantities, same_quantity, satisfied
from core.text.units import CURRENCIES

_LAST_DAY = re.compile(
    r"\b(?:until|till|through|up to|no later than|not later than|latest|deadline (?:is|of))"
    r"\s*[:：]?\s*$"
    r"|(?:截至|直到|至|最晚|不迟于)\s*[:：]?\s*$",
    re.IGNORECASE,
)


def _kind(quantity: Quantity) -> FindingKind:
    return "money" if quantity.unit in CURRENCIES else "number"


def compare_quantities(claim: str, evidence: str, alignment: float) -> Part:
    missing: list[Finding] = []
    contradicted: list[Finding] = []
    agreed = 0
    theirs = find_quantities(evidence)
    for mine in find_quantities(claim):
        equal = [q for q in theirs if same_quantity(mine, q) == "same"]
        if not equal and any(_bears(claim, evidence, mine, q) for q in theirs):
            agreed += 1
            continue
        if equal:
            agreed += 1
            contradicted += _bound_findings(claim, evidence, mine, equal)
            continue
        rival = _rival(claim, evidence, mine, theirs)
        if rival is None:
            message = f"{mine.text!r} is not in the evidence"
            missing.append(Finding(_kind(mine), mine.text, "", message))
        else:
            message = f"the claim says {mine.text!r}, the evidence {rival.text!r}"
            contradicted.append(Finding(_kind(mine), mine.text, rival.text, message))
    return missing, contradicted, agreed


def _bears(claim: str, evidence: str, mine: Quantity, other: Quantity) -> bool:
    return satisfied(mine, other) and _aligned(claim, mine, evidence, other)


def _aligned(
    claim: str, mine: Quantity | PartialDate, evidence: str, other: Quantity | PartialDate
) -> bool:
    return same_matter(claim, (mine.start, mine.end), evidence, (other.start, other.end))


def _rival(
    claim: str, evidence: str, mine: Quantity, theirs: tuple[Quantity, ...]
) -> Quantity | None:
    """The evidence's different value for the same thing, if there is one."""
    context = context_of(claim, mine.start, mine.end)
    best: tuple[float, Quantity] | None = None
    for other in theirs:
        if same_quantity(mine, other) != "different":
            continue
        if not _aligned(claim, mine, evidence, other):
            continue
        score = shared(context, context_of(evidence, other.start, other.end))
        if best is None or score > best[0]:
            best = (score, other)
    return best[1] if best and not _claimed_elsewhere(claim, mine, best[1]) else None


def _claimed_elsewhere(claim: str, mine: Quantity, rival: Quantity) -> bool:
    """The claim states the rival value too: then it is no rival but another value."""
    return any(
        q.start != mine.start and same_quantity(q, rival) == "same" for q in find_quantities(claim)
    )


def _bound_findings(
    claim: str, evidence: str, mine: Quantity, equal: list[Quantity]
) -> list[Finding]:
    def clash(other: Quantity) -> bool:
        if bounds.opposed(mine.bound, other.bound):
            return True
        sides = {
            bounds.side_of(claim, mine.start, mine.end),
            bounds.side_of(evidence, other.start, other.end),
        }
        return sides == {"before", "after"}

    about_same = [q for q in equal if _aligned(claim, mine, evidence, q)]
    if not about_same or not all(clash(q) for q in about_same):
        return []
    nearest = nearest_sentence(claim, evidence)
    alike = len(find_quantities(nearest)) == len(find_quantities(claim))
    if not alike or not mostly_same(claim, nearest):
        return []
    if _denied_differently(claim, evidence):
        return []
    other = about_same[0]
    message = f"the claim bounds {mine.text!r} the other way than the evidence"
    return [Finding("bound", mine.text, other.text, message)]


def _denied_differently(claim: str, evidence: str) -> bool:
    """ "No return after 30 days" and "return within 30 days" agree: side and negation both turn."""
    return bool(denials(claim)) != bool(denials(evidence))


def compare_dates(claim: str, evidence: str, alignment: float) -> Part:
    missing: list[Finding] = []
    contradicted: list[Finding] = []
    agreed = 0
    theirs = absolute_dates(evidence)
    for mine in absolute_dates(claim):
        if any(_same_date(mine, other) for other in theirs) or _year_in(mine, evidence):
            agreed += 1
            continue
        if any(_date_bears(claim, mine, evidence, other) for other in theirs):
            agreed += 1
            continue
        rival = next((d for d in theirs if _about_same_date(claim, evidence, mine, d)), None)
        if rival is None:
            missing.append(Finding("date", mine.text, "", f"{mine.text!r} is not in the evidence"))
        else:
            message = f"the claim says {mine.text!r}, the evidence {rival.text!r}"
            contradicted.append(Finding("date", mine.text, rival.text, message))
    return missing, contradicted, agreed


def _parts(d: PartialDate) -> tuple[int | None, int | None, int | None]:
    return d.year, d.month, d.day


def _same_date(a: PartialDate, b: PartialDate) -> bool:
    """Every part the claim names is named alike; a part the evidence adds does no harm."""
    return all(x is None or x == y for x, y in zip(_parts(a), _parts(b), strict=True)) or (
        a.year is not None and b.year is None and (a.month, a.day) == (b.month, b.day)
    )


def _date_bears(claim: str, mine: PartialDate, evidence: str, other: PartialDate) -> bool:
    """ "After June 3" is borne by "as of June 12": the claim only sets an open bound.

    "Until June 3" sets none: it promises that very day.
    """
    if _LAST_DAY.search(claim[: mine.start]) or not _aligned(claim, mine, evidence, other):
        return False
    side = bounds.side_of(claim, mine.start, mine.end)
    left, right = _parts(mine), _parts(other)
    if not side or None in (*left[:1], *right[:1]):
        return False
    a, b = [tuple(x or 0 for x in parts) for parts in (left, right)]
    return b > a if side == "after" else b < a


def _year_in(mine: PartialDate, evidence: str) -> bool:
    return mine.month is None and mine.year is not None and str(mine.year) in evidence


def _about_same_date(claim: str, evidence: str, a: PartialDate, b: PartialDate) -> bool:
    differs = any(
        x is not None and y is not None and x != y
        for x, y in zip(_parts(a), _parts(b), strict=True)
    )
    return differs and _aligned(claim, a, evidence, b)
