"""How much weight a source carries: class A, B or C, in words a reviewer can check."""

from __future__ import annotations

from datetime import date
from typing import Literal

from core.models.base import Model
from core.models.evidence import EvidenceCandidate
from core.models.source import Authority

AuthorityClass = Literal["A", "B", "C"]

_OFFICIAL = ("official_policy", "approved_procedure", "case_record")
_ANSWERED_FOR = ("faq", "user_upload")
AUTHORITY_WORDS: dict[Authority, str] = {
    "official_policy": "official policy",
    "approved_procedure": "approved procedure",
    "case_record": "case record",
    "draft": "draft",
    "faq": "FAQ",
    "user_upload": "uploaded document",
    "community_forum": "community post",
}
_RANKS = {"A": 0, "B": 1, "C": 2}


class Standing(Model):
    """The class of one source and the words for it, such as ``unsigned FAQ``."""

    letter: AuthorityClass
    words: str

    @property
    def rank(self) -> int:
        """0 for A, the strongest, to 2 for C."""
        return _RANKS[self.letter]


def standing(candidate: EvidenceCandidate, *, on: date | None = None) -> Standing:
    """A: official and signed. B: somebody answers for it. C: unsigned, draft, post, superseded.

    A superseded or archived version keeps its class only for a day on which it was valid (``on``).
    """
    words = AUTHORITY_WORDS[candidate.authority]
    if candidate.status != "active" and not _held_on(candidate, on):
        return Standing(letter="C", words=f"{candidate.status} {words}")
    if not candidate.signed:
        return Standing(letter="C", words=f"unsigned {words}")
    if candidate.authority in _OFFICIAL:
        return Standing(letter="A", words=words)
    if candidate.authority in _ANSWERED_FOR:
        return Standing(letter="B", words=words)
    return Standing(letter="C", words=words)


def _held_on(candidate: EvidenceCandidate, on: date | None) -> bool:
    if on is None or candidate.status == "draft" or candidate.valid_from is None:
        return False
    return candidate.valid_from <= on and (candidate.valid_to is None or on < candidate.valid_to)
