"""Publishing a draft, and taking it back, as parts of one write transaction."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, Row, select

from core.adapters.sql_documents import OwnerChanges, find_rows, version_of
from core.adapters.sql_registry import SqlRegistry
from core.adapters.sql_schema import documents
from core.errors import BadInput, Conflicted, StaleVersion
from core.knowledge.upload_models import Replaced, UploadDraft
from core.knowledge.upload_store import Publication


def publish_within(
    connection: Connection,
    registry: SqlRegistry,
    publication: Publication,
    *,
    index_version: str,
    actor: str,
    now: datetime,
) -> UploadDraft:
    """Store the version as indexed, supersede the one before; returns the draft as published."""
    version, draft = publication.version, publication.draft
    if _rows(connection, version.document_id):
        raise StaleVersion(f"A version {version.document_id!r} was stored meanwhile. Look again.")
    registry.put_within(connection, [version], actor=actor)
    registry.mark_indexed_within(connection, [version.document_id], index_version)
    replaced = None
    if publication.replaces:
        replaced = _supersede(connection, registry, publication, actor, now)
    return draft.changed(
        state="published",
        document_id=version.document_id,
        source_id=version.source_id,
        title=version.title,
        replaced=replaced,
        problem="",
        revision=draft.revision + 1,
        updated_at=now,
        updated_by=actor,
    )


def unpublish_within(
    connection: Connection,
    registry: SqlRegistry,
    draft: UploadDraft,
    *,
    reason: str,
    actor: str,
    now: datetime,
) -> UploadDraft:
    """Withdraw what was published and reinstate what it replaced; the draft is ready again."""
    if draft.state != "published":
        raise BadInput(f"{draft.title} is not published; there is nothing to undo.")
    registry.withdraw_within(connection, draft.document_id, reason=reason, actor=actor)
    if draft.replaced is not None:
        _reinstate(connection, registry, draft.replaced, actor)
    return draft.changed(
        state="discarded",
        problem=f"taken back: {reason}",
        revision=draft.revision + 1,
        updated_at=now,
        updated_by=actor,
    )


def _supersede(
    connection: Connection,
    registry: SqlRegistry,
    publication: Publication,
    actor: str,
    now: datetime,
) -> Replaced:
    name = publication.replaces
    before = _rows(connection, name)
    if not before or before[0].withdrawn or version_of(before[0]).governance.status != "active":
        raise StaleVersion("The version to replace is no longer in force. Look at it again.")
    today = now.date()
    registry.supersede_within(
        connection,
        name,
        by=publication.version.document_id,
        on=publication.on or today,
        today=today,
        actor=actor,
    )
    after = _rows(connection, name)[0]
    return Replaced(
        document_id=name,
        before=before[0].owner_changes,
        after=after.owner_changes,
    )


def _reinstate(
    connection: Connection, registry: SqlRegistry, replaced: Replaced, actor: str
) -> None:
    row = _rows(connection, replaced.document_id)
    if not row or row[0].owner_changes != replaced.after:
        raise Conflicted(
            f"{replaced.document_id} changed since. Withdraw the new version on its own page."
        )
    before = OwnerChanges.model_validate_json(replaced.before)
    registry.reinstate_within(connection, replaced.document_id, before, actor=actor)


def _rows(connection: Connection, document_id: str) -> list[Row[tuple[object, ...]]]:
    return find_rows(connection, select(documents), [document_id])
