"""Which uploads a person may open, and how one is laid out for them. Reads only."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from core.errors import Conflicted, NotAllowed, NotFound
from core.identity.access import may_read
from core.knowledge import upload_page
from core.knowledge.store import SourceCatalog
from core.knowledge.upload_form import Asker
from core.knowledge.upload_match import Known, options_of
from core.knowledge.upload_models import FullDraft, UploadDraft
from core.knowledge.upload_page import Cuts
from core.knowledge.upload_plan import Plan, plan_of, readable, texts
from core.knowledge.upload_publish import Publisher
from core.knowledge.upload_reading import UploadReader
from core.knowledge.upload_store import UploadStore
from core.knowledge.upload_views import DraftPage, DraftRow, Limits, Replacement
from core.knowledge.upload_worker import UploadWorker
from core.models.access import Action, SecurityContext
from core.ports import Clock, Ids

MAY_UPLOAD: tuple[Action, ...] = ("own_knowledge", "supervise", "administer")


def may_upload(context: SecurityContext) -> bool:
    """Whether the rights cover uploading at all."""
    return any(action in context.actions for action in MAY_UPLOAD)


class UploadLook:
    """Uploads as ``asker`` may see them. Raises ``NotAllowed`` for people without the right."""

    def __init__(
        self,
        *,
        asker: Asker,
        store: UploadStore,
        registry: SourceCatalog,
        worker: UploadWorker,
        reader: Callable[[], UploadReader],
        publisher: Callable[[], Publisher],
        cuts: Cuts,
        limits: Limits,
        clock: Clock,
        ids: Ids,
    ) -> None:
        if not may_upload(asker.context):
            raise NotAllowed("Only knowledge owners and supervisors take documents in.")
        self._asker, self._store, self._registry = asker, store, registry
        self._worker, self._reader, self._publisher = worker, reader, publisher
        self._cuts, self._clock, self._ids = cuts, clock, ids
        self.limits = limits

    # -- one draft ------------------------------------------------------------------------------

    def open(self, upload_id: str) -> DraftPage:
        """What was read, the form, and what publishing would do. Raises ``NotFound``."""
        full = self._full(upload_id)
        sources = self._sources()
        plan = self._plan(full, sources)
        titled = full.version.model_copy(update={"title": plan.values["title"] or "Untitled"})
        return upload_page.page_of(
            full,
            plan,
            self._asker,
            row=self._row(full.draft),
            options=options_of(plan.suggestions, sources, self._today),
            passages=upload_page.passages_of(self._cuts.of(upload_id, titled)),
            standing=upload_page.standing_of(full, sources, plan.chosen),
            replacement=self._replacement(full, plan),
            siblings=len(self._siblings(full.draft)),
        )

    # -- inside ---------------------------------------------------------------------------------

    @property
    def _me(self) -> str:
        return self._asker.user.user_id

    @property
    def _tenant(self) -> str:
        return self._asker.context.tenant_id

    @property
    def _today(self) -> date:
        return date.fromisoformat(self._asker.today)

    def _sources(self) -> Known:
        return readable(self._registry, self._asker)

    def _plan(self, full: FullDraft, sources: Known) -> Plan:
        return plan_of(full, self._asker, sources, texts(self._registry))

    def _row(self, draft: UploadDraft) -> DraftRow:
        return upload_page.row_of(draft, mine=self._may_undo(draft))

    def _may_undo(self, draft: UploadDraft) -> bool:
        actions = self._asker.context.actions
        return draft.queued_by == self._me or "supervise" in actions or "administer" in actions

    def _may_open(self, draft: UploadDraft) -> bool:
        """Mine, or within my rights as what the draft says of its readers has it."""
        return draft.uploaded_by == self._me or self._covers(draft)

    def _covers(self, draft: UploadDraft) -> bool:
        context, access = self._asker.context, draft.access
        return (
            draft.tenant_id == context.tenant_id
            and access["classification"] in context.allowed_classifications
            and access["acl_policy_id"] in context.allowed_acl_policy_ids
        )

    def _full(self, upload_id: str) -> FullDraft:
        full = self._store.draft(upload_id)
        if full is None or full.draft.tenant_id != self._tenant or not self._may_open(full.draft):
            raise NotFound("There is no such upload.")
        return full

    def _changeable(self, upload_id: str) -> FullDraft:
        full = self._full(upload_id)
        if full.draft.state not in ("needs_metadata", "ready", "failed"):
            raise Conflicted(f"{full.draft.title} is {full.draft.state} already.")
        return full

    def _siblings(self, draft: UploadDraft) -> list[UploadDraft]:
        if not draft.file_id:
            return []
        return [
            d
            for d in self._store.drafts(self._tenant, ("needs_metadata", "ready"))
            if d.file_id == draft.file_id and d.upload_id != draft.upload_id and self._may_open(d)
        ]

    def _replacement(self, full: FullDraft, plan: Plan) -> Replacement | None:
        before = plan.replaces
        old = self._registry.get(before.document_id) if before else None
        if old is None or not may_read(self._asker.context, old.tenant_id, old.governance):
            return None
        return upload_page.replacement_of(
            full,
            plan,
            old,
            self._registry.replies(old.document_id),
            self._store.open_drafts(self._tenant, old.document_id),
            self._today,
        )
