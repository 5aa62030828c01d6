"""The checks that stand between any text and its reader: claims, ledger, compliance, freshness.

One place for both texts, the co-pilot's draft and a person's edit of it.
"""

from __future__ import annotations

from core.models.access import SecurityContext
from core.models.base import Model
from core.models.compliance import ComplianceDecision, FreshnessWarning
from core.models.draft import GeneratedClaim
from core.models.ledger import CitationLedger
from core.models.request import OutputForm
from core.models.trace import PipelineRun
from core.pipeline_run import Recipient, RunInProgress
from core.pipeline_tools import Options, Tools
from core.stages.comply import comply
from core.stages.freshness import freshness
from core.stages.ledger import build_ledger
from core.stages.validate import validate
from core.text.markers import strip_markers


class CheckedParts(Model):
    """Claims, ledger, compliance and freshness of one exact text."""

    claims: tuple[GeneratedClaim, ...]
    ledger: CitationLedger
    compliance: ComplianceDecision
    freshness: tuple[FreshnessWarning, ...]


def recheck(
    text: str,
    run: PipelineRun,
    tools: Tools,
    *,
    context: SecurityContext,
    output_form: OutputForm,
    recipient: Recipient,
) -> CheckedParts:
    """The checks of the flow on a person's text, against the evidence of a stored run.

    Raises ``StageFailed`` when a check breaks.
    """
    again = RunInProgress(run.request, tools, options=Options())
    again.context, again.package, again.resolutions = context, run.package, run.resolutions
    claims = claims_of(again, text)
    return check_text(again, text, claims, output_form=output_form, recipient=recipient)


def claims_of(run: RunInProgress, markdown: str) -> tuple[GeneratedClaim, ...]:
    """Every factual sentence of ``markdown`` against the run's evidence."""
    with run.stage("validate") as note:
        claims = validate(
            markdown, run.need_package(), checker=run.tools.checker, resolutions=run.resolutions
        )
        note(f"{sum(c.support_status == 'supported' for c in claims)} of {len(claims)} verified")
    return claims


def check_text(
    run: RunInProgress,
    markdown: str,
    claims: tuple[GeneratedClaim, ...],
    *,
    output_form: OutputForm,
    recipient: Recipient,
) -> CheckedParts:
    """Ledger, compliance and freshness of one exact text, the co-pilot's or a person's alike."""
    package, context, query_id = run.need_package(), run.need_context(), run.request.request_id
    leaned_on = {identifier for claim in claims for identifier in claim.evidence_ids}
    used = tuple(e for e in package.all_evidence() if e.evidence_id in leaned_on)
    with run.stage("ledger"):
        ledger = build_ledger(query_id, markdown, claims, package, context, run.resolutions)
    with run.stage("comply") as note:
        compliance = comply(
            strip_markers(markdown),
            used=used,
            context=context,
            output_form=output_form,
            recipient=recipient,
            query_id=query_id,
            now=run.tools.clock.now(),
            customer_id=run.request.customer_id,
        )
        note(compliance.decision)
    with run.stage("freshness") as note:
        warnings = freshness(used, today=run.today, replaced_by=run.replaced_by(used))
        note(", ".join(sorted({w.state for w in warnings})))
    return CheckedParts(claims=claims, ledger=ledger, compliance=compliance, freshness=warnings)
