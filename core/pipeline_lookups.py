"""The read tools that every run has, over the same ports the run itself uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from core.lookups.cases import case_lookup, earlier_lookup
from core.lookups.orders import customer_lookup, order_lookup
from core.lookups.passages import PassagesInForce
from core.lookups.policies import policy_lookup
from core.lookups.refund import refund_lookup
from core.models.access import SecurityContext
from core.models.evidence import EvidenceCandidate
from core.models.plan import RetrievalFilters, RetrievalPlan
from core.ports import DocumentRegistry, PassageIndex, RecordStore
from core.stages.plan_retrieval import BOOST_RULES, REQUIRED
from core.stages.retrieve import retrieve
from core.tools.ports import CaseHistory, ReadTool, ViolationLog
from core.tools.toolbox import Toolbox

_CANDIDATES = 40


def standard_toolbox(
    *,
    records: RecordStore,
    index: PassageIndex,
    registry: DocumentRegistry,
    today: Callable[[], date],
    cases: CaseHistory | None = None,
    connectors: Sequence[ReadTool] = (),
    log: ViolationLog | None = None,
) -> Toolbox:
    """Orders, customers, return rules and refunds, and what the administrator's connectors add.

    With ``cases`` also a case's record and a customer's earlier cases.
    """
    search = passages_in_force(index, registry, today)
    of_cases = (case_lookup(cases), earlier_lookup(cases, today)) if cases else ()
    own = (
        *of_cases,
        order_lookup(records),
        customer_lookup(records),
        policy_lookup(search, today),
        refund_lookup(records, search, today),
    )
    return Toolbox([*own, *connectors], log=log)


def passages_in_force(
    index: PassageIndex, registry: DocumentRegistry, today: Callable[[], date]
) -> PassagesInForce:
    """Searches as a run does: filtered by rights and day, every hit checked again."""

    def search(
        context: SecurityContext, queries: Sequence[str], *, on: date, most: int
    ) -> tuple[EvidenceCandidate, ...]:
        plan = RetrievalPlan(
            query=queries[0],
            subqueries=tuple(queries[1:]),
            mode="hybrid",
            top_k=most,
            candidate_k=_CANDIDATES,
            filters=RetrievalFilters(
                tenant_id=context.tenant_id,
                acl_policy_ids=context.allowed_acl_policy_ids,
                classifications=context.allowed_classifications,
                source_types=context.allowed_source_types,
                valid_on=on,
                include_past_versions=on < today(),
            ),
            boost_rules=BOOST_RULES,
            required_metadata=REQUIRED,
        )
        return retrieve(plan, index=index, registry=registry).candidates

    return search
