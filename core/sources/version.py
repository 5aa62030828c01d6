"""What a found document becomes: a version with cleaned text, governance and hash."""

from __future__ import annotations

import hashlib
import json

from core.errors import BadSource
from core.models.source import DocumentVersion
from core.ports import Clock
from core.sources.clean import Cleaned
from core.sources.cleaning import cleaned_text
from core.sources.documents import FoundDocument
from core.sources.governance import GovernanceRules, read_governance, warnings_of
from core.sources.hidden import INVISIBLE
from core.sources.layers import stated
from core.sources.traced import to_clean

_LONGEST_ID = 500
_LONGEST_TITLE = 300


def to_version(
    found: FoundDocument,
    *,
    tenant_id: str,
    actor: str,
    clock: Clock,
    rules: GovernanceRules | None = None,
) -> tuple[DocumentVersion, tuple[str, ...]]:
    """The document version that ``found`` becomes, and warnings. Raises ``BadSource``.

    ``rules`` hold its governance against what the tenant knows.
    """
    _refuse_unusable(found)
    cleaned = cleaned_text(found)
    if not any(letter.isalnum() for letter in cleaned.text):
        raise BadSource(found.item, "there is no text in it to read", "add the text")
    fields = stated(found.fields, found.fallback)
    name = found.document_id
    governance = read_governance(
        found.item, fields, owner=actor, text=cleaned.text, rules=rules, document_id=name
    )
    version = DocumentVersion(
        document_id=name,
        source_id=found.source_id,
        tenant_id=tenant_id,
        title=_title(found),
        text=cleaned.text,
        original_text=found.original,
        span_map=cleaned.span_map,
        media_type=found.media_type,
        governance=governance,
        page_starts=_pages(found, cleaned),
        content_hash="",
        ingested_at=clock.now(),
    )
    hashed = version.model_copy(update={"content_hash": content_hash(version)})
    doubts = warnings_of(fields, rules, document_id=name)
    return hashed, found.warnings + cleaned.warnings + doubts


def content_hash(version: DocumentVersion) -> str:
    """Covers text, title, names and governance; equal hashes mean nothing needs doing."""
    relevant = version.model_dump(
        mode="json", exclude={"content_hash", "ingested_at", "span_map", "page_starts"}
    )
    canonical = json.dumps(relevant, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def _refuse_unusable(found: FoundDocument) -> None:
    for name in (found.document_id, found.source_id):
        if not name.isprintable() or "\ufffd" in name or len(name) > _LONGEST_ID:
            raise BadSource(
                found.item,
                f"the id {name[:80]!r} is too long or holds characters that cannot be printed",
                f"use at most {_LONGEST_ID} letters, digits and signs",
            )


def _title(found: FoundDocument) -> str:
    """On one line, without what would reorder it or hide in it; never empty."""
    words = " ".join(INVISIBLE.sub("", found.title).split())[:_LONGEST_TITLE]
    return words or found.document_id


def _pages(found: FoundDocument, cleaned: Cleaned) -> tuple[int, ...]:
    """Where the pages begin in the cleaned text; nothing comes before page 1."""
    starts = [to_clean(cleaned.span_map, start) for start in found.page_starts]
    return tuple(min(start, len(cleaned.text)) for start in [0, *starts[1:]]) if starts else ()
