"""Only the first half of the flow: what would be retrieved for a question, under whose rights."""

from __future__ import annotations

from datetime import date

from core.errors import NotFound
from core.models.access import SecurityContext
from core.models.admission import admitted
from core.models.base import Model
from core.models.evidence import EvidenceCandidate
from core.models.plan import RetrievalFilters, RetrievalPlan
from core.models.request import UserRequest
from core.pipeline import context_of
from core.pipeline_tools import Tools
from core.stages.normalise import clean_text, normalise
from core.stages.plan import make_plan
from core.stages.plan_retrieval import REQUIRED, plan_retrieval
from core.stages.retrieve import retrieve
from core.text.conversation import in_context

NEIGHBOURS_AT_MOST = 20


class Neighbours(Model):
    """What stands around a passage in its document, in the document's order."""

    before: tuple[EvidenceCandidate, ...] = ()
    after: tuple[EvidenceCandidate, ...] = ()


def search(request: UserRequest, tools: Tools, *, k: int) -> tuple[EvidenceCandidate, ...]:
    """The ``k`` best passages the user may see, best first.

    A question that the whole flow would refuse or ask back about is still searched for. Raises
    ``BadQuestion`` and ``Unavailable``.
    """
    plan = plan_search(request, tools, k=k)
    found = retrieve(plan, index=tools.index, registry=tools.registry, reranker=tools.reranker)
    return found.candidates[:k]


def plan_search(request: UserRequest, tools: Tools, *, k: int) -> RetrievalPlan:
    """How ``search`` would look for it. Raises ``BadQuestion``."""
    today = request.asked_on or tools.clock.now().date()
    context = context_of(request.user_id, request.tenant_id, tools)
    plan = make_plan(normalise(request, today=today), request, today=today)
    if plan.retrieval_mode in ("none", "multi_source"):
        # A plan that answers nothing has no words of its own to search for.
        asked = plan.subqueries or (clean_text(request.raw_query),)
        plan = plan.model_copy(update={"retrieval_mode": "hybrid", "subqueries": asked})
    return plan_retrieval(
        plan,
        context,
        conversation=in_context(clean_text(request.raw_query), request.history),
        top_k=k,
        candidate_k=max(k, tools.limits.candidate_k),
        fusion=tools.limits.fusion,
        reranker=tools.reranker.name if tools.reranker else "",
    )


def neighbours(
    chunk_id: str, n: int, tools: Tools, context: SecurityContext, *, at: date | None = None
) -> Neighbours:
    """Up to ``n`` passages (at most 20) on each side of one, for a reader with ``context``.

    Each is checked like any candidate, as of ``at``, by default today; a version that was valid
    ``at`` a day looked back at counts even if another has replaced it. Raises ``NotFound`` for a
    passage that is not there and, in the same words, for one this reader may not see.
    """
    filters = RetrievalFilters(
        tenant_id=context.tenant_id,
        acl_policy_ids=context.allowed_acl_policy_ids,
        classifications=context.allowed_classifications,
        source_types=context.allowed_source_types,
        valid_on=at or tools.clock.now().date(),
        include_past_versions=at is not None,
    )
    document_id = chunk_id.rpartition("::")[0]
    live = tools.registry.live([document_id]).get(document_id) if document_id else None
    seen = [] if live is None else list(tools.index.passages_of(document_id))
    allowed = [c for p in seen if (c := admitted(p, live, filters, REQUIRED)[0]) is not None]
    places = [place for place, c in enumerate(allowed) if c.chunk_id == chunk_id]
    if not places:
        raise NotFound(f"There is no passage {chunk_id!r}.")
    here, n = places[0], max(0, min(n, NEIGHBOURS_AT_MOST))
    return Neighbours(
        before=tuple(allowed[max(0, here - n) : here]),
        after=tuple(allowed[here + 1 : here + 1 + n]),
    )
