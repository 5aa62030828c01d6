"""What the gate answered in a run, small enough to re-route hundreds of runs at once."""

from __future__ import annotations

from core.models.evidence import GatedPassage
from core.models.gate_policy import AnsweredRun, StoredAnswer
from core.models.trace import PipelineRun
from core.text.sentences import split_sentences
from core.text.tokens import content_words

SENTENCE_AT_MOST = 300


def answered_run(run: PipelineRun) -> AnsweredRun:
    """The run's head: its question and the rights it was made under."""
    return AnsweredRun(
        trace_id=run.trace.trace_id,
        question=run.request.raw_query.replace("\0", ""),
        started_at=run.trace.started_at,
        user_id=run.context.user_id,
        allowed_acl_policy_ids=run.context.allowed_acl_policy_ids,
        allowed_classifications=run.context.allowed_classifications,
        allowed_source_types=run.context.allowed_source_types,
        thresholds=run.trace.thresholds,
        gate_policy_id=run.trace.gate_policy_id,
    )


def answers_of(run: PipelineRun) -> tuple[StoredAnswer, ...]:
    """One answer for each passage the gate saw, in its order."""
    asked = frozenset(content_words(run.request.raw_query))
    return tuple(_answer(run.trace.trace_id, gated, asked) for gated in run.gated)


def _answer(trace_id: str, gated: GatedPassage, asked: frozenset[str]) -> StoredAnswer:
    scores = gated.scores
    return StoredAnswer(
        trace_id=trace_id,
        chunk_id=gated.candidate.chunk_id,
        document_id=gated.candidate.document_id,
        title=gated.candidate.source_title,
        relevant=scores.relevant if scores else None,
        evidence=scores.evidence if scores else None,
        contradicts=scores.contradicts if scores else None,
        injection=scores.injection if scores else None,
        route=gated.route,
        rule=gated.rule,
        forced=gated.forced,
        looked_up=gated.candidate.looked_up,
        backend=gated.backend,
        sentence=deciding_sentence(gated, asked),
    )


def deciding_sentence(gated: GatedPassage, asked: frozenset[str]) -> str:
    """The span that decides it, cut to ``SENTENCE_AT_MOST`` characters; untrusted text.

    What instructs the model goes before what denies the premise; without either, the sentence that
    shares most words with the question.
    """
    quoted = gated.note.injection_quote or gated.note.counter_quote
    words = " ".join((quoted or _nearest(gated.candidate.text, asked)).replace("\0", "").split())
    return words if len(words) <= SENTENCE_AT_MOST else words[: SENTENCE_AT_MOST - 1] + "…"


def _nearest(text: str, asked: frozenset[str]) -> str:
    spans = split_sentences(text)
    if not spans:
        return text
    return max(spans, key=lambda span: len(asked & set(content_words(span.text)))).text
