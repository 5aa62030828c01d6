"""Turns a dropped file into drafts. Runs beside the screens; what it finds is stored at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from core.errors import BadSource
from core.knowledge.overlap import SharedText
from core.knowledge.store import SourceCatalog
from core.knowledge.upload_form import Asker, AskerOf, preset_for
from core.knowledge.upload_match import Known
from core.knowledge.upload_models import DroppedFile, FullDraft, UploadDraft
from core.knowledge.upload_plan import plan_of, readable, texts
from core.models.source import DocumentVersion, IngestFailure
from core.ports import Clock, Ids
from core.sources.documents import Found, FoundDocument
from core.sources.governance import canonical
from core.sources.instructions import find_in, warnings_of
from core.sources.layers import stated
from core.sources.measure import size
from core.sources.version import to_version

ReadFile = Callable[[str, bytes], Iterable[Found]]
"""Reads a file by its name and bytes. What cannot be read comes back as an ``IngestFailure``."""

_FRONT_MATTER = re.compile(r"\A\ufeff?\s*---[ \t]*\r?\n.*?^---[ \t]*(?:\r?\n|\Z)", re.S | re.M)
_MARKDOWN = (".md", ".markdown", ".mdx")


class _Around(NamedTuple):
    """What is the same for all documents of a file: whose it is, and what stands already."""

    tenant_id: str
    asker: Asker
    sources: Known


class UploadReader:
    """Reads one file into drafts. Stateless but for what it reads with."""

    def __init__(
        self,
        read: ReadFile,
        shared: SharedText,
        *,
        registry: SourceCatalog,
        asker_of: AskerOf,
        clock: Clock,
        ids: Ids,
    ) -> None:
        self._read, self._shared, self._asker_of = read, shared, asker_of
        self._registry = registry
        self._clock, self._ids = clock, ids

    def drafts_of(
        self, file: DroppedFile, data: bytes
    ) -> tuple[DroppedFile, tuple[FullDraft, ...]]:
        """The file as read (or failed, saying why) and a draft for each document in it."""
        drafts: list[FullDraft] = []
        failures: list[IngestFailure] = []
        warnings: list[str] = []
        around = self._around(file.tenant_id, file.uploaded_by)
        for found in self._found(file, data):
            if isinstance(found, IngestFailure):
                failures.append(found)
            elif isinstance(found, FoundDocument):
                self._take(file, found, around, drafts, failures)
            else:
                warnings.append(f"{found.item}: {found.message}")
        warnings += [f"{f.path}: {f.reason}" for f in failures] if drafts else []
        return _finished(file, drafts, failures, warnings), tuple(drafts)

    def from_found(self, found: FoundDocument, *, tenant_id: str, actor: str) -> FullDraft:
        """The draft of one document that was read. Raises ``BadSource`` when it has no text."""
        return self._draft(found, self._around(tenant_id, actor), "")

    def _around(self, tenant_id: str, actor: str) -> _Around:
        asker = self._asker_of(actor)
        self._shared.keep_up(tenant_id)
        return _Around(tenant_id, asker, readable(self._registry, asker))

    def _draft(self, found: FoundDocument, around: _Around, file_id: str) -> FullDraft:
        bare = found.model_copy(update={"fields": {}, "fallback": {}})
        actor, tenant_id = around.asker.user.user_id, around.tenant_id
        version, warnings = to_version(bare, tenant_id=tenant_id, actor=actor, clock=self._clock)
        shared = self._shared.look(version.text)
        fields = _as_text(canonical(stated(found.fields, found.fallback)))
        now = self._clock.now()
        draft = UploadDraft(
            upload_id=self._ids.new("upload"),
            tenant_id=tenant_id,
            file_id=file_id,
            file_name=found.item,
            item=found.item,
            title=found.title,
            uploaded_by=actor,
            created_at=now,
            updated_by=actor,
            updated_at=now,
            named_id=found.document_id,
            named_source=found.source_id,
            preset=preset_for(around.asker, fields),
            stated=fields,
            language=version.governance.language,
            words=round(size(version.text)),
            warnings=warnings + warnings_of(find_in(version)),
            overlaps=shared.overlaps,
            repeats=shared.repeats,
        )
        full = FullDraft(draft=draft, version=_light(version))
        plan = plan_of(full, around.asker, around.sources, texts(self._registry))
        settled = draft.changed(state=plan.state, identical=plan.identical)
        return full.model_copy(update={"draft": settled})

    def _found(self, file: DroppedFile, data: bytes) -> list[Found]:
        """What the reader gives; a text whose front matter alone is bad comes without it."""
        found = list(self._read(file.name, data))
        if len(found) == 1 and isinstance(found[0], IngestFailure):
            return self._without_front_matter(file, data, found[0]) or found
        return found

    def _without_front_matter(
        self, file: DroppedFile, data: bytes, failure: IngestFailure
    ) -> list[Found]:
        text = data.decode("utf-8", "replace")
        block = _FRONT_MATTER.match(text)
        if block is None or not file.name.lower().endswith(_MARKDOWN) or "\ufffd" in text:
            return []
        body = text[block.end() :].encode()
        kept = [f for f in self._read(file.name, body) if isinstance(f, FoundDocument)]
        words = f"its front matter was left out: {failure.reason}. Fill the fields in below"
        return [f.model_copy(update={"warnings": (words, *f.warnings)}) for f in kept]

    def _take(
        self,
        file: DroppedFile,
        found: FoundDocument,
        around: _Around,
        drafts: list[FullDraft],
        failures: list[IngestFailure],
    ) -> None:
        try:
            full = self._draft(found, around, file.file_id)
        except BadSource as error:
            failures.append(IngestFailure(path=found.item, reason=error.reason, fix=error.fix))
            return
        drafts.append(full.model_copy(update={"draft": full.draft.changed(file_name=file.name)}))


def _finished(
    file: DroppedFile,
    drafts: list[FullDraft],
    failures: list[IngestFailure],
    warnings: list[str],
) -> DroppedFile:
    worst = failures[0] if failures and not drafts else None
    if not drafts and worst is None:
        worst = IngestFailure(
            path=file.name, reason="there is no document in it", fix="add text and drop it again"
        )
    return file.model_copy(
        update={
            "state": "failed" if worst else "read",
            "reason": worst.reason if worst else "",
            "fix": worst.fix if worst else "",
            "warnings": tuple(warnings),
            "documents": len(drafts),
        }
    )


def _light(version: DocumentVersion) -> DocumentVersion:
    return version.model_copy(update={"content_hash": ""})


def _as_text(fields: Mapping[str, object]) -> dict[str, str]:
    return {
        str(name): ("yes" if value else "no") if isinstance(value, bool) else str(value).strip()
        for name, value in fields.items()
        if value is not None
    }
