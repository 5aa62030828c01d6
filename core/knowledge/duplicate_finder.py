"""Finds duplicates beside the screens, once for each state of the index and each set of rights."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal

from core.errors import CountersignError
from core.identity.access import may_read
from core.knowledge import present
from core.knowledge.duplicates import DuplicateGroup, duplicate_groups
from core.knowledge.store import SourceCatalog
from core.models.access import SecurityContext
from core.models.base import Model
from core.models.source import Passage
from core.ports import Clock, PassageIndex, TokenCounter
from core.sources.chunk import chunk

log = logging.getLogger("countersign.knowledge")
_KEPT = 8
_PAGE = 100

_Key = tuple[str, SecurityContext]


class DuplicateFindings(Model):
    """What a person may know of duplicates: ``groups`` once ``phase`` is ``done``.

    ``looked`` of ``total`` sources were read so far; ``words`` say why it failed.
    """

    phase: Literal["running", "done", "failed"]
    groups: tuple[DuplicateGroup, ...] = ()
    looked: int = 0
    total: int = 0
    seconds: float = 0.0
    words: str = ""


class DuplicateFinder:
    """One for the process; at most one search runs at a time. Thread-safe."""

    def __init__(
        self,
        *,
        registry: SourceCatalog,
        index: PassageIndex,
        tokens: TokenCounter | None,
        clock: Clock,
        stopwatch: Callable[[], float],
    ) -> None:
        self._registry, self._index, self._tokens = registry, index, tokens
        self._clock, self._stopwatch = clock, stopwatch
        self._lock = threading.Lock()
        self._found: OrderedDict[_Key, DuplicateFindings] = OrderedDict()
        self._thread: threading.Thread | None = None
        self._working_on: _Key | None = None

    def look(self, context: SecurityContext) -> DuplicateFindings:
        """What was found for these rights on the index as it is; begins looking if nothing was."""
        key = (self._index.version(), _rights(context))
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                return self._found[key]
            if self._thread is None or not self._thread.is_alive():
                self._remember(key, DuplicateFindings(phase="running"))
                self._thread = threading.Thread(
                    target=self._run, args=(key,), name="duplicates", daemon=True
                )
                self._thread.start()
        return DuplicateFindings(phase="running")  # after the one who looks now

    def forget(self, context: SecurityContext) -> None:
        """Drop what was found (or failed) for these rights, to look again."""
        with self._lock:
            for key in [k for k, f in self._found.items() if k[1] == _rights(context)]:
                if self._found[key].phase != "running":
                    del self._found[key]

    def wait(self, timeout: float) -> bool:
        """Until the search in hand is done; ``False`` when it is not within ``timeout`` seconds."""
        thread = self._thread
        if thread is not None:
            thread.join(timeout)
        return thread is None or not thread.is_alive()

    def _run(self, key: _Key) -> None:
        begun = self._stopwatch()
        try:
            passages = list(self._passages(key))
            groups = duplicate_groups(passages, key[1])
            done = DuplicateFindings(
                phase="done", groups=groups, seconds=round(self._stopwatch() - begun, 1)
            )
        except CountersignError as error:
            done = DuplicateFindings(phase="failed", words=str(error))
        except Exception as error:
            log.exception("looking for duplicates broke")
            words = f"It broke: {type(error).__name__}. The server log says where."
            done = DuplicateFindings(phase="failed", words=words)
        with self._lock:
            self._remember(key, done)

    def _passages(self, key: _Key) -> Iterator[Passage]:
        names = self._in_force(key[1])
        for number, page in enumerate(_pages(names)):
            with self._lock:
                so_far = DuplicateFindings(phase="running", looked=number * _PAGE, total=len(names))
                self._remember(key, so_far)
            for version in self._registry.live(page).values():
                yield from chunk(version, self._tokens)

    def _in_force(self, context: SecurityContext) -> list[str]:
        """The version in force of every source these rights cover."""
        today = self._clock.now().date()
        by_source: dict[str, list[str]] = {}
        for listing in self._registry.list_sources(context.tenant_id):
            if not may_read(context, listing.tenant_id, listing.governance):
                continue
            if present.in_force([listing], today) is not None:
                by_source[listing.source_id] = [listing.document_id]
        return [name for names in by_source.values() for name in names]

    def _remember(self, key: _Key, findings: DuplicateFindings) -> None:
        self._found[key] = findings
        while len(self._found) > _KEPT:
            self._found.popitem(last=False)


def _rights(context: SecurityContext) -> SecurityContext:
    """What of a context decides who may read what; the same for people with equal rights."""
    return context.model_copy(
        update={
            "user_id": "",
            "roles": (),
            "department": "",
            "permission_level": "L1",
            "actions": (),
            "purpose": "",
        }
    )


def _pages(names: Sequence[str]) -> Iterator[list[str]]:
    rest: Iterable[str] = iter(names)
    while page := list(islice(rest, _PAGE)):
        yield page
