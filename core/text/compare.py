"""A claim held against evidence, value by value: what is missing, what is contradicted.

Values are aligned by unit and by what they are about, never as sets of digits: a claim of "45
days" is not contradicted by "2 business days for a refund".
"""

from __future__ import annotations

from collections.abc import Callable

from core.models.base import Model
from core.text.charges import names_price, says_free
from core.text.compare_values import compare_dates, compare_quantities
from core.text.context import about, shared
from core.text.findings import ALIGNED, Finding, Part, mostly_same, nearest_sentence
from core.text.names import find_names, name_in
from core.text.polarity import modality, quantifiers
from core.text.predicates import Denial, affirmed, antonyms, denials
from core.text.sentences import split_sentences

__all__ = ["ALIGNED", "Comparison", "Finding", "compare_sentences"]


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


_Rule = Callable[[str, str, float], Part]


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


def _negation(claim: str, evidence: str, alignment: float) -> Part:
    """Flips, each claim sentence against the evidence sentence nearest to it."""
    said = {s.text for s in split_sentences(evidence)}
    pieces = [s.text for s in split_sentences(claim) if s.text not in said]
    found = [flip for piece in pieces if (flip := _flip(piece, nearest_sentence(piece, evidence)))]
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
    if pair and not mine and not theirs and mostly_same(claim, evidence):
        message = f"the claim says {pair[0]!r}, the evidence {pair[1]!r}"
        return Finding("negation", *pair, message)
    return None


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


def _modality(claim: str, evidence: str, alignment: float) -> Part:
    mine, theirs = modality(claim), modality(evidence)
    if alignment < ALIGNED or not mine or not theirs or mine & theirs:
        return [], [], 0
    if max(_STRONG[m] for m in mine) <= max(_STRONG[m] for m in theirs) and "must" not in theirs:
        return [], [], 0
    said, read = ", ".join(sorted(mine)), ", ".join(sorted(theirs))
    return [Finding("modality", said, read, f"the claim says {said}, the evidence {read}")], [], 0


def _quantifiers(claim: str, evidence: str, alignment: float) -> Part:
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


def _charges(claim: str, evidence: str, alignment: float) -> Part:
    """A price against "free of charge", where neither side sets a condition by another sum."""
    nearest = nearest_sentence(claim, evidence)
    price, there = names_price(claim), names_price(nearest)
    free, free_there = says_free(claim), says_free(nearest)
    if shared(about(claim), about(nearest)) < ALIGNED:
        return [], [], 0
    if free and there and not price and not free_there:
        message = f"the claim says it is free, the evidence names {there!r}"
        return [], [Finding("money", "free", there, message)], 0
    if price and free_there and not there and not free:
        message = f"the claim says {price!r}, the evidence that it is free"
        return [], [Finding("money", price, "free", message)], 0
    return [], [], 0


def _names(claim: str, evidence: str, alignment: float) -> Part:
    names = find_names(claim)
    lacking = [name for name in names if not name_in(name, evidence)]
    missing = [Finding("name", n, "", f"{n!r} is not in the evidence") for n in lacking]
    return missing, [], len(names) - len(lacking)


_RULES: tuple[_Rule, ...] = (
    compare_quantities,
    compare_dates,
    _charges,
    _negation,
    _modality,
    _quantifiers,
    _names,
)
