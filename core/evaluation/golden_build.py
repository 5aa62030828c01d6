"""Golden rows proposed from real questions: the most asked and the most disputed.

A proposal is what the console did, not what is right: a person edits and accepts each row.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Sequence

from core.evaluation.golden import AnswerOutline, Difficulty, GoldCitation, GoldenCase
from core.models.access import Role, SecurityContext
from core.models.base import Model
from core.models.evidence import EvidenceCandidate
from core.models.trace import PipelineRun
from core.text.redact import find_pii
from core.text.tokens import content_words


class Proposal(Model):
    """A golden row for a person to accept. ``reason`` says why it was picked.

    ``trace_id`` names the newest run that asked it.
    """

    row: GoldenCase
    asked: int
    disputed: int
    reason: str
    trace_id: str


def propose(
    runs: Sequence[PipelineRun],
    *,
    disputed: Collection[str] = (),
    existing: Sequence[GoldenCase] = (),
    limit: int = 20,
) -> tuple[Proposal, ...]:
    """Rows from ``runs`` (newest first), the most disputed first, then the most asked.

    ``disputed`` are trace ids that a person edited, escalated, rejected or flagged. Questions that
    ask the same in other words count together; those in ``existing`` already are left out, and so
    are those that hold personal data.
    """
    known = {_key(row.question) for row in existing}
    groups: dict[tuple[str, ...], list[PipelineRun]] = {}
    for run in runs:
        key = _key(run.request.raw_query)
        if key and key not in known and not find_pii(run.request.raw_query):
            groups.setdefault(key, []).append(run)
    ranked = sorted(groups.values(), key=lambda g: (-_disputes(g, disputed), -len(g)))
    return tuple(_proposal(group, _disputes(group, disputed)) for group in ranked[:limit])


def readable(runs: Iterable[PipelineRun], context: SecurityContext) -> tuple[PipelineRun, ...]:
    """Those runs that saw nothing ``context`` may not see: a proposal repeats their words."""
    return tuple(run for run in runs if _within(run.context, context))


def _within(asked: SecurityContext, reader: SecurityContext) -> bool:
    return (
        asked.tenant_id == reader.tenant_id
        and set(asked.allowed_acl_policy_ids) <= set(reader.allowed_acl_policy_ids)
        and set(asked.allowed_classifications) <= set(reader.allowed_classifications)
    )


def _key(question: str) -> tuple[str, ...]:
    return tuple(sorted(set(content_words(question))))


def _query_id(question: str) -> str:
    """The same for the same question, so that files of proposals never clash by counting."""
    return "N-" + hashlib.sha256(" ".join(_key(question)).encode()).hexdigest()[:8]


def _disputes(group: Sequence[PipelineRun], disputed: Collection[str]) -> int:
    return sum(run.trace.trace_id in disputed for run in group)


def _proposal(group: Sequence[PipelineRun], disputes: int) -> Proposal:
    run = group[0]
    cited = _cited(run)
    facts = _facts(run)
    row = GoldenCase(
        query_id=_query_id(run.request.raw_query),
        question=run.request.raw_query.strip(),
        difficulty_level=_difficulty(run, disputes),
        kind="candidate",
        must_answer_dimensions=tuple(d.name for d in run.plan.dimensions) if run.plan else (),
        gold_citations=tuple(
            GoldCitation(
                dimension=c.claim,
                should_come_from_source_location=where.source_uri or where.document_id,
                expected_value_or_range=c.quote,
            )
            for c in run.answer.citations
            if (where := cited.get(c.evidence_id)) is not None
        ),
        acceptable_answer_outline=AnswerOutline(must_say=facts),
        expected_status=run.answer.status,
        language=run.normalized.detected_language if run.normalized else "en",
        as_of_date=run.plan.temporal.asked_date if run.plan else run.request.asked_on,
        role=_role(run),
        required_facts=facts,
        gold_sources=tuple(dict.fromkeys(c.document_id for c in cited.values())),
        output_form=run.request.output_form,
        case_id=run.request.case_id,
    )
    times = "once" if len(group) == 1 else f"{len(group)} times"
    reason = f"asked {times}" + (f", disputed in {disputes} of them" if disputes else "")
    return Proposal(
        row=row,
        asked=len(group),
        disputed=disputes,
        reason=reason,
        trace_id=run.trace.trace_id,
    )


def _cited(run: PipelineRun) -> dict[str, EvidenceCandidate]:
    known = run.package.by_id() if run.package else {}
    ids = dict.fromkeys(c.evidence_id for c in run.answer.citations)
    return {i: known[i].candidate for i in ids if i in known}


_VALUE = re.compile(r"\$\d[\d,]*(?:\.\d+)?|\d[\d,.]*\d|\d")


def _facts(run: PipelineRun) -> tuple[str, ...]:
    """The values of supported claims: a number that must stand is a check, a sentence a wording."""
    supported = (c.text for c in run.claims if c.support_status == "supported")
    return tuple(dict.fromkeys(v for text in supported for v in _VALUE.findall(text)))


def _difficulty(run: PipelineRun, disputes: int) -> Difficulty:
    if disputes or run.answer.conflicts:
        return "HARD"
    return "MEDIUM" if run.plan and len(run.plan.dimensions) > 1 else "EASY"


def _role(run: PipelineRun) -> Role:
    return run.context.roles[0] if run.context.roles else "guest"
