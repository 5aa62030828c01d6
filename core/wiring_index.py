"""Looking after the passage index: its state, its upkeep, repair, erasing."""

from __future__ import annotations

import time

from core.adapters.sql_replay import index_versions_used
from core.errors import BadInput, IntegrityBroken, NotAllowed, NotFound
from core.identity.access import answers_for
from core.models.access import SecurityContext, User
from core.models.index import Consistency, Erasure, IndexStatus, RemovalProof, Repair, Upkeep
from core.models.plan import RetrievalFilters, RetrievalPlan
from core.models.source import DocumentVersion
from core.sources.chunk import chunk
from core.sources.consistency import compare, repair
from core.sources.progress import Progress
from core.sources.rebuild import rebuild
from core.stages.authorise import authorise
from core.wiring_parts import Parts


class IndexKeeper:
    """What is done to the index as a whole. ``actor`` is named in the audit."""

    def __init__(self, parts: Parts, actor: str) -> None:
        self._parts, self._actor = parts, actor

    def status(self) -> IndexStatus:
        """The index as it lies on disk. Raises ``Unavailable`` when it cannot be searched."""
        from core.adapters import lancedb_care, lancedb_recall  # slow import: see wiring_parts

        recall = lancedb_recall.last_recall(self._parts.index_folder)
        index = self._parts.open_index()
        index.search(self._any_search())
        return lancedb_care.status(index, recall)

    def check(self) -> Consistency:
        """Whether index and stored documents agree."""
        from core.adapters import lancedb_care

        index = self._parts.open_index()
        with index.writing():
            return compare(self._parts.registry, lancedb_care.contents(index))

    def repair(self) -> Repair:
        """Make the index hold exactly what the stored documents say."""
        from core.adapters import lancedb_care

        index = self._parts.open_index()
        done = repair(
            self._parts.registry,
            index,
            lambda: lancedb_care.contents(index),
            self._parts.tokens,
        )
        index.finish()
        if not done.before.agree:
            self._note("index.repaired", done.before.model_dump(mode="json"))
        return done

    def maintain(self, keep_days: int | None = None) -> Upkeep:
        """Fold new rows in, measure recall, and remove versions that nothing needs.

        Raises ``BadInput`` for a negative ``keep_days`` and ``NotAllowed`` when somebody else than
        an administrator names one: it may take away what stored answers were given on.
        """
        from core.adapters import lancedb_care, lancedb_recall

        if keep_days is not None and keep_days < 0:
            raise BadInput("--keep-days takes 0 or more.")
        if keep_days is not None and not self._administers():
            raise NotAllowed("Only an administrator may choose --keep-days: name one with --as.")
        began = time.perf_counter()
        index, now = self._parts.index, self._parts.clock.now()
        folded = index.fold()
        recall = lancedb_recall.check_recall(index, now=now)
        answers = index_versions_used(self._parts.engine)
        cleaned = lancedb_care.clean_up(index, now=now, answers=answers, keep_days=keep_days)
        if cleaned.versions_removed or cleaned.tables_removed:
            self._note("index.cleaned", cleaned.model_dump(mode="json"))
        return Upkeep(
            folded=folded,
            cleaned=cleaned,
            recall=recall,
            status=lancedb_care.status(index, recall),
            seconds=round(time.perf_counter() - began, 2),
        )

    def erase(self, document_id: str, *, reason: str) -> Erasure:
        """Remove a document's text for good: from the index, its past versions, and the registry.

        For administrators, and for those who answer for the document. Raises ``NotAllowed``,
        ``NotFound``, ``BadInput`` without a reason, ``Conflicted`` while a tag holds an old
        version of the index. No answer given before can be searched for again afterwards.
        """
        from core.adapters import lancedb_care

        self._may_erase(document_id)
        version = self._stored(document_id)
        if not reason.strip():
            raise BadInput("Say why the document is erased (--reason).")
        index, passages = self._parts.index, chunk(version, self._parts.tokens)
        with index.writing():
            erased, tables, versions = lancedb_care.erase(index, document_id)
            proof = index.probe(document_id, passages)
            if proof.hits:
                raise IntegrityBroken(f"{document_id} can still be found after it was erased.")
            quoting = self._parts.registry.erase(
                document_id, reason=reason.strip(), actor=self._actor
            )
            index.forget_vectors()
        return Erasure(
            document_id=document_id,
            passages=erased,
            tables_removed=tables,
            versions_removed=versions,
            proof=proof,
            kept=_kept(quoting),
        )

    def probe(self, version: DocumentVersion) -> RemovalProof:
        """Search for the exact text of a version, by words and by vector, without a filter."""
        passages = chunk(version, self._parts.tokens)
        return self._parts.index.probe(version.document_id, passages)

    def _may_erase(self, document_id: str) -> None:
        """Raises ``NotAllowed``, in words that do not tell whether there is such a document."""
        if self._administers():
            return
        user, context = self._rights()
        version = self._parts.registry.get(document_id)
        owns = user and version and answers_for(user, version.governance.owner)
        ours = version and version.tenant_id == context.tenant_id
        if owns and ours and "own_knowledge" in context.actions:
            return
        raise NotAllowed(
            f"{document_id} is not yours to erase. Whoever owns it may, or an administrator: "
            "name one with --as."
        )

    def _rights(self) -> tuple[User | None, SecurityContext]:
        tenant, policies = self._parts.settings.tenant, self._parts.policies
        user = policies.user(self._actor)
        return user, authorise(user, policies.acl_policies(tenant), tenant_id=tenant)

    def _administers(self) -> bool:
        # Where nobody has been made a user yet, the shell is the only authority there is.
        nobody_yet = not self._parts.policies.users(self._parts.settings.tenant)
        return nobody_yet or "administer" in self._rights()[1].actions

    def _any_search(self) -> RetrievalPlan:
        """Words and vectors, whatever comes of it: files of an index may be gone unnoticed."""
        filters = RetrievalFilters(
            tenant_id=self._parts.settings.tenant,
            acl_policy_ids=("public",),
            classifications=("public",),
            valid_on=self._parts.clock.now().date(),
        )
        return RetrievalPlan(query="how long does it take", mode="hybrid", filters=filters)

    def _stored(self, document_id: str) -> DocumentVersion:
        version = self._parts.registry.get(document_id)
        if version is None or version.tenant_id != self._parts.settings.tenant:
            raise NotFound(f"There is no document {document_id!r}.")
        return version

    def _note(self, kind: str, payload: dict[str, object]) -> None:
        self._parts.registry.note(
            self._parts.settings.tenant,
            actor=self._actor,
            kind=kind,
            subject_id="passages",
            payload=payload,
        )


class IndexParts(Parts):
    """The passage index as a whole, of an office."""

    def rebuild_index(self, progress: Progress | None = None) -> int:
        """Build the index anew from the stored documents; returns the number of passages.

        For an index made by another encoder, chunker or layout. The old one answers until the new
        one is whole; stored documents are not touched. Raises ``TryAgainLater`` while another
        process rebuilds.
        """
        with self.index_beside() as index:
            passages = rebuild(
                registry=self.registry, index=index, tokens=self.tokens, progress=progress
            )
            self.__dict__["index"] = index
        return passages

    def index_keeper(self, user_id: str) -> IndexKeeper:
        """Upkeep of the passage index, in the name of a user."""
        return IndexKeeper(self, user_id)


def _kept(quoting: int) -> tuple[str, ...]:
    kept = ["the audit keeps the document's id, its hash, its dates and its events"]
    if quoting:
        kept.append(
            f"{quoting} stored answer(s) quote passages of it; they, their drafts and what was "
            "sent keep those quotations"
        )
    kept.append("files it was read from, dropped uploads and backups are not touched")
    return tuple(kept)
