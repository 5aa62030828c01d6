"""What must be answered, where to look, and how the search is bounded."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from core.models.base import Model
from core.models.request import ExtractedIdentifier

QueryType = Literal[
    "exact_lookup",
    "definition",
    "procedural",
    "policy_interpretation",
    "comparison",
    "case_specific",
    "troubleshooting",
    "ambiguous",
    "out_of_scope",
]
RetrievalMode = Literal["lexical", "vector", "hybrid", "hybrid_rerank", "multi_source", "none"]
Fusion = Literal["scores", "rrf"]
BoostCondition = Literal[
    "official_policy",
    "approved_procedure",
    "draft",
    "user_upload",
    "community_forum",
    "unsigned",
    "superseded",
    "archived",
]
RewriteStrategy = Literal[
    "EXPAND_FIELDS",
    "NARROW_TIME_SCOPE",
    "SWITCH_KEYWORD_SYNONYM",
    "SWITCH_TO_STRUCTURED_QUERY",
    "RESOLVE_AMBIGUOUS_TERM",
]


Aspect = Literal[
    "answer",
    "deadline",
    "amount",
    "condition",
    "exception",
    "procedure",
    "responsible",
    "record",
    "events",
    "checklist",
    "decision",
]
"""What kind of thing a dimension asks for; ``answer`` where the question itself says no more."""


class Dimension(Model):
    """One checkable thing the answer must cover. ``id`` is ``D1``, ``D2`` …

    ``query`` is the sub-query that looks for it; ``kind`` says what would cover it: a ``passage``,
    a database ``record`` or the ``case_file`` (the case's own fields, events and checklist).
    ``valid_on`` is the day whose version must state it, where the question compares two days
    ("then" and "now"); ``None`` means the plan's own policy date.
    """

    id: str
    name: str
    query: str
    kind: Literal["passage", "record", "case_file"] = "passage"
    aspect: Aspect = "answer"
    valid_on: date | None = None


class TemporalContext(Model):
    """Which day's policy answers. ``effective_policy_date`` is what validity is tested against.

    ``compared`` are the days whose rules are asked for beside each other, in order; empty for a
    question about one day. With ``before_change`` the earlier one is the last day before the rule
    of today began: to be found where ``compared`` names one day only, ``date.min`` where no earlier
    version is on file. What holds on both days answers nothing about it.
    """

    asked_date: date
    event_date: date | None = None
    effective_policy_date: date
    prefer_current: bool = True
    compared: tuple[date, ...] = ()
    before_change: bool = False

    def current_on(self, day: date) -> bool:
        """Whether only versions in force now may answer for ``day``."""
        return self.prefer_current and day == self.effective_policy_date


class QueryPlan(Model):
    """The plan of one run."""

    normalized_query: str
    query_type: QueryType
    retrieval_mode: RetrievalMode
    subqueries: tuple[str, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    required_sources: tuple[str, ...] = ()
    preferred_sources: tuple[str, ...] = ()
    identifiers: tuple[ExtractedIdentifier, ...] = ()
    needs_clarification: bool = False
    clarification_question: str | None = None
    reasoning_notes: tuple[str, ...] = ()
    temporal: TemporalContext
    related: tuple[ExtractedIdentifier, ...] = ()
    """Records the conversation or case names: fetched as facts, not asked about."""
    situation: str = ""
    """Limits (``holiday period``) that the customer's own facts fall under."""
    timeless_query: str = ""
    """The question without the day it names, where the versions of that day are searched; else
    empty."""

    def asked(self, question: str) -> str:
        """What passages are held against: ``question``, without a day that picks the version."""
        return self.timeless_query or question

    def day_of(self, dimension: Dimension) -> date:
        """The day whose version must state ``dimension``."""
        return dimension.valid_on or self.temporal.effective_policy_date

    def situated(self, query: str) -> str:
        """``query`` asked for the customer's situation."""
        if not self.situation:
            return query
        if " (regarding: " in query and query.endswith(")"):
            return f"{query[:-1]} {self.situation})"
        return f"{query} (regarding: {self.situation})"


class RetrievalFilters(Model):
    """The whole filter of a search. Built from ``SecurityContext`` and ``TemporalContext`` alone.

    A passage passes when its tenant is equal, its ACL policy and classification are among those
    allowed, its source type is allowed (empty means any), and its version was valid on
    ``valid_on``. ``include_past_versions`` lets superseded versions in for a past date.
    """

    tenant_id: str
    acl_policy_ids: tuple[str, ...]
    classifications: tuple[str, ...]
    source_types: tuple[str, ...] = ()
    valid_on: date
    include_past_versions: bool = False


class BoostRule(Model):
    """Multiplies the fused score of passages of one kind, a little: ``official_policy ×1.04``.

    It moves passages that match about equally well; it never lets one in or out.
    """

    when: BoostCondition
    factor: float = Field(ge=0.8, le=1.25)

    def __str__(self) -> str:
        return f"{self.when} ×{self.factor:.2f}"


class RetrievalPlan(Model):
    """How one search is run. ``top_k`` leave retrieval; ``candidate_k`` enter each side of it.

    ``context_query`` is the question with what was said just before it; its hits count
    ``context_weight`` times as much as the question's own. A candidate without one of
    ``required_metadata`` is dropped. ``reranker`` names what looks at the best candidates again.
    """

    query: str
    mode: RetrievalMode
    subqueries: tuple[str, ...] = ()
    context_query: str = ""
    context_weight: float = Field(default=0.0, ge=0, le=1)
    top_k: int = 16
    candidate_k: int = 60
    fusion: Fusion = "scores"
    filters: RetrievalFilters
    other_days: tuple[RetrievalFilters, ...] = ()
    """The same rights on the other days of a comparison; each is searched by itself."""
    boost_rules: tuple[BoostRule, ...] = ()
    required_metadata: tuple[str, ...] = ()
    index_names: tuple[str, ...] = ("passages",)
    reranker: str = ""


class RewrittenQuery(Model):
    """A new query that must name the gap it fills (``gap`` is a dimension id)."""

    rewritten_query: str
    strategy_tag: RewriteStrategy
    expected_new_evidence: str
    gap: str
