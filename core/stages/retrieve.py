"""Find candidates: passages from the index, rows from the records, the case's own file.

The index filters before its top-k. Every candidate is checked again here, against the filters and
against the governance the registry holds now: an index may lag behind, rights may not.
"""

from __future__ import annotations

from datetime import date

from core.models.access import SecurityContext
from core.models.base import Model
from core.models.evidence import EvidenceCandidate
from core.models.plan import Fusion, QueryPlan, RetrievalFilters, RetrievalPlan
from core.models.request import UserRequest
from core.models.review import Case
from core.models.source import DocumentVersion, VersionStatus
from core.ports import DocumentRegistry, PassageIndex, RecordStore
from core.text.redact import find_pii

RRF_K = 60
"""Reciprocal rank fusion: a hit at rank r adds 1 / (60 + r)."""

CASE_ACL = "support-internal"
_META_FIELDS = frozenset({"audience"})
"""Case fields that steer the desk and state no fact."""


class Retrieved(Model):
    """``candidates`` best first; ``violations`` say which were dropped by the second check."""

    candidates: tuple[EvidenceCandidate, ...] = ()
    violations: tuple[str, ...] = ()


def plan_retrieval(
    plan: QueryPlan,
    context: SecurityContext,
    *,
    query: str | None = None,
    top_k: int,
    candidate_k: int,
    fusion: Fusion = "scores",
) -> RetrievalPlan:
    """How one search runs. The filter comes from rights and policy date alone.

    The plan's sub-queries run with its own question; a rewritten query runs by itself.
    """
    own = plan.subqueries[0] if plan.subqueries else plan.normalized_query
    asked = query if query is not None else own
    first = query is None or query == own or not _is_rewrite(query, plan)
    others = tuple(s for s in plan.subqueries if s != asked) if first else ()
    return RetrievalPlan(
        query=asked,
        mode=plan.retrieval_mode,
        subqueries=others if len(plan.subqueries) > 1 else (),
        top_k=top_k,
        candidate_k=candidate_k,
        fusion=fusion,
        filters=filters_for(plan, context),
        required_metadata=("tenant_id", "acl_policy_id", "classification", "status", "valid_from"),
    )


def _is_rewrite(query: str, plan: QueryPlan) -> bool:
    """The question itself contains the plan's own query; a rewrite words it otherwise."""
    return bool(plan.subqueries) and plan.subqueries[0] not in query


def filters_for(plan: QueryPlan, context: SecurityContext) -> RetrievalFilters:
    """Invariant 1: rights of the context and the policy date of the plan, nothing else."""
    return RetrievalFilters(
        tenant_id=context.tenant_id,
        acl_policy_ids=context.allowed_acl_policy_ids,
        classifications=context.allowed_classifications,
        source_types=context.allowed_source_types,
        valid_on=plan.temporal.effective_policy_date,
        include_past_versions=not plan.temporal.prefer_current,
    )


def retrieve(plan: RetrievalPlan, *, index: PassageIndex, registry: DocumentRegistry) -> Retrieved:
    """Search every query of the plan, fuse their ranks, and check each candidate on the way out.

    At most ``top_k`` candidates for one query; a plan with sub-queries may return half as many
    again, so that no sub-question is crowded out.
    """
    queries = tuple(dict.fromkeys((plan.query, *plan.subqueries)))
    lists = [
        index.search(plan.model_copy(update={"query": q, "subqueries": ()})) for q in queries if q
    ]
    fused = _fused(lists)
    limit = plan.top_k if len(lists) < 2 else plan.top_k + plan.top_k // 2
    return _checked(fused[:limit], plan.filters, registry)


def _fused(lists: list[tuple[EvidenceCandidate, ...]]) -> list[EvidenceCandidate]:
    if len(lists) == 1:
        return list({c.chunk_id: c for c in reversed(lists[0])}.values())[::-1]
    scores: dict[str, float] = {}
    best: dict[str, EvidenceCandidate] = {}
    for hits in lists:
        for rank, hit in enumerate(hits, start=1):
            scores[hit.chunk_id] = scores.get(hit.chunk_id, 0.0) + 1 / (RRF_K + rank)
            known = best.get(hit.chunk_id)
            if known is None or (hit.similarity or 0.0) > (known.similarity or 0.0):
                best[hit.chunk_id] = hit
    order = sorted(scores, key=lambda c: (-scores[c], c))
    return [best[c].model_copy(update={"score": scores[c]}) for c in order]


def _checked(
    candidates: list[EvidenceCandidate], filters: RetrievalFilters, registry: DocumentRegistry
) -> Retrieved:
    live = registry.live({c.document_id for c in candidates})
    kept: list[EvidenceCandidate] = []
    violations: list[str] = []
    for candidate in candidates:
        version = live.get(candidate.document_id)
        why = "its document is withdrawn or unknown" if version is None else ""
        why = why or breach(candidate, filters)
        if version is not None and not why:
            candidate = _governed(candidate, version)
            why = breach(candidate, filters)
        if why:
            violations.append(f"{candidate.chunk_id} dropped: {why}")
        else:
            kept.append(candidate.model_copy(update={"rank": len(kept) + 1}))
    return Retrieved(candidates=tuple(kept), violations=tuple(violations))


def _governed(candidate: EvidenceCandidate, version: DocumentVersion) -> EvidenceCandidate:
    """The candidate under the governance its document has now."""
    rules = version.governance
    return candidate.model_copy(
        update={
            "tenant_id": version.tenant_id,
            "acl_policy_id": rules.acl_policy_id,
            "classification": rules.classification,
            "source_type": rules.source_type,
            "permission_tag": rules.permission_tag,
            "status": rules.status,
            "valid_from": rules.valid_from,
            "valid_to": rules.valid_to,
            "last_reviewed": rules.last_reviewed,
            "review_sla_days": rules.review_sla_days,
            "owner": rules.owner,
            "authority": rules.authority,
            "signed": rules.signed,
        }
    )


def breach(candidate: EvidenceCandidate, filters: RetrievalFilters) -> str:
    """Why the candidate must not pass, in words that name no content; empty when it may."""
    if candidate.tenant_id != filters.tenant_id:
        return "it belongs to another tenant"
    if candidate.acl_policy_id not in filters.acl_policy_ids:
        return "its access policy is not allowed"
    if candidate.classification not in filters.classifications:
        return "its classification is not allowed"
    if filters.source_types and candidate.source_type not in filters.source_types:
        return "its source type is not allowed"
    return _out_of_time(candidate, filters)


def _out_of_time(candidate: EvidenceCandidate, filters: RetrievalFilters) -> str:
    readable: tuple[VersionStatus, ...] = (
        ("active", "superseded", "archived") if filters.include_past_versions else ("active",)
    )
    if candidate.status not in readable:
        return f"its version is {candidate.status}"
    if candidate.valid_from and candidate.valid_from > filters.valid_on:
        return "its version is not valid yet"
    if candidate.valid_to and candidate.valid_to <= filters.valid_on:
        return "its version is no longer valid"
    return ""


def fetch_records(
    plan: QueryPlan,
    context: SecurityContext,
    request: UserRequest,
    *,
    records: RecordStore,
    case: Case | None,
) -> tuple[EvidenceCandidate, ...]:
    """Rows of orders and customers the plan names, and the case's own file when it is asked about.

    Only who may review cases reads records; anybody else gets none. An order of another customer
    than the request's is kept for the reviewer, with a note in ``metadata``.
    """
    if "review" not in context.actions:
        return ()
    found: list[EvidenceCandidate] = []
    for item in (*plan.identifiers, *plan.related):
        row = None
        if item.kind == "order":
            row = records.order(context.tenant_id, item.value)
        elif item.kind == "customer":
            row = records.customer(context.tenant_id, item.value)
        if row is not None and row.tenant_id == context.tenant_id:
            found.append(_owned(row, request, case))
    if case is not None and case.tenant_id == context.tenant_id and _wants_file(plan):
        found += case_file(case)
    return tuple({c.chunk_id: c for c in found}.values())


def _wants_file(plan: QueryPlan) -> bool:
    return any(d.kind == "case_file" for d in plan.dimensions)


def _owned(row: EvidenceCandidate, request: UserRequest, case: Case | None) -> EvidenceCandidate:
    asker = request.customer_id or (case.customer_id if case else None)
    holder = row.metadata.get("customer_id", "")
    if not asker or not holder or _customer_key(asker) == _customer_key(holder):
        return row
    note = f"belongs to customer {holder}, not to customer {asker} who asks"
    return row.model_copy(update={"metadata": {**row.metadata, "note_owner": note}})


def _customer_key(customer_id: str) -> str:
    return customer_id.upper().removeprefix("C-").lstrip("0")


def case_file(case: Case) -> list[EvidenceCandidate]:
    """The fields, events and checklist of a case, one candidate each, as natural sentences."""
    rows = [
        (f"field/{name}", _field_text(name, value))
        for name, value in case.fields.items()
        if name not in _META_FIELDS and value.strip()
    ]
    rows += [
        (f"event/{e.event_id}", f"Event {e.event_id} on {_day(e.on)}: {_sentence(e.description)}")
        for e in case.events
    ]
    rows += [
        (
            f"checklist/{i.item_id}",
            f'Checklist item "{i.label}" is {"done" if i.done else "not done"}.',
        )
        for i in case.checklist
    ]
    return [_case_candidate(case, key, text, n) for n, (key, text) in enumerate(rows, start=1)]


def _field_text(name: str, value: str) -> str:
    label = name.replace("_", " ").strip().capitalize()
    return _sentence(f"{label}: {value.strip()}")


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?", "。", "！", "？")) else f"{text}."


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _case_candidate(case: Case, key: str, text: str, rank: int) -> EvidenceCandidate:
    locator = f"case:{case.case_id}/{key}"
    kind, _, name = key.partition("/")
    return EvidenceCandidate(
        chunk_id=locator,
        source_id=f"case:{case.case_id}",
        document_id=f"case:{case.case_id}",
        tenant_id=case.tenant_id,
        text=text,
        source_title=f"Case {case.case_id}",
        source_uri=locator,
        heading_path=(kind,),
        char_end=len(text),
        score=1.0,
        rank=rank,
        retrieval_source="case_file",
        authority="case_record",
        last_reviewed=case.updated_at.date(),
        owner=case.assigned_to or "case desk",
        permission_tag="PERSONAL_DATA_PII" if find_pii(text) else "INTERNAL_ONLY",
        acl_policy_id=CASE_ACL,
        classification="internal",
        source_type="SALESFORCE_CASE",
        metadata={"case_id": case.case_id, "kind": kind, "name": name},
    )
