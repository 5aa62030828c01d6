"""Builders for normalise, plan, authorise, retrieve and rewrite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from core.models.access import AclPolicy, SecurityContext, User
from core.models.evidence import EvidenceCandidate
from core.models.plan import QueryPlan, RetrievalPlan
from core.models.request import Turn, UserRequest
from core.models.review import Case, CaseEvent, ChecklistItem
from core.models.source import DocumentVersion, Governance, Passage
from core.stages.authorise import authorise
from core.stages.normalise import normalise
from core.stages.plan import make_plan

TODAY = date(2026, 11, 30)
TENANT = "athena"
POLICIES = (
    AclPolicy(policy_id="public", tenant_id=TENANT, description="all", everyone=True),
    AclPolicy(
        policy_id="support-internal",
        tenant_id=TENANT,
        description="desk",
        roles=("agent", "knowledge_owner", "supervisor", "hr", "admin"),
    ),
    AclPolicy(
        policy_id="hr-confidential",
        tenant_id=TENANT,
        description="personnel",
        roles=("hr",),
        departments=("HR",),
    ),
)


def a_user(*roles: str, **more: Any) -> User:
    fields: dict[str, Any] = {
        "user_id": "ana",
        "tenant_id": TENANT,
        "name": "Ana",
        "email": "ana@athena.example",
        "roles": roles or ("agent",),
        "department": "Customer service",
        "permission_level": "L2",
    }
    return User(**(fields | more))


def rights(*roles: str) -> SecurityContext:
    """The context of a user with these roles; of nobody without any."""
    return authorise(a_user(*roles) if roles else None, POLICIES, tenant_id=TENANT)


def a_request(text: str, **more: Any) -> UserRequest:
    fields: dict[str, Any] = {
        "request_id": "req_1",
        "tenant_id": TENANT,
        "user_id": "ana",
        "raw_query": text,
    }
    return UserRequest(**(fields | more))


def turns(*said: str) -> tuple[Turn, ...]:
    """Alternating turns, the customer first."""
    return tuple(
        Turn(role="agent" if n % 2 else "customer", text=text) for n, text in enumerate(said)
    )


def planned(text: str, case: Case | None = None, **more: Any) -> QueryPlan:
    request = a_request(text, **more)
    return make_plan(normalise(request, today=TODAY), request, today=TODAY, case=case)


def an_enforcement_case(**more: Any) -> Case:
    at = datetime(2026, 11, 20, 9, tzinfo=UTC)
    fields: dict[str, Any] = {
        "case_id": "1077",
        "tenant_id": TENANT,
        "subject": "Seller compliance",
        "opened_at": at,
        "updated_at": at,
        "fields": {"case_type": "seller compliance", "audience": "colleague", "contact": "s@x.org"},
        "events": (
            CaseEvent(
                event_id="EV-1", kind="non_compliance", on=date(2026, 9, 1), description="first"
            ),
            CaseEvent(
                event_id="EV-2",
                kind="non_compliance",
                on=date(2026, 10, 14),
                description="second late filing recorded.",
            ),
        ),
        "checklist": (
            ChecklistItem(item_id="1", label="Seller statement", done=True),
            ChecklistItem(item_id="2", label="Listing check", done=False),
        ),
    }
    return Case(**(fields | more))


def a_candidate(chunk_id: str, **more: Any) -> EvidenceCandidate:
    fields: dict[str, Any] = {
        "chunk_id": chunk_id,
        "source_id": "returns",
        "document_id": more.pop("document_id", f"doc-{chunk_id}"),
        "tenant_id": TENANT,
        "text": "Items may be returned within 30 days.",
        "source_title": "Returns",
        "authority": "official_policy",
    }
    return EvidenceCandidate(**(fields | more))


def a_version(document_id: str, **governance: Any) -> DocumentVersion:
    """A stored version whose governance a test sets field by field."""
    fields: dict[str, Any] = {"owner": "kim", "authority": "official_policy"} | governance
    return DocumentVersion(
        document_id=document_id,
        source_id="returns",
        tenant_id=TENANT,
        title="Returns",
        text="Items may be returned within 30 days.",
        original_text="Items may be returned within 30 days.",
        governance=Governance(**fields),
        content_hash=f"hash-{document_id}",
    )


class ScriptedIndex:
    """A ``PassageIndex`` that answers each query from a table and remembers what was asked."""

    def __init__(self, table: Mapping[str, Sequence[EvidenceCandidate]]) -> None:
        self._table = table
        self.asked: list[RetrievalPlan] = []

    def search(self, plan: RetrievalPlan) -> tuple[EvidenceCandidate, ...]:
        self.asked.append(plan)
        return tuple(self._table[plan.query])

    def replace_document(self, document_id: str, passages: Sequence[Passage]) -> None:
        raise AssertionError("a search must not write")

    def replace_documents(self, batch: Sequence[tuple[str, Sequence[Passage]]]) -> None:
        raise AssertionError("a search must not write")

    def remove_document(self, document_id: str) -> int:
        raise AssertionError("a search must not write")

    def passages_of(self, document_id: str) -> tuple[EvidenceCandidate, ...]:
        return ()

    def finish(self) -> None:
        raise AssertionError("a search must not write")

    def version(self) -> str:
        return "1"

    def explain(self, plan: RetrievalPlan) -> str:
        return ""

    def count(self) -> int:
        return sum(len(hits) for hits in self._table.values())


class ScriptedRecords:
    """A ``RecordStore`` over two tables; it remembers what was read."""

    def __init__(
        self,
        orders: Mapping[str, EvidenceCandidate] | None = None,
        customers: Mapping[str, EvidenceCandidate] | None = None,
    ) -> None:
        self._orders, self._customers = orders or {}, customers or {}
        self.read: list[str] = []

    def order(self, tenant_id: str, number: str) -> EvidenceCandidate | None:
        self.read.append(number)
        return self._orders.get(number)

    def customer(self, tenant_id: str, customer_id: str) -> EvidenceCandidate | None:
        self.read.append(customer_id)
        return self._customers.get(customer_id)
