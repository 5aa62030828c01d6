"""A finished run as JSON (the contract) and as text for a terminal."""

from __future__ import annotations

from typing import Any

from core.models.base import Model
from core.models.evidence import EvidenceCandidate, EvidencePackage
from core.models.round_words import LOOP_ENDS, round_words
from core.models.trace import PipelineRun


def run_json(run: PipelineRun) -> dict[str, Any]:
    """Every key of the ``ask`` contract."""
    answer, package = run.answer, run.package
    return {
        "status": answer.status,
        "answer_markdown": answer.answer_markdown,
        "confidence": answer.confidence,
        "citations": [c.model_dump(mode="json") for c in answer.citations],
        "evidence": _evidence(package) if package else [],
        "conflicts": [c.model_dump(mode="json") for c in answer.conflicts],
        "excluded": _excluded(run),
        "claims": [c.model_dump(mode="json") for c in run.claims],
        "ledger": _dump(run.ledger),
        "freshness": [w.model_dump(mode="json") for w in run.freshness],
        "compliance": _dump(run.compliance),
        "judgement": _dump(run.judgement),
        "resolutions": [r.model_dump(mode="json") for r in run.resolutions],
        "advice": _dump(run.advice),
        "proposals": [p.model_dump(mode="json") for p in run.proposals],
        "loop_end": run.trace.loop_end,
        "tools": [call.model_dump(mode="json") for call in run.trace.tool_calls],
        "rounds": [r.model_dump(mode="json") for r in run.trace.rounds],
        "notes": list(package.notes) if package else [],
        "missing_information": list(answer.missing_information),
        "follow_up_question": answer.follow_up_question,
        "trace_id": run.trace.trace_id,
        "timings_ms": run.trace.timings_ms,
        "usage": run.trace.token_usage,
        "backend": run.trace.backend,
        "failure": run.trace.failure,
    }


def _evidence(package: EvidencePackage) -> list[dict[str, Any]]:
    return [
        {
            "evidence_id": e.evidence_id,
            "block": "accepted" if e in package.selected_evidence else "conflicting",
            **_passage(e.candidate),
            "scores": _dump(e.gated.scores),
            "calculation": _dump(e.candidate.calculation),
        }
        for e in package.all_evidence()
    ]


def _excluded(run: PipelineRun) -> list[dict[str, Any]]:
    return [
        {
            "chunk_id": g.candidate.chunk_id,
            "title": g.candidate.source_title,
            "rule": g.rule,
            "reason": g.reason,
            "backend": g.backend,
            "scores": _dump(g.scores),
        }
        for g in run.gated
        if g.route == "exclude"
    ]


def _passage(candidate: EvidenceCandidate) -> dict[str, Any]:
    keep = {
        "chunk_id",
        "document_id",
        "source_id",
        "source_title",
        "heading_path",
        "text",
        "authority",
        "status",
        "version",
        "valid_from",
        "valid_to",
        "last_reviewed",
        "owner",
        "permission_tag",
        "source_uri",
        "retrieval_source",
    }
    return candidate.model_dump(mode="json", include=keep)


def _dump(model: Model | None) -> dict[str, Any] | None:
    return model.model_dump(mode="json") if model is not None else None


def run_text(run: PipelineRun) -> str:
    """The run for a person at a terminal."""
    answer, total = run.answer, run.trace.timings_ms.get("total", 0)
    head = f"{answer.status} · confidence {answer.confidence} · {total:.0f} ms"
    stopped = [f"Stopped: {run.trace.failure}", ""] if run.trace.failure else []
    lines = [head, "", answer.answer_markdown, "", *stopped, *_evidence_lines(run)]
    lines += _tool_lines(run) + _round_lines(run)
    for conflict in answer.conflicts:
        lines += [
            f"Conflict ({conflict.kind}): {conflict.side_a}",
            f"  against: {conflict.side_b}"
            + (f" ({conflict.source_b})" if conflict.source_b else ""),
            f"  {conflict.resolution}",
        ]
    tail = [*_warning_lines(run), *_advice_lines(run), f"Trace {run.trace.trace_id}"]
    return "\n".join([*lines, *tail])


def _advice_lines(run: PipelineRun) -> list[str]:
    """What to do with the case, and why; nothing for a plain reply."""
    advice = run.advice
    if advice is None or advice.outcome == "reply":
        return []
    lines = [f"Advised: {advice.outcome}" + (f" (to {advice.to})" if advice.to else "")]
    for ground in advice.grounds:
        clause = f" [#{ground.evidence_id}] “{ground.quote}”" if ground.quote else ""
        lines.append(f"  {ground.kind}: {ground.words}{clause}")
    return lines


def _evidence_lines(run: PipelineRun) -> list[str]:
    evidence = run.package.all_evidence() if run.package else ()
    lines = ["Evidence"] if evidence else []
    for item in evidence:
        c = item.candidate
        where = " › ".join((c.source_title, *c.heading_path))
        lines.append(f"  [#{item.evidence_id}] {where} ({c.document_id}, {c.authority})")
    return lines


def _tool_lines(run: PipelineRun) -> list[str]:
    """One line for each read tool that was called."""
    return [
        f"Tool {call.tool}({', '.join(f'{n}={v}' for n, v in call.arguments.items())}): "
        + (call.message or f"{call.rows} row(s)")
        for call in run.trace.tool_calls
    ]


def _round_lines(run: PipelineRun) -> list[str]:
    """One line a round, and why there was no further one; nothing where the first was enough."""
    trace = run.trace
    if len(trace.rounds) < 2 and trace.loop_end in (None, "enough", "nothing_to_search"):
        return []
    names = {d.id: d.name for d in run.plan.dimensions} if run.plan else {}
    lines = [f"Round {r.number}: {round_words(r, names)}" for r in trace.rounds]
    return [*lines, f"Ended: {LOOP_ENDS[trace.loop_end]}"] if trace.loop_end else lines


def _warning_lines(run: PipelineRun) -> list[str]:
    lines = [
        f"Claim {claim.support_status}: {claim.text} ({'; '.join(claim.reasons)})"
        for claim in run.claims
        if claim.support_status != "supported"
    ]
    lines += [
        f"Freshness: {warning.title}: {warning.message}"
        for warning in run.freshness
        if warning.state != "fresh" or warning.superseded
    ]
    lines += [f"Not judged: {words}" for words in (run.package.unjudged if run.package else ())]
    lines += [f"Missing: {item}" for item in run.answer.missing_information]
    if run.compliance and run.compliance.decision != "ALLOW":
        lines.append(f"Compliance: {run.compliance.decision}: {run.compliance.reason}")
    return lines
