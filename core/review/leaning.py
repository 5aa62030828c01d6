"""What a text leans on, and whether that is still fresh today."""

from __future__ import annotations

from datetime import date

from core.models.compliance import FreshnessWarning
from core.models.review import DraftVersion
from core.models.trace import PipelineRun
from core.stages.freshness import freshness


def leaned_on(draft: DraftVersion | None, run: PipelineRun) -> tuple[str, ...]:
    """Evidence ids the text leans on, in order, each once."""
    ids: list[str] = []
    if draft is not None:
        for claim in draft.claims:
            ids += claim.evidence_ids
            ids += [span.evidence_id for span in claim.spans]
    if draft is None or draft.kind == "copilot":
        ids += [citation.evidence_id for citation in run.answer.citations]
        ids += run.answer.evidence_ids_used
    known = run.package.by_id() if run.package else {}
    return tuple(dict.fromkeys(i for i in ids if i in known))


def documents_of(draft: DraftVersion | None, run: PipelineRun) -> frozenset[str]:
    """Ids of the document versions and records a text leans on."""
    evidence = run.package.by_id() if run.package else {}
    return frozenset(evidence[i].candidate.document_id for i in leaned_on(draft, run))


def freshness_now(
    draft: DraftVersion | None, run: PipelineRun, today: date
) -> tuple[FreshnessWarning, ...]:
    """One line for each document version the text leans on, in order of use.

    What the run already found risky stands. The rest is judged anew: days go by, and an edit may
    lean on evidence the co-pilot's draft did not.
    """
    evidence = run.package.by_id() if run.package else {}
    used = [evidence[evidence_id] for evidence_id in leaned_on(draft, run)]
    found = {warning.document_id: warning for warning in run.freshness if risky(warning)}
    return tuple(found.get(w.document_id, w) for w in freshness(used, today=today))


def risky(warning: FreshnessWarning) -> bool:
    """Whether a source is too old or replaced to be leaned on unseen."""
    return warning.state == "stale" or warning.superseded
