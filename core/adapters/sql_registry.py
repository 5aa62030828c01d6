"""The governed documents over SQL: the registry retrieval checks against, and the owners' verbs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Engine, Row, delete, select, update

from core.adapters import sql_audit
from core.adapters.sql_documents import (
    OwnerChanges,
    body_of,
    came_into_force,
    changes_of,
    find_rows,
    living_governance,
    update_rows,
    version_of,
)
from core.adapters.sql_engine import insert, reading, upsert, writing
from core.adapters.sql_intake import Intake
from core.adapters.sql_intake_flags import Found, flag_within
from core.adapters.sql_schema import documents, quarantine, sources
from core.errors import BadSource
from core.models.source import DocumentVersion, Governance
from core.ports import Clock
from core.sources.instructions import find_in

_KEPT_IN_MEMORY = 256
"""Document versions kept parsed, so that re-checking candidates does not read every text again."""

_KNOWN = select(
    documents.c.document_id,
    documents.c.tenant_id,
    documents.c.source_id,
    documents.c.content_hash,
    documents.c.owner_changes,
    documents.c.withdrawn,
    documents.c.revision,
)


class SqlRegistry(Intake):
    """``SourceCatalog`` on an engine from ``open_database``. Safe to share by threads."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        super().__init__(engine, clock)
        self._parsed: OrderedDict[tuple[str, int], DocumentVersion] = OrderedDict()
        self._lock = Lock()

    def get(self, document_id: str) -> DocumentVersion | None:
        with reading(self._engine) as connection:
            rows = find_rows(connection, select(documents), [document_id])
        return version_of(rows[0]) if rows else None

    def versions_of(self, source_id: str) -> tuple[DocumentVersion, ...]:
        with reading(self._engine) as connection:
            found = connection.execute(select(documents).where(documents.c.source_id == source_id))
            versions = [(version_of(row), row) for row in found]
        versions.sort(key=lambda pair: came_into_force(pair[0].governance, pair[1]))
        return tuple(version for version, _ in versions)

    def lifetimes(self, source_ids: Iterable[str]) -> dict[str, dict[str, Governance]]:
        with reading(self._engine) as connection:
            return living_governance(connection, source_ids)

    def hashes(self, document_ids: Sequence[str]) -> dict[str, str]:
        wanted = select(documents.c.document_id, documents.c.content_hash).where(
            documents.c.indexed_hash == documents.c.content_hash
        )
        with reading(self._engine) as connection:
            rows = find_rows(connection, wanted, document_ids)
        return {row.document_id: row.content_hash for row in rows}

    def has_indexed(self) -> bool:
        """Whether any version that is not withdrawn is marked as being in the index."""
        one = (
            select(documents.c.document_id)
            .where(
                documents.c.withdrawn.is_(False),
                documents.c.indexed_hash == documents.c.content_hash,
            )
            .limit(1)
        )
        with reading(self._engine) as connection:
            return connection.execute(one).first() is not None

    def live(self, document_ids: Iterable[str]) -> dict[str, DocumentVersion]:
        wanted = select(documents.c.document_id, documents.c.revision).where(
            documents.c.withdrawn.is_(False)
        )
        with reading(self._engine) as connection:
            found = find_rows(connection, wanted, document_ids)
            stamps = {(str(row.document_id), int(row.revision)) for row in found}
            unread = [name for name, _ in stamps - self._parsed.keys()]
            self._remember(find_rows(connection, select(documents), unread))
            return {name: self._recall(connection, (name, rev)) for name, rev in stamps}

    def _remember(self, rows: Iterable[Row[Any]]) -> None:
        for row in rows:
            version = version_of(row)
            with self._lock:
                self._parsed[(row.document_id, row.revision)] = version

    def _recall(self, connection: Connection, stamp: tuple[str, int]) -> DocumentVersion:
        with self._lock:
            version = self._parsed.pop(stamp, None)
        if version is None:  # another thread made room meanwhile
            version = version_of(find_rows(connection, select(documents), [stamp[0]])[0])
        with self._lock:
            self._parsed[stamp] = version
            while len(self._parsed) > _KEPT_IN_MEMORY:
                self._parsed.popitem(last=False)
        return version

    def put(self, documents: Sequence[DocumentVersion], *, actor: str) -> None:
        """As the port says. Raises ``BadSource`` for an id of another tenant or an unusable one.

        All or nothing: one bad version stores none of the batch.
        """
        if documents:
            found = {version.document_id: find_in(version) for version in documents}
            with writing(self._engine) as connection:  # looked at before others wait for the lock
                self.put_within(connection, documents, actor=actor, found=found)

    def put_within(
        self,
        connection: Connection,
        versions: Sequence[DocumentVersion],
        *,
        actor: str,
        found: Found | None = None,
    ) -> None:
        """``put`` as a part of the caller's write transaction.

        ``found`` is what in the versions speaks to a model, where it has been looked for: each
        becomes a flag for the owner.
        """
        batch = {version.document_id: version for version in versions}
        if found is None:
            found = {name: find_in(version) for name, version in batch.items()}
        _claim_sources(connection, list(batch.values()))
        known = {row.document_id: row for row in find_rows(connection, _KNOWN, batch)}
        rows = [_stored_row(version, known.get(name)) for name, version in batch.items()]
        _store(connection, rows)
        events = [_put_event(version, known.get(name), actor) for name, version in batch.items()]
        sql_audit.append(connection, self._clock, events)
        flag_within(connection, self._clock, list(batch.values()), found, actor=actor)

    def mark_indexed(self, document_ids: Sequence[str], index_version: str) -> None:
        with writing(self._engine) as connection:
            self.mark_indexed_within(connection, document_ids, index_version)

    def mark_indexed_within(
        self, connection: Connection, document_ids: Sequence[str], index_version: str
    ) -> None:
        """``mark_indexed`` as a part of the caller's write transaction."""
        marked = update(documents).values(
            indexed_hash=documents.c.content_hash, index_version=index_version
        )
        update_rows(connection, marked, document_ids)

    def quarantine(
        self, tenant_id: str, path: str, reason: str, fix: str, *, actor: str, found: str = ""
    ) -> None:
        path, reason, fix = _printable(path), _printable(reason), _printable(fix)
        with writing(self._engine) as connection:
            known = connection.execute(
                select(quarantine.c.reason).where(*_quarantined(tenant_id, path))
            ).scalar_one_or_none()
            values = {
                "reason": reason,
                "fix": fix,
                "actor": actor,
                "since": self._clock.now(),
                "found": _printable(found) or None,
            }
            upsert(connection, quarantine, {"tenant_id": tenant_id, "path": path, **values})
            if known != reason:
                payload = {"reason": reason, "fix": fix}
                event = sql_audit.Entry(
                    tenant_id, actor, "source.quarantined", "source", path, payload
                )
                sql_audit.append(connection, self._clock, [event])

    def clear_quarantine(self, tenant_id: str, path: str) -> None:
        path = _printable(path)
        with reading(self._engine) as connection:  # nearly always there is none: take no lock
            known = select(quarantine.c.path).where(*_quarantined(tenant_id, path))
            if connection.execute(known).first() is None:
                return
        with writing(self._engine) as connection:
            gone = connection.execute(delete(quarantine).where(*_quarantined(tenant_id, path)))
            if gone.rowcount:
                event = sql_audit.Entry(
                    tenant_id, "system", "source.quarantine_cleared", "source", path, {}
                )
                sql_audit.append(connection, self._clock, [event])


def _claim_sources(connection: Connection, batch: Sequence[DocumentVersion]) -> None:
    """Each source id and document id belongs to one tenant, the first to use it."""
    for document in batch:
        if "\0" in document.document_id + document.source_id:
            raise BadSource(
                repr(document.document_id), "the id holds a NUL character.", "Rename it."
            )
    owners = {document.source_id: document.tenant_id for document in batch}
    statement = insert(connection, sources).on_conflict_do_nothing()
    connection.execute(statement, [{"source_id": s, "tenant_id": t} for s, t in owners.items()])
    names = list(owners)
    for start in range(0, len(names), 500):
        part = names[start : start + 500]
        found = connection.execute(select(sources).where(sources.c.source_id.in_(part)))
        owners.update({row.source_id: row.tenant_id for row in found})
    for document in batch:
        _refuse_foreign(document, owners[document.source_id])


def _refuse_foreign(document: DocumentVersion, tenant_id: str) -> None:
    if document.tenant_id != tenant_id:
        raise BadSource(
            document.document_id, "this id cannot be used by your organisation.", "Rename it."
        )


def _stored_row(document: DocumentVersion, known: Row[Any] | None) -> dict[str, Any]:
    if known is not None:
        _refuse_foreign(document, known.tenant_id)
    same = known is not None and known.content_hash == document.content_hash
    kept, withdrawn = _kept(known) if known is not None and same else (OwnerChanges(), False)
    return {
        "document_id": document.document_id,
        "source_id": document.source_id,
        "tenant_id": document.tenant_id,
        "content_hash": document.content_hash,
        "indexed_hash": None,
        "index_version": None,
        "revision": known.revision + 1 if known is not None else 1,
        "withdrawn": withdrawn,
        "ingested_at": document.ingested_at,
        "title": document.title.replace("\0", ""),
        "governance": document.governance.model_dump_json(),
        "owner_changes": kept.model_dump_json(exclude_defaults=True),
        "body": body_of(document),
    }


def _kept(known: Row[Any]) -> tuple[OwnerChanges, bool]:
    """What holds on for the same content, and whether it stays withdrawn. A file that is there
    again undoes its absence.
    """
    changes = changes_of(known)
    if not changes.retired:
        return changes, bool(known.withdrawn)
    return changes.model_copy(update={"withdrawn_reason": "", "retired": False}), False


def _store(connection: Connection, rows: list[dict[str, Any]]) -> None:
    statement = insert(connection, documents)
    changed = {name: statement.excluded[name] for name in rows[0] if name != "document_id"}
    statement = statement.on_conflict_do_update(index_elements=["document_id"], set_=changed)
    connection.execute(statement, rows)


def _put_event(document: DocumentVersion, known: Row[Any] | None, actor: str) -> sql_audit.Entry:
    payload: dict[str, Any] = {
        "document_id": document.document_id,
        "version": document.governance.version,
        "status": document.governance.status,
        "content_hash": document.content_hash,
        "before": known.content_hash if known is not None else None,
    }
    if known is not None and known.withdrawn and changes_of(known).retired:
        payload["restored"] = True
    if known is not None and known.content_hash != document.content_hash:
        dropped = changes_of(known).model_dump(mode="json", exclude_defaults=True)
        if dropped:
            payload["owner_changes_dropped"] = dropped
        if known.withdrawn:
            payload["restored"] = True
    return sql_audit.Entry(
        document.tenant_id, actor, "source.put", "source", document.source_id, payload
    )


def _quarantined(tenant_id: str, path: str) -> tuple[Any, Any]:
    return quarantine.c.tenant_id == tenant_id, quarantine.c.path == path


def _printable(text: str) -> str:
    """File names may hold bytes that are no text; databases take none of them."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\0")
