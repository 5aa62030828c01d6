"""Lays a draft and its plan out for the screen."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from datetime import date
from threading import Lock

from core.knowledge.diff import version_diff
from core.knowledge.upload_form import LABELS, Asker, fields_of
from core.knowledge.upload_match import Known
from core.knowledge.upload_models import NEW_SOURCE, FullDraft, UploadDraft
from core.knowledge.upload_plan import Plan, same_words
from core.knowledge.upload_views import (
    CutPassage,
    DraftPage,
    DraftRow,
    FieldChange,
    Replacement,
    SourceOption,
    StandingText,
)
from core.knowledge.views import LeaningReply, OpenDraft
from core.models.source import DocumentVersion, Passage
from core.ports import TokenCounter
from core.sources.chunk import chunk
from core.sources.measure import size

CUT_UP_TO = 150_000
"""Characters of a text that are cut to be looked at; publishing cuts all of it."""

_STATES = {
    "ready": "ready to publish",
    "queued": "being published",
    "published": "published",
    "discarded": "discarded",
    "failed": "could not be read",
}


class Cuts:
    """The passages of drafts on the screen, kept while somebody looks at them. Thread-safe."""

    def __init__(self, tokens: TokenCounter | None, *, kept: int = 32) -> None:
        self._tokens, self._kept = tokens, kept
        self._held: OrderedDict[tuple[str, str], tuple[Passage, ...]] = OrderedDict()
        self._lock = Lock()

    def of(self, upload_id: str, version: DocumentVersion) -> tuple[Passage, ...]:
        """The passages of an upload's text under this title; the text of an upload is fixed."""
        key = (upload_id, version.title)
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]
        # Somebody waits for the page: of a very long text the beginning must do.
        passages = chunk(_beginning(version), self._tokens)
        with self._lock:
            self._held[key] = passages
            while len(self._held) > self._kept:
                self._held.popitem(last=False)
        return passages


def _beginning(version: DocumentVersion) -> DocumentVersion:
    if len(version.text) <= CUT_UP_TO:
        return version
    end = version.text.rfind("\n\n", 0, CUT_UP_TO)
    return version.model_copy(update={"text": version.text[: end if end > 0 else CUT_UP_TO]})


def row_of(draft: UploadDraft, *, mine: bool) -> DraftRow:
    """A draft as a line of the list."""
    title = draft.edited.get("title") or draft.stated.get("title") or draft.title
    return DraftRow(
        upload_id=draft.upload_id,
        title=title,
        item=draft.item,
        file_name=draft.file_name,
        state=draft.state,
        words=_state_words(draft),
        uploaded_by=draft.uploaded_by,
        updated_at=draft.updated_at,
        document_id=draft.document_id,
        source_id=draft.source_id,
        identical=draft.identical,
        can_undo=mine and draft.state == "published",
    )


def _state_words(draft: UploadDraft) -> str:
    if draft.state == "needs_metadata" and draft.identical:
        return "already published"
    if draft.state == "needs_metadata":
        return f"sent back: {draft.problem}" if draft.problem else "needs a look"
    if draft.state == "discarded" and draft.problem:
        return draft.problem
    return _STATES[draft.state]


def passages_of(passages: Sequence[Passage]) -> tuple[CutPassage, ...]:
    """The passages as they will be cut."""
    return tuple(
        CutPassage(
            ordinal=p.ordinal,
            heading_path=p.heading_path,
            kind=p.kind,
            text=p.text,
            char_start=p.char_start,
            char_end=p.char_end,
            page_start=p.page_start,
            page_end=p.page_end,
            size=max(1, round(size(p.text))),
        )
        for p in passages
    )


def standing_of(full: FullDraft, sources: Known, chosen: str) -> tuple[StandingText, ...]:
    """What stands in other sources the reader may open; the chosen source is no surprise."""
    return tuple(_standing(full, sources, chosen))


def _standing(full: FullDraft, sources: Known, chosen: str) -> Iterator[StandingText]:
    for repeat in full.draft.repeats:
        found = (sources.documents.get(name) for name in repeat.document_ids)
        others = (v for v in found if v and v.source_id != chosen and not v.withdrawn)
        held = next(others, None)
        if held is not None:
            yield StandingText(
                text=full.version.text[repeat.start : repeat.end],
                char_start=repeat.start,
                source_id=held.source_id,
                document_id=held.document_id,
                title=held.title,
            )


def replacement_of(
    full: FullDraft,
    plan: Plan,
    old: DocumentVersion,
    replies: tuple[LeaningReply, ...],
    open_drafts: tuple[OpenDraft, ...],
    today: date,
) -> Replacement:
    """What publishing does to the version in force."""
    return Replacement(
        source_id=old.source_id,
        document_id=old.document_id,
        title=old.title,
        version=old.governance.version,
        on=_day(plan.values["valid_from"]) or today,
        diff=version_diff(old.text, full.version.text),
        changes=tuple(_changes(plan, old)),
        replies=replies,
        open_drafts=open_drafts,
        same_text=same_words(old.text, full.version.text),
    )


def _changes(plan: Plan, old: DocumentVersion) -> Iterator[FieldChange]:
    held = old.governance.model_dump(mode="json")
    before = {"title": old.title, **{n: _said(held.get(n)) for n in plan.values if n != "title"}}
    for name, after in plan.values.items():
        unset = name == "permission_tag" and not after
        if before[name] != after and not unset:
            yield FieldChange(label=LABELS[name], before=before[name], after=after)


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _day(value: str) -> date | None:
    try:
        return date.fromisoformat(value)
    except ValueError:
        return None


def page_of(
    full: FullDraft,
    plan: Plan,
    asker: Asker,
    *,
    row: DraftRow,
    options: tuple[SourceOption, ...],
    passages: tuple[CutPassage, ...],
    standing: tuple[StandingText, ...],
    replacement: Replacement | None,
    siblings: int,
) -> DraftPage:
    """The whole of a draft as the screen shows it."""
    draft = full.draft
    return DraftPage(
        row=row,
        revision=draft.revision,
        text=full.version.text,
        media_type=full.version.media_type,
        pages=len(full.version.page_starts),
        language=draft.language,
        warnings=draft.warnings,
        passages=passages,
        more_passages=len(full.version.text) > CUT_UP_TO,
        standing=standing,
        fields=fields_of(plan.values, plan.origins, plan.problems, asker),
        options=options,
        chosen=plan.chosen,
        identical=_same_as(plan),
        replacement=replacement,
        blocked_by=plan.blocking,
        siblings=siblings,
    )


def _same_as(plan: Plan) -> SourceOption | None:
    if not plan.identical or plan.chosen == NEW_SOURCE:
        return None
    return next((o for o in plan.suggestions if o.source_id == plan.chosen), None)
