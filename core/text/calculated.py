"""The sentences a reply takes from a calculation: its result and what limits it, never an input."""

from __future__ import annotations

from collections.abc import Sequence

from core.models.evidence import Evidence, EvidencePackage
from core.text.compose import Line
from core.text.scoring import Part
from core.text.sentences import split_sentences

TOLD = "told_to"
"""Where, in a calculation's text, the sentences end that a reply takes (see ``metadata``)."""


def calculated_lines(package: EvidencePackage, parts: Sequence[Part]) -> dict[str, list[Line]]:
    """The lines of every part that a calculation answers, by the part's id.

    They are taken as they stand, in order: a sum must not be replaced by one of its inputs.
    """
    worked = [e for e in package.selected_evidence if e.candidate.calculation is not None]
    found = {
        p.part_id: [line for e in worked if e.evidence_id in p.evidence_ids for line in _lines(e)]
        for p in parts
        if p.recorded
    }
    return {part_id: lines for part_id, lines in found.items() if lines}


def calculations(package: EvidencePackage) -> frozenset[str]:
    """The evidence ids of calculations."""
    return frozenset(
        e.evidence_id for e in package.selected_evidence if e.candidate.calculation is not None
    )


def _lines(evidence: Evidence) -> list[Line]:
    text, key = evidence.candidate.text, evidence.evidence_id
    told = int(evidence.candidate.metadata.get(TOLD) or len(text))
    return [
        Line(
            span.text,
            span.text,
            (key,),
            " " if number else "\n\n",
            ((key, span.start, span.end),),
        )
        for number, span in enumerate(split_sentences(text[:told]))
    ]
