"""What uploads stand on: their store, and the process's one worker that reads and publishes."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cached_property

from core.adapters.sql_uploads import SqlUploads
from core.errors import NotFound
from core.identity.service import Identity
from core.knowledge.duplicate_finder import DuplicateFinder
from core.knowledge.overlap import SharedText
from core.knowledge.upload_desk import UploadDesk
from core.knowledge.upload_form import Asker
from core.knowledge.upload_look import may_upload
from core.knowledge.upload_page import Cuts
from core.knowledge.upload_publish import Publisher
from core.knowledge.upload_reading import UploadReader
from core.knowledge.upload_views import Limits
from core.knowledge.upload_worker import UploadWorker
from core.sources.documents import Found
from core.sources.limits import ReadLimits
from core.sources.parse import Parser
from core.sources.readers import READERS
from core.wiring_parts import Parts, later

_SILENT_FOR = timedelta(minutes=15)
"""A process of another machine that claimed work so long ago has ended without saying so."""


class UploadParts(Parts):
    """The parts of uploads, each opened on first use."""

    @cached_property
    def identity(self) -> Identity:
        """Who may sign in, and with which rights."""
        return Identity(self.policies, tenant_id=self.settings.tenant)

    @cached_property
    def uploads(self) -> SqlUploads:
        """Dropped files and drafts."""
        return SqlUploads(self.engine, self.clock, self.registry, stale=self._is_stale)

    @cached_property
    def upload_worker(self) -> UploadWorker:
        """Reads and publishes beside the screens."""
        return UploadWorker(
            self.uploads,
            lambda: self.upload_reader,
            lambda: self.publisher,
            process=_this_process(),
            stopwatch=time.perf_counter,
        )

    @cached_property
    def upload_reader(self) -> UploadReader:
        """Turns files into drafts."""
        return UploadReader(
            self._read_file,
            SharedText(self.registry),
            registry=self.registry,
            asker_of=self.asker,
            clock=self.clock,
            ids=self.ids,
        )

    @cached_property
    def publisher(self) -> Publisher:
        """Publishes drafts into registry and index."""
        return Publisher(
            store=self.uploads,
            registry=self.registry,
            index=later(lambda: self.index),
            tokens=later(lambda: self.tokens),
            asker_of=self.asker,
            clock=self.clock,
        )

    @cached_property
    def duplicate_finder(self) -> DuplicateFinder:
        """Looks for texts that stand in several sources."""
        return DuplicateFinder(
            registry=self.registry,
            index=later(lambda: self.index),
            tokens=later(lambda: self.tokens),
            clock=self.clock,
            stopwatch=time.perf_counter,
        )

    @cached_property
    def _cuts(self) -> Cuts:
        return Cuts(later(lambda: self.tokens))

    def asker(self, user_id: str) -> Asker:
        """A person with today's rights and what there is to choose from."""
        user = self.policies.user(user_id)
        if user is None or not user.active:
            raise NotFound(f"no active user {user_id!r}. Name one with --as.")
        tenant = self.settings.tenant
        return Asker(
            user=user,
            context=self.identity.context_of(user_id),
            policies=self.policies.acl_policies(tenant),
            people=tuple(person for person in self.policies.users(tenant) if person.active),
            today=self.clock.now().date().isoformat(),
        )

    def upload_desk(self, user_id: str) -> UploadDesk | None:
        """The uploads of a user; ``None`` for people who take no documents in."""
        asker = self.asker(user_id)
        if not may_upload(asker.context):
            return None
        return UploadDesk(
            asker=asker,
            store=self.uploads,
            registry=self.registry,
            worker=self.upload_worker,
            reader=lambda: self.upload_reader,
            publisher=lambda: self.publisher,
            cuts=self._cuts,
            limits=Limits(max_file_mb=self.settings.max_file_mb, suffixes=tuple(sorted(READERS))),
            clock=self.clock,
            ids=self.ids,
        )

    def _read_file(self, name: str, data: bytes) -> Iterator[Found]:
        limits = ReadLimits(file_bytes=self.settings.max_file_mb * 1024 * 1024)
        with Parser(limits) as parser:
            yield from parser.parse_bytes(name, data)

    def _is_stale(self, process: str, claimed_at: datetime) -> bool:
        return _is_gone(process) or self.clock.now() - claimed_at > _SILENT_FOR


_STARTED = f"{time.time_ns():x}"


def _this_process() -> str:
    return f"{socket.gethostname()}/{os.getpid()}/{_STARTED}"


def _is_gone(process: str) -> bool:
    """Whether a process of this host surely ended; one with our own number may be before us."""
    host, _, rest = process.partition("/")
    number, _, started = rest.partition("/")
    if host != socket.gethostname() or not number.isdigit():
        return False
    if int(number) == os.getpid():
        return started != _STARTED
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        return False
    return False
