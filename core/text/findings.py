"""One difference between a claim and evidence, and when two texts are about the same thing."""

from __future__ import annotations

from typing import Literal, NamedTuple

from core.text.context import about
from core.text.sentences import split_sentences

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


Part = tuple[list[Finding], list[Finding], int]
"""What one rule finds: values missing, values contradicted, and how many agree."""


def mostly_same(claim: str, evidence: str) -> bool:
    """Opposites decide only between sentences that say much the same otherwise."""
    a, b = about(claim), about(evidence)
    both, either = len(a & b), len(a | b)
    return both > 0 and 2 * both >= either - 2 and both >= min(2, either)


def nearest_sentence(claim: str, evidence: str) -> str:
    """The evidence sentence that shares most with the claim."""
    terms = about(claim)
    sentences = [s.text for s in split_sentences(evidence)]
    return max(sentences, key=lambda s: len(terms & about(s)), default=evidence)
