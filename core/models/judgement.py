"""Is the evidence enough, does it disagree with itself, and who wins."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from core.models.base import Model
from core.models.plan import RewriteStrategy

Decision = Literal["ENOUGH", "NEED_MORE", "CONTRADICTION_FOUND"]
Confidence = Literal["low", "medium", "high"]


class Coverage(Model):
    """Whether one dimension is covered, by which evidence, how surely, and why in words."""

    covered: bool
    evidence_ids: tuple[str, ...] = ()
    confidence: Confidence = "low"
    reason: str = ""


class ClaimSide(Model):
    """One side of a contradiction: the evidence, the value it states, and the exact quote."""

    evidence_id: str
    value: str
    quote: str = ""


class Contradiction(Model):
    """Two pieces of evidence that cannot both be right about one dimension."""

    dimension: str
    claim_a: ClaimSide
    claim_b: ClaimSide


class NextAction(Model):
    """What to look for next: dimension ids by priority, and how to rewrite."""

    priority_gaps: tuple[str, ...] = ()
    recommended_rewrite_strategy: RewriteStrategy | None = None


class Judgement(Model):
    """The judge's verdict on one round. ENOUGH needs all dimensions covered, surely."""

    decision: Decision
    dimension_coverage_matrix: dict[str, Coverage]
    contradictions: tuple[Contradiction, ...] = ()
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
