"""Everything uploads stand on, over a real database and an index in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Engine

from core.adapters.sql_registry import SqlRegistry
from core.adapters.sql_review_store import SqlReviewStore
from core.adapters.sql_uploads import SqlUploads
from core.knowledge.overlap import SharedText
from core.knowledge.shelf import KnowledgeShelf
from core.knowledge.upload_desk import UploadDesk
from core.knowledge.upload_form import Asker
from core.knowledge.upload_look import may_upload
from core.knowledge.upload_page import Cuts
from core.knowledge.upload_publish import Publisher
from core.knowledge.upload_reading import UploadReader
from core.knowledge.upload_views import DraftPage, DraftRow, Limits
from core.knowledge.upload_worker import UploadWorker
from core.models.access import AclPolicy, User
from core.models.review import AuditEvent
from core.models.source import DocumentVersion
from core.review.chain import verify_stored
from core.sources.chunk import chunk
from core.sources.documents import Found
from core.sources.parse import Parser
from core.stages.authorise import authorise
from tests.contracts.builders import TENANT, a_document, a_policy, a_user
from tests.fakes.counting_ids import CountingIds
from tests.fakes.fixed_clock import DEMO_DAY, FixedClock
from tests.knowledge.fake_index import FakeIndex

TODAY = DEMO_DAY.date()
KIM = a_user("kim", roles=("knowledge_owner",), department="Operations")
OMAR = a_user("omar", roles=("knowledge_owner",), department="Logistics")
SAM = a_user("sam", roles=("supervisor",), department="Customer service")
HELEN = a_user("helen", roles=("hr",), department="HR")
ANA = a_user("ana", roles=("agent",))
PEOPLE = (KIM, OMAR, SAM, HELEN, ANA)
POLICIES = (
    a_policy("public"),
    a_policy("staff", everyone=False, roles=("agent", "knowledge_owner", "supervisor", "hr")),
    a_policy("hr", everyone=False, roles=("hr",), departments=("HR",)),
)
RETURNS = (
    "# Returns\n\nAn unworn item can be returned within 30 days of the purchase.\n\n"
    "Bring the receipt to any store of ours.\n"
)
PARKING = b"# Parking\n\n## Fees\n\nCustomers park free of charge for two hours at every store.\n"


@dataclass
class Room:
    """One process over a database. ``restart`` gives the next process over the same one."""

    engine: Engine
    index: FakeIndex = field(default_factory=FakeIndex)
    clock: FixedClock = field(default_factory=FixedClock)
    people: dict[str, User] = field(default_factory=lambda: {p.user_id: p for p in PEOPLE})
    policies: tuple[AclPolicy, ...] = POLICIES
    process: str = "first"
    gone: set[str] = field(default_factory=set)
    ids: CountingIds = field(default_factory=CountingIds)

    def __post_init__(self) -> None:
        self.registry = SqlRegistry(self.engine, self.clock)
        self.store = SqlUploads(self.engine, self.clock, self.registry, stale=self._stale)
        self.publisher = Publisher(
            store=self.store,
            registry=self.registry,
            index=self.index,
            tokens=None,
            asker_of=self.asker,
            clock=self.clock,
        )
        self.reader = UploadReader(
            self._read,
            SharedText(self.registry),
            registry=self.registry,
            asker_of=self.asker,
            clock=self.clock,
            ids=self.ids,
        )
        self.worker = UploadWorker(
            self.store,
            lambda: self.reader,
            lambda: self.publisher,
            process=self.process,
            stopwatch=lambda: 0.0,
        )
        self.cuts = Cuts(None)

    def restart(self, process: str = "second") -> Room:
        """Another process over the same database and index; the present one counts as gone."""
        return Room(
            self.engine,
            index=self.index,
            clock=self.clock,
            people=self.people,
            policies=self.policies,
            process=process,
            gone={*self.gone, self.process},
            ids=self.ids,
        )

    def desk(self, user: User = KIM) -> UploadDesk:
        return UploadDesk(
            asker=self.asker(user.user_id),
            store=self.store,
            registry=self.registry,
            worker=self.worker,
            reader=lambda: self.reader,
            publisher=lambda: self.publisher,
            cuts=self.cuts,
            limits=Limits(max_file_mb=1, suffixes=(".md", ".txt")),
            clock=self.clock,
            ids=self.ids,
        )

    def shelf(self, user: User = KIM) -> KnowledgeShelf:
        asker = self.asker(user.user_id)
        return KnowledgeShelf(
            user=asker.user,
            context=asker.context,
            registry=self.registry,
            clock=self.clock,
            index=self.index,
            uploads=self.desk(user) if may_upload(asker.context) else None,
        )

    def asker(self, user_id: str) -> Asker:
        user = self.people[user_id]
        return Asker(
            user=user,
            context=authorise(user, self.policies, tenant_id=TENANT),
            policies=self.policies,
            people=tuple(self.people.values()),
            today=self.clock.now().date().isoformat(),
        )

    def drop(self, name: str, text: str | bytes, user: User = KIM) -> DraftPage:
        """Drop a file, have it read, and open its one draft."""
        before = {row.upload_id for row in self.rows(user)}
        self.desk(user).receive(name, text.encode() if isinstance(text, str) else text)
        self.work()
        (new,) = [row for row in self.rows(user) if row.upload_id not in before]
        return self.desk(user).open(new.upload_id)

    def rows(self, user: User = KIM) -> tuple[DraftRow, ...]:
        return self.desk(user).uploads().drafts

    def work(self) -> None:
        """Let the worker do what waits."""
        self.worker.wake()
        assert self.worker.wait(20)

    def publish(self, page: DraftPage, user: User = KIM) -> None:
        self.desk(user).publish(page.row.upload_id, revision=page.revision)
        self.work()

    def add(self, *documents: DocumentVersion) -> None:
        """Sources that are known already."""
        self.registry.put(documents, actor="demo")
        self.index.replace_documents([(d.document_id, chunk(d)) for d in documents])
        self.registry.mark_indexed([d.document_id for d in documents], self.index.version())

    def add_returns(self) -> None:
        """A policy in force that Kim owns."""
        self.add(
            a_document(
                "returns-1",
                text=RETURNS,
                title="Returns policy",
                version="4.2",
                valid_from=TODAY - timedelta(days=90),
                authority="official_policy",
            )
        )

    def events(self, *kinds: str) -> list[AuditEvent]:
        """Audit events of these kinds; the chain must hold."""
        with SqlReviewStore(self.engine, self.clock).read() as look:
            assert verify_stored(look).ok
            return [event for event in look.audit_events() if event.kind in kinds]

    def searchable(self) -> set[str]:
        """Documents that a search for today finds: in the index and in force in the registry."""
        today = self.clock.now().date()
        live = self.registry.live(self.index.stored)
        return {
            name
            for name, version in live.items()
            if self.index.stored[name]
            and version.governance.status == "active"
            and (version.governance.valid_from or today) <= today
            and (version.governance.valid_to is None or version.governance.valid_to > today)
        }

    def _read(self, name: str, data: bytes) -> Iterator[Found]:
        with Parser(isolated=False) as parser:
            yield from parser.parse_bytes(name, data)

    def _stale(self, process: str, claimed_at: datetime) -> bool:
        return process in self.gone


def value(page: DraftPage, name: str) -> str:
    """What a field of the form holds."""
    return next(field.value for field in page.fields if field.name == name)


def said(page: DraftPage, name: str = "") -> str:
    """What stands against publishing, in one field or anywhere."""
    return "; ".join(p.reason for p in page.blocked_by if name in ("", p.field))
