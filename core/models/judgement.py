"""Is the evidence enough, does it disagree with itself, and who wins."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from core.models.base import Model
from core.models.plan import RewriteStrategy

Decision = Literal["ENOUGH", "NEED_MORE", "CONTRADICTION_FOUND"]
Confidence = Literal["low", "medium", "high"]


class CoverageSignals(Model):
    """The five things the confidence of one coverage was decided by, for a person to check.

    ``evidence`` is the best gate probability of usable evidence among what bears the dimension,
    ``directness`` the share of the asked words the best sentence holds (both 0..1), ``authority``
    the best class, ``sources`` how many sources agree, ``freshness`` the worst review state.
    """

    evidence: float = Field(default=0.0, ge=0, le=1)
    directness: float = Field(default=0.0, ge=0, le=1)
    authority: Literal["A", "B", "C", ""] = ""
    sources: int = 0
    freshness: Literal["fresh", "due_soon", "stale", "unknown", ""] = ""


class Coverage(Model):
    """Whether one dimension is covered, by which evidence, how surely, and why in words.

    Not covered, yet with ``evidence_ids``: evidence is on the subject but does not state it.
    """

    covered: bool
    evidence_ids: tuple[str, ...] = ()
    confidence: Confidence = "low"
    reason: str = ""
    signals: CoverageSignals | None = None


class ClaimSide(Model):
    """One side of a contradiction: the evidence, the value it states, and the exact quote."""

    evidence_id: str
    value: str
    quote: str = ""


ConflictKind = Literal["number", "date", "amount", "polarity", "list", "party", "name"]


class Contradiction(Model):
    """Two pieces of evidence that cannot both be right about one dimension.

    Where more than two values stand against each other there is one for each pair that matters.
    """

    dimension: str
    claim_a: ClaimSide
    claim_b: ClaimSide
    kind: ConflictKind = "number"


class Reading(Model):
    """One thing an ambiguous name may mean, and what the evidence says of that thing."""

    entity: str
    value: str
    evidence_ids: tuple[str, ...]
    quote: str = ""


class Ambiguity(Model):
    """A name of the question that stands for several things, each with an answer of its own.

    Not a contradiction: every reading is right about its own thing. ``term`` is empty where the
    question names nothing but leaves open which of them it means.
    """

    dimension: str
    term: str
    readings: tuple[Reading, ...]


class NextAction(Model):
    """What to look for next: dimension ids by priority, and how to rewrite."""

    priority_gaps: tuple[str, ...] = ()
    recommended_rewrite_strategy: RewriteStrategy | None = None


class Judgement(Model):
    """The judge's verdict on one round. ENOUGH needs all dimensions covered, surely."""

    decision: Decision
    dimension_coverage_matrix: dict[str, Coverage]
    contradictions: tuple[Contradiction, ...] = ()
    ambiguities: tuple[Ambiguity, ...] = ()
    next_action: NextAction = NextAction()

    @model_validator(mode="after")
    def _enough_means_all_covered(self) -> Judgement:
        if self.decision == "ENOUGH" and not all(
            c.covered and c.confidence == "high" for c in self.dimension_coverage_matrix.values()
        ):
            raise ValueError("ENOUGH needs every dimension covered with high confidence")
        return self


class Resolution(Model):
    """How a contradiction was decided: authority, then recency, then scope; else a human.

    ``reason`` has one line a step, in words a reviewer can read.
    """

    dimension: str
    contradiction: Contradiction
    winner: Literal["claim_a", "claim_b", "NO_WINNER_NEED_HUMAN"]
    decided_by: Literal["authority", "recency", "scope", "nobody"]
    reason: tuple[str, ...]
    questions: tuple[str, ...] = ()
