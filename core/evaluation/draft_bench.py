"""How long a draft takes: every case drafted warm, with the time each stage took."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.evaluation.golden_metrics import percentile
from core.models.base import Model
from core.models.review import Case
from core.models.trace import PipelineRun


class DraftBench(Model):
    """Milliseconds over all cases: whole drafts (p50, p95, worst) and each stage's median."""

    cases: int
    p50_ms: float
    p95_ms: float
    max_ms: float
    stage_p50_ms: dict[str, float]
    statuses: dict[str, int]

    def table(self) -> str:
        """The figures for a terminal."""
        lines = [
            f"drafts of {self.cases} cases, warm: p50 {self.p50_ms:.0f} ms, "
            f"p95 {self.p95_ms:.0f} ms, max {self.max_ms:.0f} ms",
            "stage p50 ms: " + ", ".join(f"{k} {v:.1f}" for k, v in self.stage_p50_ms.items()),
            "status: " + ", ".join(f"{k} {v}" for k, v in sorted(self.statuses.items())),
        ]
        return "\n".join(lines)


def run_draft_bench(cases: Sequence[Case], draft: Callable[[Case], PipelineRun]) -> DraftBench:
    """Draft every case once after one that warms models and caches; times are the trace's own."""
    draft(cases[0])
    runs = [draft(case) for case in cases]
    totals = sorted(run.trace.timings_ms["total"] for run in runs)
    stages = dict.fromkeys(key for run in runs for key in run.trace.timings_ms if key != "total")
    statuses: dict[str, int] = {}
    for run in runs:
        statuses[run.answer.status] = statuses.get(run.answer.status, 0) + 1
    return DraftBench(
        cases=len(runs),
        p50_ms=percentile(totals, 0.5),
        p95_ms=percentile(totals, 0.95),
        max_ms=totals[-1],
        stage_p50_ms={
            stage: percentile(
                sorted(r.trace.timings_ms[stage] for r in runs if stage in r.trace.timings_ms), 0.5
            )
            for stage in stages
        },
        statuses=statuses,
    )
