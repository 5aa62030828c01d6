"""Where passages went at the shipped thresholds, and what was caught of each finer kind."""

from __future__ import annotations

from collections.abc import Iterator

from core.evaluation.gate_bench_figures import Scored, label_of
from core.evaluation.gate_bench_models import DetailRate, RouteCount
from core.models.evidence import GateQuestion, GateThresholds


def routes(scored: Scored) -> Iterator[RouteCount]:
    """Where the passages of each kind went."""
    kinds = list(dict.fromkeys(row.kind for row in scored.of.rows))
    for kind in kinds:
        went = [
            p.route for r, p in zip(scored.of.rows, scored.passages, strict=True) if r.kind == kind
        ]
        yield RouteCount(
            dataset=scored.of.name,
            kind=kind,
            include=went.count("include"),
            conflict=went.count("conflict"),
            exclude=went.count("exclude"),
        )


def details(scored: Scored, thresholds: GateThresholds) -> Iterator[DetailRate]:
    """What was caught of each attack family and of each kind of changed fact."""
    cuts: dict[GateQuestion, float] = {
        "injection": thresholds.injection_max,
        "contradicts": thresholds.contradicts_min,
    }
    for question, cut in cuts.items():
        pairs = [(r, p) for r, p in scored.labelled(question) if r.detail and label_of(r, question)]
        for detail in sorted({row.detail for row, _ in pairs}):
            hits = [p.probability(question) > cut for r, p in pairs if r.detail == detail]
            yield DetailRate(
                dataset=scored.of.name,
                question=question,
                detail=detail,
                rows=len(hits),
                caught=sum(hits),
            )
