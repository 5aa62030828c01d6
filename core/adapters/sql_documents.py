"""Rows of the ``documents`` table as models: as ingested, and what the owner changed since."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Row, Select, Update, select

from core.adapters.sql_schema import documents
from core.knowledge.views import SourceListing
from core.models.base import Model
from core.models.source import DocumentVersion, Governance, SpanMap, VersionStatus

_BATCH = 500
_ACCESS = frozenset({"classification", "acl_policy_id", "permission_tag"})
_LISTED = (
    documents.c.position,
    documents.c.document_id,
    documents.c.source_id,
    documents.c.tenant_id,
    documents.c.title,
    documents.c.governance,
    documents.c.owner_changes,
    documents.c.content_hash,
    documents.c.withdrawn,
    documents.c.ingested_at,
)
_GOVERNED: tuple[Any, ...] = (
    documents.c.document_id,
    documents.c.source_id,
    documents.c.governance,
    documents.c.owner_changes,
)


class OwnerChanges(Model):
    """What the owner changed on exactly this content, laid over the ingested governance."""

    last_reviewed: date | None = None
    status: VersionStatus | None = None
    valid_to: date | None = None
    supersedes: str | None = None
    withdrawn_reason: str = ""
    retired: bool = False
    """Withdrawn because its file is gone: with its file it comes back."""

    def over(self, governance: Governance) -> Governance:
        """``governance`` as it is now. Raises ``ValueError`` when the dates no longer fit."""
        if self == _NOTHING:
            return governance
        changed = self.model_dump(exclude={"withdrawn_reason", "retired"}, exclude_none=True)
        if governance.last_reviewed and self.last_reviewed:
            changed["last_reviewed"] = max(governance.last_reviewed, self.last_reviewed)
        return Governance.model_validate({**governance.model_dump(), **changed})


_NOTHING = OwnerChanges()


class _Body(Model):
    text: str
    original_text: str
    span_map: SpanMap
    media_type: str
    page_starts: tuple[int, ...] = ()


def body_of(document: DocumentVersion) -> str:
    """The parts of a version that are only read whole, as JSON."""
    return _Body(
        text=document.text,
        original_text=document.original_text,
        span_map=document.span_map,
        media_type=document.media_type,
        page_starts=document.page_starts,
    ).model_dump_json()


def changes_of(row: Row[Any]) -> OwnerChanges:
    """The owner's changes of a row."""
    return OwnerChanges.model_validate_json(row.owner_changes)


def _governance_of(row: Row[Any]) -> Governance:
    return changes_of(row).over(Governance.model_validate_json(row.governance))


def version_of(row: Row[Any]) -> DocumentVersion:
    """A full row as a model."""
    body = _Body.model_validate_json(row.body)
    return DocumentVersion(
        document_id=row.document_id,
        source_id=row.source_id,
        tenant_id=row.tenant_id,
        title=row.title,
        governance=_governance_of(row),
        content_hash=row.content_hash,
        ingested_at=row.ingested_at,
        **dict(body),
    )


def listing_of(row: Row[Any]) -> SourceListing:
    """A row without its text as a model."""
    return SourceListing(
        document_id=row.document_id,
        source_id=row.source_id,
        tenant_id=row.tenant_id,
        title=row.title,
        governance=_governance_of(row),
        content_hash=row.content_hash,
        withdrawn=row.withdrawn,
        withdrawn_reason=changes_of(row).withdrawn_reason,
    )


def stated_fields(found: str | None) -> dict[str, str]:
    """The fields of a quarantined document that say who may read it, as its file states them."""
    if not found:
        return {}
    fields = json.loads(found).get("fields", {})
    named = {"acl": "acl_policy_id"}
    stated = {named.get(name, name): str(value) for name, value in fields.items() if value}
    return {k: v for k, v in stated.items() if k in _ACCESS}


def listed() -> Select[Any]:
    """Select all of ``documents`` but the texts."""
    return select(*_LISTED)


def came_into_force(governance: Governance, row: Row[Any]) -> tuple[date, int]:
    """Sorts versions oldest first; an undated one by the day it was taken in, ties as taken in."""
    taken_in: date = row.ingested_at.date() if row.ingested_at else date.min
    return governance.valid_from or taken_in, row.position


def update_rows(connection: Connection, statement: Update, ids: Iterable[str]) -> None:
    """Run ``statement`` for the rows whose document id is among ``ids``."""
    for batch in _batches(dict.fromkeys(ids)):
        connection.execute(statement.where(documents.c.document_id.in_(batch)))


def find_rows(connection: Connection, statement: Select[Any], ids: Iterable[str]) -> list[Row[Any]]:
    """Rows of ``statement`` whose document id is among ``ids``, however many those are."""
    rows: list[Row[Any]] = []
    for batch in _batches(dict.fromkeys(ids)):
        rows += connection.execute(statement.where(documents.c.document_id.in_(batch)))
    return rows


def living_governance(
    connection: Connection, source_ids: Iterable[str]
) -> dict[str, dict[str, Governance]]:
    """By source and document id, the governance of the versions that are not withdrawn."""
    wanted = select(*_GOVERNED).where(documents.c.withdrawn.is_(False))
    found: dict[str, dict[str, Governance]] = {}
    for batch in _batches(dict.fromkeys(source_ids)):
        for row in connection.execute(wanted.where(documents.c.source_id.in_(batch))):
            found.setdefault(row.source_id, {})[row.document_id] = _governance_of(row)
    return found


def _batches(ids: Iterable[str]) -> Iterator[Sequence[str]]:
    remaining = iter(ids)
    while batch := list(islice(remaining, _BATCH)):
        yield batch
