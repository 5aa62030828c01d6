"""Only the first half of the flow: what would be retrieved for a question, under whose rights."""

from __future__ import annotations

from core.models.evidence import EvidenceCandidate
from core.models.plan import RetrievalPlan
from core.models.request import UserRequest
from core.pipeline import context_of
from core.pipeline_tools import Tools
from core.stages.normalise import normalise
from core.stages.plan import make_plan
from core.stages.retrieve import plan_retrieval, retrieve


def search(request: UserRequest, tools: Tools, *, k: int) -> tuple[EvidenceCandidate, ...]:
    """The ``k`` best passages the user may see, best first.

    A question that the whole flow would refuse or ask back about is still searched for. Raises
    ``BadQuestion`` and ``Unavailable``.
    """
    today = request.asked_on or tools.clock.now().date()
    context = context_of(request.user_id, request.tenant_id, tools)
    plan = make_plan(normalise(request, today=today), request, today=today)
    if plan.retrieval_mode == "none":
        plan = plan.model_copy(update={"retrieval_mode": "hybrid"})
    wide: RetrievalPlan = plan_retrieval(
        plan,
        context,
        top_k=k,
        candidate_k=max(k, tools.limits.candidate_k),
        fusion=tools.limits.fusion,
    )
    return retrieve(wide, index=tools.index, registry=tools.registry).candidates[:k]
