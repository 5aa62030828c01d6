"""A shelf with one source in two versions. Unknown sources raise ``NotFound``."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from core.errors import CountersignError, NotAllowed, NotFound
from core.knowledge.duplicate_finder import DuplicateFindings
from core.knowledge.views import (
    DiffPart,
    LeaningReply,
    PassageRow,
    QuarantinedFile,
    SourcePage,
    SourceRow,
    VersionRow,
)
from core.models.review import SourceFlag
from core.models.source import DocumentVersion, Governance
from tests.fakes.fake_uploads import FakeUploads
from tests.pages.builders import NOW, POLICY, REFUNDS, day

TEXT = f"# Return policy\n\n{POLICY}\n\n## Refunds\n\n{REFUNDS}\n"


_NOTHING = DuplicateFindings(phase="done")


@dataclass
class FakeShelf:
    """``calls`` remembers every change with what it carried."""

    rows: tuple[SourceRow, ...] = field(
        default_factory=lambda: (a_row(), a_row("refunds", "fresh"))
    )
    can_change: bool = True
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    broken: CountersignError | None = None
    found: DuplicateFindings = _NOTHING
    uploads: FakeUploads | None = field(default_factory=FakeUploads)

    def due(self, owner: str | None = None) -> tuple[SourceRow, ...]:
        return tuple(r for r in self.sources(owner) if r.state != "fresh")

    def sources(self, owner: str | None = None) -> tuple[SourceRow, ...]:
        if self.broken:
            raise self.broken
        return tuple(r for r in self.rows if owner in (None, r.owner))

    def source(self, source_id: str, document_id: str | None = None) -> SourcePage:
        row = next((r for r in self.rows if r.source_id == source_id), None)
        if row is None:
            raise NotFound(f"There is no source {source_id!r}.")
        document_id = document_id or f"{source_id}@4.2"
        at = TEXT.index(POLICY)
        return SourcePage(
            source_id=source_id,
            row=row.model_copy(update={"can_change": self.can_change}),
            versions=(
                _version(source_id, "4.1", "replaced on 1 June 2025", 3),
                _version(source_id, "4.2", "in force", 14),
            ),
            document=a_document(source_id, document_id),
            withdrawn=False,
            passages=(
                PassageRow(
                    chunk_id=f"{source_id}#3",
                    heading_path=("Return policy", "Holiday returns"),
                    char_start=at,
                    char_end=at + len(POLICY),
                    text=POLICY,
                ),
            ),
            replies=(
                LeaningReply(
                    disposition_id="d1",
                    case_id="1042",
                    subject="Coat from the holiday sale",
                    approved_by="ana",
                    approved_at=NOW,
                    case_state="sent",
                    chunk_ids=(f"{source_id}#3",),
                ),
            ),
            flags=(a_flag(source_id),),
        )

    def diff(self, before_id: str, after_id: str) -> tuple[DiffPart, ...]:
        return (("same", "within "), ("removed", "30 days"), ("added", "45 days"))

    def flags(self, source_id: str | None = None) -> tuple[SourceFlag, ...]:
        return (a_flag("returns"),) if self.rows else ()

    def may_settle(self, flag: SourceFlag) -> bool:
        return self.can_change and flag.state == "open"

    def close_flag(self, flag_id: str, resolution: str) -> SourceFlag:
        self.calls.append(("close_flag", {"flag_id": flag_id, "resolution": resolution}))
        return a_flag("returns").model_copy(update={"state": "done", "resolution": resolution})

    def quarantine(self) -> tuple[QuarantinedFile, ...]:
        if not self.can_change:
            raise NotAllowed("Only knowledge owners and supervisors see the quarantine.")
        return (
            QuarantinedFile(
                path="incoming/scan.pdf",
                reason="no text on any page",
                fix="Run it through text recognition first.",
                since=NOW,
                taken_in_by="kim",
            ),
            QuarantinedFile(
                path="=incoming/toys.md",
                reason="'owner' is missing",
                fix="name one",
                since=NOW,
                taken_in_by="omar",
                can_fix=True,
            ),
        )

    def duplicates(self) -> DuplicateFindings:
        return self.found

    def look_for_duplicates_again(self) -> None:
        self.calls.append(("look_again", {}))

    def dismiss_quarantined(self, path: str, reason: str) -> None:
        self.calls.append(("dismiss_quarantined", {"path": path, "reason": reason}))

    def mark_reviewed(
        self, source_id: str, document_id: str, note: str = "", *, content_hash: str | None = None
    ) -> SourcePage:
        self.calls.append(("mark_reviewed", {"note": note, "content_hash": content_hash}))
        return self.source(source_id, document_id)

    def supersede(self, document_id: str, *, by: str, on: date | None = None) -> SourcePage:
        self.calls.append(("supersede", {"by": by, "on": on}))
        return self.source(document_id.split("@")[0])

    def withdraw(self, document_id: str, *, reason: str) -> SourcePage:
        self.calls.append(("withdraw", {"reason": reason}))
        return self.source(document_id.split("@")[0])


def a_row(source_id: str = "returns", state: str = "stale") -> SourceRow:
    """A source, past its review date unless said otherwise."""
    return SourceRow.model_validate(
        {
            "source_id": source_id,
            "document_id": f"{source_id}@4.2",
            "title": "Return policy" if source_id == "returns" else "Refund procedure",
            "version": "4.2",
            "owner": "kim",
            "authority": "official_policy",
            "state": state,
            "words": "stale by 110 days, 14 replies in the last 30 days"
            if state == "stale"
            else "reviewed 12 days ago",
            "last_reviewed": day(200),
            "due_on": day(110),
            "replies_last_30_days": 14,
            "open_flags": 1 if state == "stale" else 0,
            "can_change": True,
        }
    )


def a_document(source_id: str, document_id: str) -> DocumentVersion:
    """The text of a version."""
    return DocumentVersion(
        document_id=document_id,
        source_id=source_id,
        tenant_id="athena",
        title="Return policy",
        text=TEXT,
        original_text=TEXT,
        governance=Governance(owner="kim", authority="official_policy", version="4.2"),
        content_hash="c0ffee",
    )


def a_flag(source_id: str) -> SourceFlag:
    """An agent's doubt."""
    return SourceFlag(
        flag_id="flag_1",
        tenant_id="athena",
        source_id=source_id,
        document_id=f"{source_id}@4.2",
        chunk_id=f"{source_id}#3",
        case_id="1042",
        claim="within 45 days",
        reason="Stores say 60 days at the till.",
        raised_by="ana",
        raised_at=NOW,
    )


def _version(source_id: str, version: str, words: str, replies: int) -> VersionRow:
    return VersionRow(
        document_id=f"{source_id}@{version}",
        version=version,
        status="active" if words == "in force" else "superseded",
        valid_from=day(500),
        valid_to=None,
        withdrawn=False,
        words=words,
        replies=replies,
    )
