"""A desk for uploads with one draft of each kind. Unknown ones raise ``NotFound``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.errors import NotFound
from core.knowledge.upload_models import NEW_SOURCE, DroppedFile
from core.knowledge.upload_views import (
    Choice,
    CutPassage,
    DraftPage,
    DraftRow,
    FieldChange,
    FieldView,
    Limits,
    Problem,
    Replacement,
    SourceOption,
    StandingText,
    UploadList,
)
from core.knowledge.upload_worker import Work
from core.knowledge.views import LeaningReply, OpenDraft
from tests.pages.builders import NOW, day

HOSTILE = "![x](http://tracker.example/a) <img src=x> $5 and $6"
TEXT = f"# Returns\n\nWithin 45 days. {HOSTILE}\n\n| Kind | Days |\n| --- | --- |\n| coat | 45 |\n"
NO_OWNER = Problem(
    field="owner", reason="nobody here answers for 'bob'", fix="name a person or a department"
)
RETURNS = SourceOption(
    source_id="returns",
    title="Return policy",
    version="4.2",
    document_id="returns@4.2",
    reason="it has the same title",
)


_IDLE = Work(running=False, reading="", publishing=None, trouble="")
_LIMITS = Limits(max_file_mb=20, suffixes=(".md", ".pdf", ".txt"))


@dataclass
class FakeUploads:
    """``calls`` remembers every change with what it carried."""

    drafts: dict[str, DraftPage] = field(
        default_factory=lambda: {"up_1": a_draft_page("up_1"), "up_2": a_version_page("up_2")}
    )
    files: tuple[DroppedFile, ...] = ()
    published: tuple[DraftRow, ...] = ()
    doing: Work = _IDLE
    calls: list[tuple[Any, ...]] = field(default_factory=list)
    limits: Limits = _LIMITS

    def receive(self, name: str, data: bytes) -> DroppedFile:
        self.calls.append(("receive", name, data))
        return a_file(name=name)

    def uploads(self) -> UploadList:
        return UploadList(
            files=self.files,
            drafts=tuple(page.row for page in self.drafts.values()),
            published=self.published,
        )

    def work(self) -> Work:
        return self.doing

    def try_again(self) -> None:
        self.calls.append(("try_again",))

    def dismiss_file(self, file_id: str) -> None:
        self.calls.append(("dismiss_file", file_id))

    def open(self, upload_id: str) -> DraftPage:
        if upload_id not in self.drafts:
            raise NotFound("There is no such upload.")
        return self.drafts[upload_id]

    def edit(self, upload_id: str, name: str, value: str) -> None:
        self.calls.append(("edit", upload_id, name, value))

    def choose_source(self, upload_id: str, source_id: str) -> None:
        self.calls.append(("choose_source", upload_id, source_id))

    def share_fields(self, upload_id: str) -> int:
        self.calls.append(("share_fields", upload_id))
        return 1

    def discard(self, upload_id: str) -> None:
        self.calls.append(("discard", upload_id))

    def discard_identical(self) -> int:
        self.calls.append(("discard_identical",))
        return 1

    def publish(self, upload_id: str, *, revision: int) -> None:
        self.calls.append(("publish", upload_id, revision))

    def publish_ready(self) -> int:
        self.calls.append(("publish_ready",))
        return len(self.drafts)

    def undo(self, upload_id: str, reason: str = "") -> None:
        self.calls.append(("undo", upload_id, reason))

    def fix_quarantined(self, path: str) -> str:
        self.calls.append(("fix_quarantined", path))
        return "up_1"


def a_file(**fields: Any) -> DroppedFile:
    """A dropped file that waits to be read."""
    return DroppedFile(
        **{
            "file_id": "file_1",
            "tenant_id": "athena",
            "name": "returns.md",
            "bytes_hash": "b",
            "size": 10,
            "uploaded_by": "kim",
            "uploaded_at": NOW,
            **fields,
        }
    )


def a_row(upload_id: str = "up_1", **fields: Any) -> DraftRow:
    """A draft in the list."""
    return DraftRow(
        **{
            "upload_id": upload_id,
            "title": f"Returns {HOSTILE}",
            "item": "returns.md",
            "file_name": "returns.md",
            "state": "needs_metadata",
            "words": "needs a look",
            "uploaded_by": "kim",
            "updated_at": NOW,
            **fields,
        }
    )


def a_draft_page(upload_id: str = "up_1", **fields: Any) -> DraftPage:
    """A source of its own whose owner nobody knows."""
    return DraftPage(
        **{
            "row": a_row(upload_id),
            "revision": 3,
            "text": TEXT,
            "media_type": "text/markdown",
            "pages": 2,
            "language": "en",
            "warnings": (f"hidden elements were dropped {HOSTILE}",),
            "passages": (
                a_passage("Within 45 days.", kind="prose"),
                a_passage("| Kind | Days |\n| --- | --- |\n| coat | 45 |", kind="table", ordinal=1),
            ),
            "standing": (
                StandingText(
                    text="Within 45 days.",
                    char_start=11,
                    source_id="faq",
                    document_id="faq@1",
                    title="FAQ",
                ),
            ),
            "fields": some_fields(),
            "options": (RETURNS,),
            "chosen": NEW_SOURCE,
            "blocked_by": (NO_OWNER,),
            **fields,
        }
    )


def a_version_page(upload_id: str = "up_2", **fields: Any) -> DraftPage:
    """A new version of a known source, ready to publish."""
    return a_draft_page(
        upload_id,
        **{
            "row": a_row(upload_id, state="ready", words="ready to publish"),
            "chosen": "returns",
            "blocked_by": (),
            "fields": tuple(f.model_copy(update={"problems": ()}) for f in some_fields()),
            "replacement": Replacement(
                source_id="returns",
                document_id="returns@4.2",
                title="Return policy",
                version="4.2",
                on=day(0),
                diff=(("same", "within "), ("removed", "30 days"), ("added", "45 days")),
                changes=(FieldChange(label="Region", before="", after="Canada"),),
                replies=(
                    LeaningReply(
                        disposition_id="d1",
                        case_id="1042",
                        subject="Coat from the holiday sale",
                        approved_by="ana",
                        approved_at=NOW,
                        case_state="sent",
                        chunk_ids=("returns#3",),
                    ),
                ),
                open_drafts=(
                    OpenDraft(
                        case_id="1050", draft_id="d9", subject="A late scarf", case_state="drafted"
                    ),
                ),
            ),
            **fields,
        },
    )


def a_passage(text: str, **fields: Any) -> CutPassage:
    """A passage on page 2."""
    return CutPassage(
        **{
            "ordinal": 0,
            "heading_path": ("Returns", "Window"),
            "kind": "prose",
            "text": text,
            "char_start": 0,
            "char_end": len(text),
            "page_start": 2,
            "page_end": 2,
            "size": 3,
            **fields,
        }
    )


def some_fields() -> tuple[FieldView, ...]:
    """One field of every kind."""
    return (
        FieldView(name="title", label="Title", kind="text", value="Returns"),
        FieldView(
            name="owner",
            label="Owner",
            kind="choice",
            value="bob",
            choices=(Choice(value="kim", words="Kim Sørensen"), Choice(value="bob", words="bob")),
            problems=(NO_OWNER,),
        ),
        FieldView(
            name="status",
            label="Status",
            kind="choice",
            value="active",
            choices=(Choice(value="active", words="in force"),),
        ),
        FieldView(name="valid_from", label="Holds from", kind="date", value="2026-11-30"),
        FieldView(name="valid_to", label="Holds until", kind="date", value="soon", main=False),
        FieldView(name="review_sla_days", label="Review every", kind="number", value="90"),
        FieldView(name="signed", label="Signed", kind="yes_no", value="yes", main=False),
    )
