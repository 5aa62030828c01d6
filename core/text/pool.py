"""What of a package may be quoted as an answer: never a loser, a denier, or an instruction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from core.models.evidence import Evidence, EvidencePackage
from core.models.judgement import ClaimSide, Resolution
from core.models.standing import standing
from core.text.choose import Option
from core.text.extract import Unit, units
from core.text.injection import instruction_windows
from core.text.sides import takes_side

_INSTRUCTS = 0.5
_TRUST = {"A": 1.0, "B": 0.85, "C": 0.5}
"""How much of the gate's word a source of each authority class keeps: the official text leads."""
_ABOUT_ITSELF = re.compile(
    r"(?:this|the following) (?:policy|page|guide|document|article|section|handbook|procedure|faq)"
    r" (?:says|describes|explains|covers|applies|sets out|tells|contains|is about|gives)\b"
    r"|(?:this|the) (?:policy|page|guide|document|article|file|table|list|handbook|procedure)"
    r" (?:is|was|may|must|should|can|are)(?: \w+){0,2} (?:confidential|internal|restricted|secret"
    r"|meant|intended|shared|distributed|forwarded|copied|published|reviewed|updated|owned)\b"
    r"|本(?:政策|文|页|指南|文件)(?:说明|介绍|适用|规定了)",
    re.IGNORECASE,
)
"""Sentences about the document answer nobody."""


def losing_ids(resolutions: Sequence[Resolution]) -> frozenset[str]:
    """Evidence that lost a conflict to another piece of evidence."""
    return frozenset(
        side.evidence_id for r in resolutions for side in losing_sides(r) if _decided(r)
    )


def undecided_ids(resolutions: Sequence[Resolution]) -> frozenset[str]:
    """Evidence on either side of a conflict nobody could decide."""
    return frozenset(
        side.evidence_id for r in resolutions for side in losing_sides(r) if not _decided(r)
    )


def losing_sides(resolution: Resolution) -> tuple[ClaimSide, ...]:
    """The side that lost; both sides where nobody won."""
    both = (resolution.contradiction.claim_a, resolution.contradiction.claim_b)
    if not _decided(resolution):
        return both
    return (both[1],) if resolution.winner == "claim_a" else (both[0],)


def _decided(resolution: Resolution) -> bool:
    return resolution.winner != "NO_WINNER_NEED_HUMAN"


def options(
    package: EvidencePackage, resolutions: Sequence[Resolution], *, on: date | None = None
) -> tuple[Option, ...]:
    """Every unit of the accepted evidence that may be quoted, in order of the evidence.

    What nobody answers for (an unsigned FAQ, a community post) is shown beside the draft but never
    quoted in it, unless a reviewer chose it. ``on`` is the past day asked about, if any.
    """
    losers = losing_ids(resolutions)
    lost = [side for r in resolutions for side in losing_sides(r)]
    return tuple(
        option
        for item in package.selected_evidence
        if item.evidence_id not in losers
        if standing(item.candidate, on=on).letter != "C" or item.gated.rule == "forced"
        for option in _of(item, on)
        if not any(_states(option, side) for side in lost)
    )


def _of(item: Evidence, on: date | None) -> list[Option]:
    candidate = item.candidate
    title = " ".join((candidate.source_title, *candidate.heading_path))
    return [
        Option(
            item.evidence_id,
            index,
            unit,
            f"{title} {unit.heading}",
            _TRUST[standing(candidate, on=on).letter]
            * min(
                1.0, 0.5 * (item.gated.probability("relevant") + item.gated.probability("evidence"))
            ),
            candidate.document_id,
        )
        for index, unit in enumerate(units(candidate.text))
        if _quotable(unit, item.gated.note.injection_quote)
    ]


def _quotable(unit: Unit, injected: str) -> bool:
    if unit.kind == "heading" or unit.prose.endswith(("?", "？")):
        return False
    if unit.prose.endswith((":", "：")) and not unit.items:
        return False
    if _ABOUT_ITSELF.match(unit.prose):
        return False
    if injected and (injected in unit.prose or unit.prose in injected):
        return False
    return all(score < _INSTRUCTS for _, score in instruction_windows(unit.prose))


def _states(option: Option, side: ClaimSide) -> bool:
    """Whether an option repeats a losing value about the same matter, whoever says it."""
    if option.evidence_id == side.evidence_id and side.quote and side.quote in option.words:
        return True
    return takes_side(option.words, side)
