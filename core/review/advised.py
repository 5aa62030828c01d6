"""What was advised, next to what was done: for the audit event of a decision."""

from __future__ import annotations

from core.models.advice import AdvisedOutcome
from core.models.review import DispositionKind
from core.models.trace import PipelineRun

_MEANT: dict[DispositionKind, AdvisedOutcome] = {
    "approve": "reply",
    "ask_customer": "ask_customer",
    "refuse": "refuse",
    "escalate": "escalate",
}


def advised_beside(run: PipelineRun | None, kind: DispositionKind) -> dict[str, object]:
    """What was advised, on which grounds, and whether the decision followed; empty without."""
    if run is None or run.advice is None or kind not in _MEANT:
        return {}
    return {
        "advised": run.advice.outcome,
        "advised_grounds": [g.kind for g in run.advice.grounds],
        "advice_followed": run.advice.outcome == _MEANT[kind],
    }
