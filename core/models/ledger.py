"""The citation ledger: the machine-readable record of every citation. Its keys are a contract."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.models.base import Model


class LedgerContext(Model):
    """Whose answer this is."""

    user_role: str
    user_dept: str
    permission_level: Literal["L1", "L2", "L3", "L4", "L5"]


class LedgerCitation(Model):
    """One evidence item as used. ``snippet`` is an exact span of at most 200 characters."""

    id: str
    source_type: str
    source_location: str
    document_permission_tag: str
    snippet: str = Field(max_length=200)
    used_in_answer_sentences: tuple[str, ...]
    was_this_a_winner_in_contradiction_resolution: bool = False


class AnswerQualityMetrics(Model):
    """Counts over the factual sentences of the answer.

    ``citation_coverage_rate_pct`` is 100 when there is no factual sentence: nothing lacks a
    citation. ``dangerous_unverified_sentences`` lists those neither cited nor tagged, and those
    contradicted by their evidence.
    """

    total_factual_sentences: int
    sentences_without_citation: int
    citation_coverage_rate_pct: float
    dangerous_unverified_sentences: tuple[str, ...] = ()


class CitationLedger(Model):
    """The ledger of one answer."""

    query_id: str
    user_and_permission_context: LedgerContext
    citations: tuple[LedgerCitation, ...] = ()
    answer_quality_metrics: AnswerQualityMetrics
