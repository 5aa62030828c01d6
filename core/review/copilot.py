"""What the desk asks of the pipeline: draft a case, and check a person's text against a run."""

from __future__ import annotations

from typing import Literal, Protocol

from core.models.access import SecurityContext
from core.models.base import Model
from core.models.compliance import ComplianceDecision, FreshnessWarning
from core.models.draft import GeneratedClaim
from core.models.ledger import CitationLedger
from core.models.request import OutputForm
from core.models.review import Case
from core.models.trace import PipelineRun

Recipient = Literal["customer", "colleague", "public"]


class Rechecked(Model):
    """What validation, ledger, compliance and freshness say of one exact text."""

    claims: tuple[GeneratedClaim, ...]
    ledger: CitationLedger
    compliance: ComplianceDecision
    freshness: tuple[FreshnessWarning, ...] = ()


class Copilot(Protocol):
    """Drafts and re-checks. The pipeline is its one real implementation."""

    def draft(
        self,
        case: Case,
        context: SecurityContext,
        *,
        include: tuple[str, ...] = (),
        exclude: tuple[str, ...] = (),
    ) -> PipelineRun:
        """A whole run for the case's latest question; stored. Never raises for a broken stage.

        ``include`` and ``exclude`` are chunk ids a person forced in or out; injection stays out.
        """
        ...

    def recheck(
        self,
        text: str,
        run: PipelineRun,
        *,
        context: SecurityContext,
        output_form: OutputForm,
        recipient: Recipient,
    ) -> Rechecked:
        """Validate and comply ``text`` (with or without markers) against the run's evidence."""
        ...
