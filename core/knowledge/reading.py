"""What one user may see of the sources: rows, pages, flags. Reads only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import Required, TypedDict

from core.errors import NotAllowed, NotFound
from core.identity.access import answers_for, may_read
from core.knowledge import present
from core.knowledge.diff import version_diff
from core.knowledge.store import Demand, SourceCatalog
from core.knowledge.views import (
    DiffPart,
    LeaningReply,
    PassageRow,
    QuarantinedFile,
    SourceListing,
    SourcePage,
    SourceRow,
)
from core.models.access import Action, SecurityContext, User
from core.models.review import SourceFlag
from core.models.source import DocumentVersion
from core.ports import Clock, PassageIndex, TokenCounter
from core.sources.governance_rules import class_of_tag

_SEES_REPLIES: tuple[Action, ...] = ("review", "own_knowledge", "supervise", "administer")
_CHANGES_ANY: tuple[Action, ...] = ("supervise", "administer")


class ReaderParts(TypedDict, total=False):
    """What a reader is made of."""

    user: Required[User]
    context: Required[SecurityContext]
    registry: Required[SourceCatalog]
    clock: Required[Clock]
    index: PassageIndex | None
    tokens: TokenCounter | None


class SourceReader:
    """The sources as one signed-in user may see them. What the rights hide is not even counted."""

    def __init__(
        self,
        *,
        user: User,
        context: SecurityContext,
        registry: SourceCatalog,
        clock: Clock,
        index: PassageIndex | None = None,
        tokens: TokenCounter | None = None,
    ) -> None:
        self.user = user
        self._context = context
        self._registry = registry
        self._clock = clock
        self._index = index
        self._tokens = tokens

    def due(self, owner: str | None = None) -> tuple[SourceRow, ...]:
        """Sources in force that are stale, due soon, never reviewed or flagged, most urgent first.

        Urgency is demand × risk × age. ``owner`` keeps one owner's sources.
        """
        rows = self._rows(owner, only_in_force=True)
        return tuple(row for row in rows if row.state != "fresh" or row.open_flags)

    def sources(self, owner: str | None = None) -> tuple[SourceRow, ...]:
        """Every source this user may read: those that need a review first, most urgent first."""
        rows = self._rows(owner, only_in_force=False)
        return tuple(sorted(rows, key=lambda row: row.state == "fresh"))

    def source(self, source_id: str, document_id: str | None = None) -> SourcePage:
        """A source at one version (the one in force by default). Raises ``NotFound``."""
        versions = self._versions(source_id)
        if not versions:
            raise NotFound(f"There is no source {source_id!r}.")
        today = self._today()
        chosen = present.shown_version(versions, today)
        if document_id is not None:
            chosen = _named(versions, document_id)
        replies = {v.document_id: self._registry.replies(v.document_id) for v in versions}
        leaning = replies[chosen.document_id] if self._may_any(_SEES_REPLIES) else ()
        return SourcePage(
            source_id=source_id,
            row=self._row(versions, self._demand(), self._open_flags(versions, source_id)),
            versions=tuple(
                present.version_row(v, len(replies[v.document_id]), today) for v in versions
            ),
            document=self._document(chosen.document_id),
            withdrawn=chosen.withdrawn,
            passages=self._passages(chosen.document_id, leaning),
            replies=leaning,
            flags=self.flags(source_id),
        )

    def diff(self, before_id: str, after_id: str) -> tuple[DiffPart, ...]:
        """What changed from one version to another, line by line and word by word."""
        return version_diff(self._document(before_id).text, self._document(after_id).text)

    def flags(self, source_id: str | None = None) -> tuple[SourceFlag, ...]:
        """Flags on passages of sources this user may read, newest first."""
        if not self._may_any(_SEES_REPLIES):
            return ()
        return self._visible_flags(self._versions(source_id), source_id)

    def quarantine(self) -> tuple[QuarantinedFile, ...]:
        """Files that could not be taken in, with the fix. Raises ``NotAllowed`` for others."""
        self._owners_only("the quarantine")
        found = self._registry.quarantined(self._context.tenant_id)
        return tuple(file for file in found if self._may_see(file))

    def beyond_rights(self) -> frozenset[str]:
        """Ids of sources and versions, and quarantined paths, that this user may not know of."""
        tenant_id = self._context.tenant_id
        listed = self._registry.list_sources(tenant_id)
        readable = [v for v in listed if may_read(self._context, v.tenant_id, v.governance)]
        shown = {v.source_id for v in readable} | {v.document_id for v in readable}
        every = {v.source_id for v in listed} | {v.document_id for v in listed}
        paths = {f.path for f in self._registry.quarantined(tenant_id) if not self._may_see(f)}
        return frozenset((every - shown) | paths)

    def _owners_only(self, what: str) -> None:
        if not self._may_any(("own_knowledge", *_CHANGES_ANY)):
            raise NotAllowed(f"Only knowledge owners and supervisors see {what}.")

    def _may_see(self, file: QuarantinedFile) -> bool:
        """A file that says who may read it is shown to them and to whoever took it in."""
        context, stated = self._context, file.stated
        if file.taken_in_by == context.user_id:
            return True
        tag, policy = stated.get("permission_tag"), stated.get("acl_policy_id")
        level = stated.get("classification") or (class_of_tag(tag) if tag else None)
        return (level is None or level in context.allowed_classifications) and (
            policy is None or policy in context.allowed_acl_policy_ids
        )

    def _rows(self, owner: str | None, *, only_in_force: bool) -> list[SourceRow]:
        listed = self._versions()
        demand, flags, today = self._demand(), self._open_flags(listed), self._today()
        rows = []
        for _, group in groupby(listed, key=lambda listing: listing.source_id):
            versions = list(group)
            if only_in_force and present.in_force(versions, today) is None:
                continue
            if owner is None or self._is_owner(owner, present.shown_version(versions, today)):
                rows.append(self._row(versions, demand, flags))
        return sorted(rows, key=lambda row: (-row.urgency, row.title, row.source_id))

    def _row(
        self,
        versions: Sequence[SourceListing],
        demand: Mapping[str, Demand],
        flags: Mapping[str, int],
    ) -> SourceRow:
        shown = present.shown_version(versions, self._today())
        return present.source_row(
            versions,
            demand,
            today=self._today(),
            open_flags=flags.get(shown.source_id, 0),
            can_change=self._may_change(shown),
        )

    def _passages(
        self, document_id: str, replies: Sequence[LeaningReply]
    ) -> tuple[PassageRow, ...]:
        if self._index is None:
            return ()
        leaned_on = Counter(chunk_id for reply in replies for chunk_id in reply.chunk_ids)
        return tuple(
            PassageRow(
                chunk_id=passage.chunk_id,
                heading_path=passage.heading_path,
                char_start=passage.char_start,
                char_end=passage.char_end,
                text=passage.text,
                replies=leaned_on[passage.chunk_id],
            )
            for passage in self._index.passages_of(document_id)
        )

    def _versions(self, source_id: str | None = None) -> list[SourceListing]:
        """Versions this user may read, by source, oldest first."""
        tenant_id = self._context.tenant_id
        found = self._registry.list_sources(tenant_id, source_id)
        return [v for v in found if may_read(self._context, v.tenant_id, v.governance)]

    def _document(self, document_id: str) -> DocumentVersion:
        found = self._registry.get(document_id)
        if found is None or not may_read(self._context, found.tenant_id, found.governance):
            raise NotFound(f"There is no document {document_id!r}.")
        return found

    def _listing(self, document_id: str) -> SourceListing:
        return _named(self._versions(self._document(document_id).source_id), document_id)

    def _may_change(self, listing: SourceListing) -> bool:
        if self._may_any(_CHANGES_ANY):
            return True
        owns = answers_for(self.user, listing.governance.owner)
        return owns and "own_knowledge" in self._context.actions

    def _is_owner(self, owner: str, listing: SourceListing) -> bool:
        if owner == self.user.user_id:
            return answers_for(self.user, listing.governance.owner)
        return owner.casefold() == listing.governance.owner.casefold()

    def _may_any(self, actions: Sequence[Action]) -> bool:
        return any(action in self._context.actions for action in actions)

    def _demand(self) -> Mapping[str, Demand]:
        since = self._clock.now() - timedelta(days=present.DEMAND_DAYS)
        return self._registry.demand(self._context.tenant_id, since=since)

    def _open_flags(
        self, versions: Sequence[SourceListing], source_id: str | None = None
    ) -> Mapping[str, int]:
        found = self._visible_flags(versions, source_id)
        return Counter(flag.source_id for flag in found if flag.state == "open")

    def _visible_flags(
        self, versions: Sequence[SourceListing], source_id: str | None
    ) -> tuple[SourceFlag, ...]:
        """Flags on ``versions``: a source may have others that this user may not read.

        A conflict with a source this user may not read is told without that source.
        """
        readable = {version.document_id for version in versions}
        found = self._registry.flags(self._context.tenant_id, source_id)
        shown = [flag for flag in found if flag.document_id in readable]
        if not any(flag.pair for flag in shown):
            return tuple(shown)
        known = {version.document_id for version in self._versions()}
        every = self._registry.flags(self._context.tenant_id)
        sides = Counter(flag.pair for flag in every if flag.document_id in known)
        return tuple(flag if sides[flag.pair] != 1 else _one_sided(flag) for flag in shown)

    def _today(self) -> date:
        return self._clock.now().date()


def _one_sided(flag: SourceFlag) -> SourceFlag:
    words = "No rule decides between this and a source you may not read. A supervisor sees both."
    return flag.model_copy(update={"reason": words, "questions": (), "resolution": ""})


def _named(versions: Sequence[SourceListing], document_id: str) -> SourceListing:
    for version in versions:
        if version.document_id == document_id:
            return version
    raise NotFound(f"There is no document {document_id!r}.")
