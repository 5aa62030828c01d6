"""How directly one piece of accepted evidence states what a dimension asks."""

from __future__ import annotations

import re
from typing import NamedTuple

from core.models.evidence import Evidence, EvidenceCandidate
from core.models.plan import Dimension, QueryPlan
from core.models.standing import AuthorityClass, standing
from core.models.validity import judged_on
from core.text.answer_type import expected_type, holds
from core.text.concepts import concepts, shared
from core.text.coverage import Finding, find_stated
from core.text.sentences import split_sentences
from core.text.similarity import term_coverage
from core.text.tokens import content_words

DIRECT = 0.5
"""Directness from which a passage states the dimension: half of the asked words in one sentence."""
TOUCHES = 0.34
"""Directness from which it is on the subject at all."""
SURE = 0.7
"""Evidence probability from which the gate's verdict counts although the words differ."""
_NOT_STATED = 0.45
"""Directness at most, where the passage does not state what was asked of its subject."""
_UNTYPED = 0.6
_ASKING = re.compile(r"\bhow (?:long|much|many|often|soon|far)\b", re.IGNORECASE)


class Bearing(NamedTuple):
    """One piece of evidence beside one dimension. ``why`` says what it does not state."""

    evidence: Evidence
    directness: float
    letter: AuthorityClass
    words: str
    why: str

    @property
    def direct(self) -> bool:
        """Whether it states the dimension."""
        return self.directness >= DIRECT


def bearing_of(dimension: Dimension, plan: QueryPlan, evidence: Evidence) -> Bearing:
    """How directly ``evidence`` states ``dimension``, 0..1, and on whose authority."""
    candidate = evidence.candidate
    stands = standing(candidate, on=judged_on(plan, dimension))
    if candidate.looked_up:
        return Bearing(evidence, 0.0, stands.letter, stands.words, "")
    directness = _directness(dimension, plan, evidence)
    found = _stated(dimension, evidence)
    if not found.stated:
        directness = min(directness, _NOT_STATED)
    elif found.firm:
        directness = max(directness, DIRECT)
    return Bearing(evidence, directness, stands.letter, stands.words, found.why)


def _stated(dimension: Dimension, evidence: Evidence) -> Finding:
    """A person's choice and the rule for the customer's own case need no such test."""
    if evidence.gated.rule in ("forced", "situation"):
        return Finding(stated=True)
    candidate = evidence.candidate
    probability = evidence.gated.probability("evidence")
    return find_stated(dimension.query, candidate.text, _headings(candidate), probability)


def _headings(candidate: EvidenceCandidate) -> str:
    return " ".join((candidate.source_title, *candidate.heading_path))


def _directness(dimension: Dimension, plan: QueryPlan, evidence: Evidence) -> float:
    candidate = evidence.candidate
    context = _headings(candidate)
    kind = expected_type(dimension.query)
    best = 0.0
    for sentence in split_sentences(candidate.text):
        cover = _cover(dimension.query, f"{context} {sentence.text}")
        best = max(best, cover if holds(kind, sentence.text) else cover * _UNTYPED)
    if evidence.gated.rule == "situation":
        return max(best, DIRECT)
    sure = evidence.gated.probability("evidence") >= SURE
    if sure and (len(plan.dimensions) == 1 or not content_words(_ask(dimension.query))):
        # The gate scored this very question, or the ask has no word of its own to look for.
        best = max(best, DIRECT)
    return best


def _ask(query: str) -> str:
    """The question as asked, without the topic that planning added to make it stand alone."""
    return _ASKING.sub("", query.split(" (regarding:")[0])


def _cover(query: str, text: str) -> float:
    """Share of the dimension's words in ``text``. Where a topic was added, the ask's own words
    suffice: the gate has already found the passage to be on the subject."""
    ask = _ask(query)
    spoken = shared(dict.fromkeys(concepts(ask), 1.0), text)
    return max(term_coverage(query, text), 0.9 * term_coverage(ask, text), 0.9 * spoken)
