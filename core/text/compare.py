"""A claim held against evidence, value by value: what is missing, what is contradicted.

Values are aligned by unit and by what they are about, never as sets of digits: a claim of "45
days" is not contradicted by "2 business days for a refund".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from core.models.base import Model
from core.text import bounds
from core.text.context import about, context_of, shared
from core.text.dates import PartialDate, absolute_dates
from core.text.names import find_names, name_in
from core.text.polarity import modality, quantifiers
from core.text.predicates import Denial, affirmed, antonyms, denials
from core.text.quantities import Quantity, find_quantities, same_quantity, satisfied
from core.text.sentences import split_sentences
from core.text.units import CURRENCIES

ALIGNED = 0.5
"""Share of the smaller context two values must have in common to be about the same thing."""

FindingKind = Literal[
    "number", "money", "date", "negation", "modality", "quantifier", "name", "bound"
]


class Finding(NamedTuple):
    """One difference. ``claim`` and ``evidence`` are the words that differ, or empty."""

    kind: FindingKind
    claim: str
    evidence: str
    message: str


class Comparison(Model):
    """What the comparison found.

    ``missing`` lists claim values the evidence does not state; ``contradicted`` those it states
    otherwise about the same thing; ``agreed`` counts values found in both. ``alignment`` (0..1)
    is how far the two texts are about the same thing, values aside.
    """

    missing: tuple[Finding, ...] = ()
    contradicted: tuple[Finding, ...] = ()
    agreed: int = 0
    alignment: float = 0.0


_Part = tuple[list[Finding], list[Finding], int]
_Rule = Callable[[str, str, float], _Part]


def compare_sentences(claim: str, evidence: str) -> Comparison:
    """Hold ``claim`` against ``evidence`` (a sentence or a short passage)."""
    alignment = shared(about(claim), about(evidence))
    missing: list[Finding] = []
    contradicted: list[Finding] = []
    agreed = 0
    for rule in _RULES:
        lacking, opposed, same = rule(claim, evidence, alignment)
        missing += lacking
        contradicted += opposed
        agreed += same
    return Comparison(
        missing=tuple(missing),
        contradicted=tuple(contradicted),
        agreed=agreed,
        alignment=alignment,
    )


def _kind(quantity: Quantity) -> FindingKind:
    return "money" if quantity.unit in CURRENCIES else "number"


def _quantities(claim: str, evidence: str, alignment: float) -> _Part:
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
    context = context_of(claim, mine.start, mine.end)
    there = context_of(evidence, other.start, other.end)
    return satisfied(mine, other) and shared(context, there) >= ALIGNED


def _rival(
    claim: str, evidence: str, mine: Quantity, theirs: tuple[Quantity, ...]
) -> Quantity | None:
    """The evidence's different value for the same thing, if there is one."""
    context = context_of(claim, mine.start, mine.end)
    best: tuple[float, Quantity] | None = None
    for other in theirs:
        if same_quantity(mine, other) != "different":
            continue
        score = shared(context, context_of(evidence, other.start, other.end))
        if score >= ALIGNED and (best is None or score > best[0]):
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

    context = context_of(claim, mine.start, mine.end)
    about_same = [
        q for q in equal if shared(context, context_of(evidence, q.start, q.end)) >= ALIGNED
    ]
    if not about_same or not all(clash(q) for q in about_same):
        return []
    if _denied_differently(claim, evidence):
        return []
    other = about_same[0]
    message = f"the claim bounds {mine.text!r} the other way than the evidence"
    return [Finding("bound", mine.text, other.text, message)]


def _denied_differently(claim: str, evidence: str) -> bool:
    """ "No return after 30 days" and "return within 30 days" agree: side and negation both turn."""
    return bool(denials(claim)) != bool(denials(evidence))


def _dates(claim: str, evidence: str, alignment: float) -> _Part:
    missing: list[Finding] = []
    contradicted: list[Finding] = []
    agreed = 0
    theirs = absolute_dates(evidence)
    for mine in absolute_dates(claim):
        if any(_same_date(mine, other) for other in theirs) or _year_in(mine, evidence):
            agreed += 1
            continue
        if any(_date_bears(claim, mine, other) for other in theirs):
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


def _date_bears(claim: str, mine: PartialDate, other: PartialDate) -> bool:
    """ "After June 3" is borne by "as of June 12": the claim only sets an open bound."""
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
    context = context_of(evidence, b.start, b.end)
    return differs and shared(context_of(claim, a.start, a.end), context) >= ALIGNED


def _negation(claim: str, evidence: str, alignment: float) -> _Part:
    """Flips, sentence by sentence of the claim, each against the evidence sentence nearest to it."""
    pieces = [s.text for s in split_sentences(claim)] or [claim]
    found = [flip for piece in pieces if (flip := _flip(piece, _nearest(piece, evidence)))]
    return [], found[:1], 0


def _flip(claim: str, evidence: str) -> Finding | None:
    if shared(about(claim), about(evidence)) < ALIGNED:
        return None
    mine, theirs = denials(claim), denials(evidence)
    for word in _flips(mine, affirmed(evidence), theirs):
        message = f"the claim denies {word!r}, the evidence states it"
        return Finding("negation", f"not {word}", word, message)
    for word in _flips(theirs, affirmed(claim), mine):
        message = f"the claim states {word!r}, the evidence denies it"
        return Finding("negation", word, f"not {word}", message)
    pair = antonyms(affirmed(claim), affirmed(evidence))
    if pair and not mine and not theirs:
        message = f"the claim says {pair[0]!r}, the evidence {pair[1]!r}"
        return Finding("negation", *pair, message)
    return None


def _nearest(claim: str, evidence: str) -> str:
    """The evidence sentence that shares most with the claim."""
    terms = about(claim)
    sentences = [s.text for s in split_sentences(evidence)]
    return max(sentences, key=lambda s: len(terms & about(s)), default=evidence)


def _flips(
    denied: tuple[Denial, ...], stated: frozenset[str], also_denied: tuple[Denial, ...]
) -> list[str]:
    """Words one side denies outright and the other affirms without any denial nearby."""
    both = {s for d in also_denied for s in d.stems}
    return [
        word
        for denial in denied
        if not denial.conditional
        for word in sorted(denial.stems)
        if word in stated and word not in both
    ]


_STRONG = {"must": 3, "will": 3, "should": 2, "can": 1, "may": 1}


def _modality(claim: str, evidence: str, alignment: float) -> _Part:
    mine, theirs = modality(claim), modality(evidence)
    if alignment < ALIGNED or not mine or not theirs or mine & theirs:
        return [], [], 0
    if max(_STRONG[m] for m in mine) <= max(_STRONG[m] for m in theirs) and "must" not in theirs:
        return [], [], 0
    said, read = ", ".join(sorted(mine)), ", ".join(sorted(theirs))
    return [Finding("modality", said, read, f"the claim says {said}, the evidence {read}")], [], 0


def _quantifiers(claim: str, evidence: str, alignment: float) -> _Part:
    if alignment < ALIGNED:
        return [], [], 0
    mine, theirs = quantifiers(claim), quantifiers(evidence)
    findings: list[Finding] = []
    if "all" in mine and not mine & {"some", "most"} and theirs & {"some", "most"}:
        findings.append(Finding("quantifier", "all", "some", "the evidence covers only a part"))
    if "only" in theirs and "only" not in mine and "all" in mine:
        findings.append(Finding("quantifier", "all", "only", "the evidence limits it with 'only'"))
    if "only" in mine and "only" not in theirs:
        findings.append(Finding("quantifier", "only", "", "'only' is not in the evidence"))
    return findings, [], 0


def _names(claim: str, evidence: str, alignment: float) -> _Part:
    names = find_names(claim)
    lacking = [name for name in names if not name_in(name, evidence)]
    missing = [Finding("name", n, "", f"{n!r} is not in the evidence") for n in lacking]
    return missing, [], len(names) - len(lacking)


_RULES: tuple[_Rule, ...] = (_quantities, _dates, _negation, _modality, _quantifiers, _names)
