"""Compliance at the last moment: may this very text still leave, under today's rights and rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from core.errors import NotReady
from core.models.access import SecurityContext
from core.models.compliance import ComplianceDecision
from core.models.review import Case, Disposition, DraftVersion
from core.ports import Clock, DocumentRegistry, RunStore
from core.review.checks import changed_sources
from core.review.copilot import Copilot
from core.review.drafting import marked
from core.review.leaning import documents_of
from core.review.rules import recipient_of


class ComplyAgain(Protocol):
    """Asked by the outbox right before delivery."""

    def __call__(
        self, case: Case, draft: DraftVersion, decision: Disposition
    ) -> ComplianceDecision:
        """Compliance of the draft's text as of now.

        Raises ``TryAgainLater`` or another ``Unavailable`` when it cannot be decided now, any other
        ``CountersignError`` when it cannot be decided at all; then nothing is sent.
        """
        ...


class SendCheck:
    """``ComplyAgain`` over the co-pilot: the approver's rights and the sources as they are now.

    ``context_of`` gives the rights of a user by id at this moment.
    """

    def __init__(
        self,
        copilot: Copilot,
        runs: RunStore,
        context_of: Callable[[str], SecurityContext],
        *,
        registry: DocumentRegistry,
        clock: Clock,
    ) -> None:
        self._copilot = copilot
        self._runs = runs
        self._context_of = context_of
        self._registry = registry
        self._clock = clock

    def __call__(
        self, case: Case, draft: DraftVersion, decision: Disposition
    ) -> ComplianceDecision:
        """Compliance of the draft's text as of now.

        Raises ``NotReady`` when its run is not there or a source it leans on changed since.
        """
        run = self._runs.run(draft.trace_id)
        if run is None:
            raise NotReady("The record of the evidence behind this reply is missing.")
        live = self._registry.live(documents_of(draft, run))
        if changed := changed_sources(draft, run, live, self._clock.now().date()):
            raise NotReady(" ".join(changed))
        return self._copilot.recheck(
            marked(draft),
            run,
            context=self._context_of(decision.by),
            output_form=case.output_form,
            recipient=recipient_of(case),
        ).compliance
