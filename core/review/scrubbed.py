"""A run for a reader of other rights: what they may not read leaves neither name nor number."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from core.models.evidence import EvidenceCandidate, EvidencePackage, GatedPassage
from core.models.tool import ToolCall
from core.models.trace import PipelineRun, RagTrace, Round

MaySee = Callable[[EvidenceCandidate], bool]


def without_unseen(run: PipelineRun, may_see: MaySee) -> PipelineRun:
    """``run`` with the passages ``may_see`` allows; everything in its package must be among them.

    Other places of a passage carry no rights of their own, so they are left out; so are words that
    count candidates.
    """
    gated = tuple(_alone(g) for g in run.gated if may_see(g.candidate))
    package = _package(run.package, gated) if run.package else None
    seen = {g.candidate.chunk_id for g in gated}
    if package:
        seen |= {item.candidate.chunk_id for item in package.all_evidence()}
    trace = _trace(run.trace, seen)
    return run.model_copy(update={"gated": gated, "package": package, "trace": trace})


def _alone(gated: GatedPassage) -> GatedPassage:
    if not gated.candidate.also_in:
        return gated
    candidate = gated.candidate.model_copy(update={"also_in": ()})
    return gated.model_copy(update={"candidate": candidate})


def _package(package: EvidencePackage, gated: Iterable[GatedPassage]) -> EvidencePackage:
    seen = {g.candidate.chunk_id for g in gated}
    blocks = {
        name: tuple(
            item.model_copy(update={"gated": _alone(item.gated)}) for item in getattr(package, name)
        )
        for name in ("selected_evidence", "conflicting_evidence")
    }
    omitted = tuple(name for name in package.omitted_candidate_ids if name in seen)
    return package.model_copy(update={**blocks, "omitted_candidate_ids": omitted})


def _trace(trace: RagTrace, seen: set[str]) -> RagTrace:
    names = {
        name: tuple(chunk_id for chunk_id in getattr(trace, name) if chunk_id in seen)
        for name in ("candidate_chunk_ids", "selected_chunk_ids", "cited_chunk_ids")
    }
    if names["candidate_chunk_ids"] == trace.candidate_chunk_ids:
        return trace
    stages = tuple(stage.model_copy(update={"decision": ""}) for stage in trace.stages)
    rounds = tuple(_round(number, seen) for number in trace.rounds)
    calls = tuple(_call(call, seen) for call in trace.tool_calls)
    counted = {"stages": stages, "rounds": rounds, "tool_calls": calls}
    return trace.model_copy(update={**names, **counted, "access_violations_dropped": 0})


def _call(call: ToolCall, seen: set[str]) -> ToolCall:
    keys = tuple(key for key in call.row_keys if key in seen)
    return call.model_copy(update={"row_keys": keys, "rows": len(keys), "dropped": 0})


def _round(made: Round, seen: set[str]) -> Round:
    new = tuple(chunk_id for chunk_id in made.new_chunk_ids if chunk_id in seen)
    fewer = len(made.new_chunk_ids) - len(new)
    return made.model_copy(
        update={"new_chunk_ids": new, "retrieved": max(len(new), made.retrieved - fewer)}
    )
