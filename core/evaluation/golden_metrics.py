"""What one run is worth against its golden row, and what many are worth together.

A measure that does not apply to a row is ``None`` and stays out of the mean: a refusal has no
citations to be wrong, and a row without gold sources has nothing to retrieve.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from statistics import fmean

from core.evaluation.golden import Difficulty, GoldenCase, GoldenKind
from core.models.base import Model
from core.models.draft import AnswerStatus
from core.models.evidence import EvidenceCandidate
from core.models.request import Language
from core.models.trace import PipelineRun

_SAME = str.maketrans("’‘“”–", "''\"\"-")
CUTOFF = 5
"""Retrieval counts as far as this rank (documents, not passages)."""


class GoldenResult(Model):
    """One row's run, measured. Rates are 0..1, ``ms`` is wall time of the whole run."""

    query_id: str
    question: str
    kind: GoldenKind
    difficulty_level: Difficulty
    language: Language
    status: AnswerStatus
    status_ok: bool
    recall_at_5: float | None = None
    reciprocal_rank: float | None = None
    missing_facts: tuple[str, ...] = ()
    facts_present: float | None = None
    forbidden_found: tuple[str, ...] = ()
    citation_coverage: float | None = None
    citation_precision: float | None = None
    """Share of cited documents that are gold sources."""
    wrong_citations: int = 0
    """Citations whose quote is not in the passage, or that their own evidence does not bear."""
    missing_citations: int = 0
    """Factual sentences neither cited nor tagged as inference."""
    leans_on: tuple[str, ...] = ()
    stale: bool | None = None
    """Leans on a version not in force that day, or on one past review without a warning."""
    ms: float
    trace_id: str
    failure: str = ""

    @property
    def passed(self) -> bool:
        """Right status, every fact, nothing forbidden, no citation wrong or missing, not stale."""
        flaws = (self.missing_facts, self.forbidden_found, self.wrong_citations, self.failure)
        return self.status_ok and not any(flaws) and not self.missing_citations and not self.stale


class GoldenSummary(Model):
    """Means over some results; ``None`` where no result had the measure. Times in ms."""

    name: str
    rows: int
    passed: float
    status_accuracy: float
    recall_at_5: float | None
    mrr: float | None
    facts_present: float | None
    forbidden_rows: int
    citation_coverage: float | None
    citation_precision: float | None
    wrong_citations: int
    missing_citations: int
    stale_answer_rate: float | None
    p50_ms: float
    p95_ms: float
    wrong_citation_rate: float | None = None
    """Share of the answers that cite with a citation that is wrong."""
    missing_citation_rate: float | None = None
    """Share of the answers with factual sentences that leave one without a citation."""


def measure(row: GoldenCase, run: PipelineRun, ms: float) -> GoldenResult:
    """Compare ``run`` with ``row``. ``ms`` is how long the run took."""
    answer, cited = run.answer, _cited(run)
    said = _plain(answer.answer_markdown)
    missing = tuple(f for f in row.required_facts if _plain(f) not in said)
    ranked = _ranked_documents(run)
    documents = tuple(dict.fromkeys(c.document_id for c in cited))
    metrics = run.ledger.answer_quality_metrics if run.ledger else None
    return GoldenResult(
        query_id=row.query_id,
        question=row.question,
        kind=row.kind,
        difficulty_level=row.difficulty_level,
        language=row.language,
        status=answer.status,
        status_ok=row.accepts(answer.status),
        recall_at_5=_recall(row.gold_sources, ranked),
        reciprocal_rank=_reciprocal_rank(row.gold_sources, ranked),
        missing_facts=missing,
        facts_present=_share(len(row.required_facts) - len(missing), len(row.required_facts)),
        forbidden_found=tuple(f for f in row.forbidden_facts if _plain(f) in said),
        citation_coverage=(
            metrics.citation_coverage_rate_pct / 100
            if metrics and metrics.total_factual_sentences
            else None
        ),
        citation_precision=(
            _share(sum(d in row.gold_sources for d in documents), len(documents))
            if row.gold_sources
            else None
        ),
        wrong_citations=_wrong_citations(run),
        missing_citations=metrics.sentences_without_citation if metrics else 0,
        leans_on=documents,
        stale=_stale(run, cited, row.as_of_date) if cited else None,
        ms=round(ms, 1),
        trace_id=run.trace.trace_id,
        failure=run.trace.failure,
    )


def summarise(name: str, results: Sequence[GoldenResult]) -> GoldenSummary:
    """Means and counts over ``results`` (at least one)."""
    times = sorted(r.ms for r in results)
    return GoldenSummary(
        name=name,
        rows=len(results),
        passed=fmean(r.passed for r in results),
        status_accuracy=fmean(r.status_ok for r in results),
        recall_at_5=_mean(r.recall_at_5 for r in results),
        mrr=_mean(r.reciprocal_rank for r in results),
        facts_present=_mean(r.facts_present for r in results),
        forbidden_rows=sum(bool(r.forbidden_found) for r in results),
        citation_coverage=_mean(r.citation_coverage for r in results),
        citation_precision=_mean(r.citation_precision for r in results),
        wrong_citations=sum(r.wrong_citations for r in results),
        missing_citations=sum(r.missing_citations for r in results),
        stale_answer_rate=_mean(r.stale for r in results),
        p50_ms=percentile(times, 0.50),
        p95_ms=percentile(times, 0.95),
        wrong_citation_rate=_mean(
            float(r.wrong_citations > 0) for r in results if r.leans_on or r.wrong_citations
        ),
        missing_citation_rate=_mean(
            float(r.missing_citations > 0) for r in results if r.citation_coverage is not None
        ),
    )


def group_by(
    results: Sequence[GoldenResult], key: Callable[[GoldenResult], str], order: Sequence[str] = ()
) -> tuple[GoldenSummary, ...]:
    """One summary for each value of ``key``, in ``order`` where given, else as they appear."""
    groups: dict[str, list[GoldenResult]] = {name: [] for name in order}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    return tuple(summarise(name, members) for name, members in groups.items() if members)


def percentile(ordered: Sequence[float], share: float) -> float:
    """Nearest-rank percentile of an ascending sequence; 0 for an empty one."""
    if not ordered:
        return 0.0
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def _cited(run: PipelineRun) -> tuple[EvidenceCandidate, ...]:
    known = run.package.by_id() if run.package else {}
    ids = dict.fromkeys(c.evidence_id for c in run.answer.citations)
    return tuple(known[i].candidate for i in ids if i in known)


def _ranked_documents(run: PipelineRun) -> tuple[str, ...]:
    return tuple(dict.fromkeys(g.candidate.document_id for g in run.gated))


def _recall(gold: Sequence[str], ranked: Sequence[str]) -> float | None:
    return _share(len(set(gold) & set(ranked[:CUTOFF])), len(set(gold)))


def _reciprocal_rank(gold: Sequence[str], ranked: Sequence[str]) -> float | None:
    if not gold:
        return None
    return next((1 / rank for rank, d in enumerate(ranked, start=1) if d in gold), 0.0)


def _wrong_citations(run: PipelineRun) -> int:
    known = run.package.by_id() if run.package else {}
    return sum(
        citation.evidence_id not in known
        or citation.quote not in known[citation.evidence_id].candidate.text
        or _claim_failed(run, citation.claim)
        for citation in run.answer.citations
    )


def _claim_failed(run: PipelineRun, sentence: str) -> bool:
    plain = _plain(sentence)
    return any(
        c.support_status in ("unsupported", "contradicted") and _plain(c.text) == plain
        for c in run.claims
    )


def _stale(run: PipelineRun, cited: Sequence[EvidenceCandidate], asked_on: date | None) -> bool:
    day = run.plan.temporal.effective_policy_date if run.plan else asked_on
    if day is None:
        return False
    warned = {w.document_id for w in run.freshness}
    return any(
        not _in_force(c, day) or (_past_review(c, day) and c.document_id not in warned)
        for c in cited
    )


def _in_force(candidate: EvidenceCandidate, day: date) -> bool:
    if candidate.status == "draft":
        return False
    begun = candidate.valid_from is None or candidate.valid_from <= day
    return begun and (candidate.valid_to is None or day < candidate.valid_to)


def _past_review(candidate: EvidenceCandidate, day: date) -> bool:
    reviewed = candidate.last_reviewed
    return reviewed is not None and (day - reviewed).days > candidate.review_sla_days


def _plain(text: str) -> str:
    """Comparable text: no markers and emphasis, one kind of quote, dash and space, lower case."""
    folded = unicodedata.normalize("NFKC", re.sub(r"\[#EVID-\d+\]", "", text))
    folded = folded.translate(_SAME)
    return re.sub(r"\s+", " ", folded.replace("**", "").replace("`", "")).casefold().strip()


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _mean(values: Iterable[float | None]) -> float | None:
    known = [v for v in values if v is not None]
    return fmean(known) if known else None
