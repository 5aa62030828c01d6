"""What the upload screen shows: frozen values, ready to lay out."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from core.knowledge.upload_models import DraftState, DroppedFile
from core.knowledge.views import DiffPart, LeaningReply, OpenDraft
from core.models.base import Model
from core.models.source import PassageKind

FieldKind = Literal["text", "choice", "date", "number", "yes_no"]


class Limits(Model):
    """What may be dropped: the largest file in megabytes, the suffixes that are read."""

    max_file_mb: int
    suffixes: tuple[str, ...]


class Choice(Model):
    """One value a field may have, and the words for it."""

    value: str
    words: str


class Problem(Model):
    """What stands between a draft and its publication. ``field`` is empty for the whole of it.

    One that is not ``blocking`` is only worth saying.
    """

    field: str
    reason: str
    fix: str
    blocking: bool = True


class FieldView(Model):
    """One field of the form with its present value as text.

    ``origin`` says where the value came from: ``file``, ``edited``, ``version before`` or
    ``default``.
    """

    name: str
    label: str
    kind: FieldKind
    value: str
    origin: str = "default"
    choices: tuple[Choice, ...] = ()
    help: str = ""
    main: bool = True
    problems: tuple[Problem, ...] = ()


class DraftRow(Model):
    """One line of the list of drafts. ``words`` says the state."""

    upload_id: str
    title: str
    item: str
    file_name: str
    state: DraftState
    words: str
    uploaded_by: str
    updated_at: datetime
    document_id: str = ""
    source_id: str = ""
    identical: bool = False
    can_undo: bool = False


class CutPassage(Model):
    """A passage as it will be cut. ``size`` is in words; a Chinese character is a part of one."""

    ordinal: int
    heading_path: tuple[str, ...]
    kind: PassageKind
    text: str
    char_start: int
    char_end: int
    page_start: int | None
    page_end: int | None
    size: int


class StandingText(Model):
    """A stretch that stands word for word in a source the reader may open."""

    text: str
    char_start: int
    source_id: str
    document_id: str
    title: str


class SourceOption(Model):
    """A known source the upload may be a version of, and why it is offered (empty: no reason)."""

    source_id: str
    title: str
    version: str
    document_id: str
    reason: str = ""


class FieldChange(Model):
    """A governance field that differs from the version before."""

    label: str
    before: str
    after: str


class Replacement(Model):
    """What publishing does to the version in force, and what leans on it."""

    source_id: str
    document_id: str
    title: str
    version: str
    on: date
    diff: tuple[DiffPart, ...]
    changes: tuple[FieldChange, ...]
    replies: tuple[LeaningReply, ...]
    open_drafts: tuple[OpenDraft, ...]
    same_text: bool = False


class DraftPage(Model):
    """An upload as its owner opens it: what was read, the form, and what publishing will do.

    ``blocked_by`` are the reasons why it cannot be published; empty when it can.
    """

    row: DraftRow
    revision: int
    text: str
    media_type: str
    pages: int
    language: str
    warnings: tuple[str, ...]
    passages: tuple[CutPassage, ...]
    more_passages: bool = False
    """The text is longer: ``passages`` are those of its beginning."""
    standing: tuple[StandingText, ...]
    fields: tuple[FieldView, ...]
    options: tuple[SourceOption, ...]
    chosen: str
    identical: SourceOption | None = None
    replacement: Replacement | None = None
    blocked_by: tuple[Problem, ...] = ()
    siblings: int = 0
    """Other open drafts of the same dropped file."""


class UploadList(Model):
    """What waits: files being read or failed, drafts to finish, and what was published lately."""

    files: tuple[DroppedFile, ...] = ()
    drafts: tuple[DraftRow, ...] = ()
    published: tuple[DraftRow, ...] = ()
