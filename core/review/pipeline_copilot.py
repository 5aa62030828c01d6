"""The pipeline as the desk's co-pilot."""

from __future__ import annotations

from core.errors import StageFailed
from core.models.access import SecurityContext
from core.models.request import OutputForm, Turn, UserRequest
from core.models.review import Case
from core.models.trace import PipelineRun
from core.pipeline import answer
from core.pipeline_check import recheck
from core.pipeline_tools import Options, Tools
from core.review.copilot import Rechecked, Recipient


class PipelineCopilot:
    """Drafts a case and re-checks a person's text with the very stages that check a draft."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    def draft(
        self,
        case: Case,
        context: SecurityContext,
        *,
        include: tuple[str, ...] = (),
        exclude: tuple[str, ...] = (),
    ) -> PipelineRun:
        """A stored run for the case's latest question under the reviewer's rights."""
        request = request_of(case, context, self._tools.ids.new("req"))
        return answer(request, self._tools, Options(include=include, exclude=exclude))

    def recheck(
        self,
        text: str,
        run: PipelineRun,
        *,
        context: SecurityContext,
        output_form: OutputForm,
        recipient: Recipient,
    ) -> Rechecked:
        """Claims, ledger, compliance and freshness of exactly ``text``.

        Raises ``StageFailed`` when a check breaks: an unchecked text is never passed on.
        """
        if run.package is None:
            raise StageFailed("validate", "the run holds no evidence to check against")
        parts = recheck(
            text, run, self._tools, context=context, output_form=output_form, recipient=recipient
        )
        return Rechecked(
            claims=parts.claims,
            ledger=parts.ledger,
            compliance=parts.compliance,
            freshness=parts.freshness,
        )


def request_of(case: Case, context: SecurityContext, request_id: str) -> UserRequest:
    """The request a case stands for: its latest customer message, the earlier ones as history."""
    turns = tuple(
        Turn(
            role="customer" if m.author == "customer" else "agent",
            text=m.body,
            said_on=m.at.date(),
        )
        for m in case.messages
        if m.author != "system"
    )
    last = max((i for i, t in enumerate(turns) if t.role == "customer"), default=-1)
    return UserRequest(
        request_id=request_id,
        tenant_id=case.tenant_id,
        user_id=context.user_id,
        user_roles=context.roles,
        raw_query=case.question(),
        conversation_id=case.case_id,
        history=turns[:last] if last > 0 else (),
        said_on=turns[last].said_on if last >= 0 else None,
        locale=case.language,
        channel=case.channel,
        risk_level=case.risk,
        case_id=case.case_id,
        customer_id=case.customer_id,
        customer_name=case.customer_name,
        output_form=case.output_form,
    )
