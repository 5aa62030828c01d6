"""Stage: no unproven sentence stays in a co-pilot draft, and every citation is on record."""

from __future__ import annotations

from collections.abc import Sequence

from core.models.access import SecurityContext
from core.models.draft import EvidenceSpan, GeneratedClaim, GroundedAnswer
from core.models.evidence import Evidence, EvidencePackage
from core.models.judgement import Resolution
from core.models.ledger import (
    AnswerQualityMetrics,
    CitationLedger,
    LedgerCitation,
    LedgerContext,
)
from core.text.cited import cited_sentences, with_replaced
from core.text.language import detect_language
from core.text.reply import standing

SNIPPET_LIMIT = 200


def enforce(answer: GroundedAnswer, claims: Sequence[GeneratedClaim]) -> GroundedAnswer:
    """The answer without sentences that are uncited and untagged, or contradicted by evidence.

    What goes is listed in ``unsupported_claims``; so is every cited claim the evidence does not
    bear, which stays for the reviewer to see. When nothing that answers is left, the draft becomes
    a holding reply. The claims of the result must be validated again: offsets have moved.
    """
    doomed = [claim for claim in claims if _must_go(claim)]
    doubtful = [c.text for c in claims if c.support_status != "supported" and not c.is_inference]
    listed = tuple(dict.fromkeys((*answer.unsupported_claims, *doubtful)))
    return _without(answer, doomed, claims).model_copy(update={"unsupported_claims": listed})


def redact(
    answer: GroundedAnswer, claims: Sequence[GeneratedClaim], allowed: str
) -> GroundedAnswer:
    """The answer without the sentences that compliance took out of ``allowed``, its final text.

    When nothing that answers is left, the draft becomes a holding reply. The claims of the result
    must be validated again: offsets have moved.
    """
    return _without(answer, [c for c in claims if c.text not in allowed], claims)


def _without(
    answer: GroundedAnswer, doomed: Sequence[GeneratedClaim], claims: Sequence[GeneratedClaim]
) -> GroundedAnswer:
    if not doomed:
        return answer
    places = {claim.start for claim in doomed}
    sentences = cited_sentences(answer.answer_markdown).sentences
    changes = {i: "" for i, sentence in enumerate(sentences) if sentence.start in places}
    kept = tuple(c for c in answer.citations if not any(c.claim in d.text for d in doomed))
    nothing_left = answer.status == "answered" and len(doomed) == len(claims)
    if nothing_left and changes:
        changes[min(changes)] = _holding(answer.answer_markdown)
    return answer.model_copy(
        update={
            "status": "insufficient_evidence" if nothing_left else answer.status,
            "answer_markdown": with_replaced(answer.answer_markdown, changes),
            "citations": kept,
            "evidence_ids_used": tuple(dict.fromkeys(c.evidence_id for c in kept)),
            "confidence": "low",
        }
    )


def _holding(markdown: str) -> str:
    return standing("holding", "zh" if detect_language(markdown) == "zh" else "en")


def _must_go(claim: GeneratedClaim) -> bool:
    uncited = not claim.evidence_ids and not claim.is_inference
    return uncited or claim.support_status == "contradicted"


def build_ledger(
    query_id: str,
    markdown: str,
    claims: Sequence[GeneratedClaim],
    package: EvidencePackage,
    context: SecurityContext,
    resolutions: Sequence[Resolution] = (),
) -> CitationLedger:
    """The record of one answer: every evidence item it leans on, and how well it is covered.

    An item is on the ledger when a sentence of ``markdown`` names it, or when an unmarked sentence
    (a person's edit) was found supported by it.
    """
    users = _sentences_by_evidence(markdown, claims)
    winners = _winners(resolutions)
    by_id = package.by_id()
    return CitationLedger(
        query_id=query_id,
        user_and_permission_context=LedgerContext(
            user_role=", ".join(context.roles) or "guest",
            user_dept=context.department,
            permission_level=context.permission_level,
        ),
        citations=tuple(
            _citation(by_id[i], sentences, claims, winner=i in winners)
            for i, sentences in users.items()
            if i in by_id
        ),
        answer_quality_metrics=_metrics(claims, known=frozenset(by_id)),
    )


def _sentences_by_evidence(
    markdown: str, claims: Sequence[GeneratedClaim]
) -> dict[str, tuple[str, ...]]:
    users: dict[str, list[str]] = {}
    for sentence in cited_sentences(markdown).sentences:
        for evidence_id in sentence.evidence_ids:
            users.setdefault(evidence_id, []).append(sentence.text.strip())
    for claim in claims:
        for evidence_id in claim.evidence_ids:
            users.setdefault(evidence_id, []).append(claim.text)
    return {i: tuple(dict.fromkeys(texts)) for i, texts in users.items()}


def _winners(resolutions: Sequence[Resolution]) -> frozenset[str]:
    return frozenset(
        getattr(r.contradiction, r.winner).evidence_id
        for r in resolutions
        if r.winner != "NO_WINNER_NEED_HUMAN"
    )


def _citation(
    item: Evidence, sentences: tuple[str, ...], claims: Sequence[GeneratedClaim], *, winner: bool
) -> LedgerCitation:
    candidate = item.candidate
    spans = [s for claim in claims for s in claim.spans if s.evidence_id == item.evidence_id]
    return LedgerCitation(
        id=item.evidence_id,
        source_type=candidate.source_type,
        source_location=candidate.source_uri or f"{candidate.document_id}#{candidate.chunk_id}",
        document_permission_tag=candidate.permission_tag,
        snippet=_snippet(candidate.text, spans),
        used_in_answer_sentences=sentences,
        was_this_a_winner_in_contradiction_resolution=winner,
    )


def _snippet(text: str, spans: Sequence[EvidenceSpan]) -> str:
    """At most 200 characters, exactly as they stand in the passage."""
    start, end = (spans[0].start, spans[0].end) if spans else (0, len(text))
    if end - start > SNIPPET_LIMIT:
        end = start + SNIPPET_LIMIT
        blank = text.rfind(" ", start + 1, end)
        end = blank if blank > start + SNIPPET_LIMIT // 2 else end
    return text[start:end]


def _metrics(claims: Sequence[GeneratedClaim], *, known: frozenset[str]) -> AnswerQualityMetrics:
    uncited = [c for c in claims if not known.intersection(c.evidence_ids)]
    dangerous = [
        c.text
        for c in claims
        if c.support_status == "contradicted"
        or (not c.is_inference and not known.intersection(c.evidence_ids))
    ]
    total = len(claims)
    return AnswerQualityMetrics(
        total_factual_sentences=total,
        sentences_without_citation=len(uncited),
        citation_coverage_rate_pct=(
            100.0 if not total else round(100 * (total - len(uncited)) / total, 1)
        ),
        dangerous_unverified_sentences=tuple(dict.fromkeys(dangerous)),
    )
