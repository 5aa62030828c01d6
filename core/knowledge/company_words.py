"""The company's own other words, from its glossary and its documents, for one reader at a time.

Documents are looked through once for each version of the index, never for a question. What a
document explains is told only to whom that document may be shown now: a name from a paper that a
reader may not see stays out of the searches, and of the trace, of that reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from threading import Lock
from typing import NamedTuple, Protocol

from core.identity.access import may_read
from core.knowledge.views import SourceListing
from core.models.access import SecurityContext
from core.models.source import DocumentVersion
from core.models.words import OtherWords
from core.text.abbreviations import glossary_lines, heading_names, is_glossary, other_names
from core.text.synonyms import said_in

MOST_CHARACTERS = 4_000_000
"""Of text looked through, two or three seconds' work: glossaries first, then the newest."""
_BATCH = 100
"""Versions read at a time."""
_TRUSTED = ("official_policy", "approved_procedure", "faq")
"""Whose words count: a post or an upload that anybody may write must not steer searches."""
_GLOSSARY_RANKS = ("official_policy", "approved_procedure")


class Catalog(Protocol):
    """The part of the registry that is read here."""

    def list_sources(self, tenant_id: str) -> tuple[SourceListing, ...]:
        """A tenant's versions without their texts."""
        ...

    def live(self, document_ids: Iterable[str]) -> dict[str, DocumentVersion]:
        """Those that exist and are not withdrawn, with their governance as it is now."""
        ...


class _Mined(NamedTuple):
    content_hash: str
    groups: tuple[OtherWords, ...]


class _Shelf(NamedTuple):
    """What one tenant's documents explained, as of one index version."""

    index_version: str
    mined: Mapping[str, _Mined]


class CompanyWords:
    """Other words by reader. Safe to share between threads; keeps only what documents explain."""

    def __init__(self, catalog: Catalog, *, index_version: Callable[[], str]) -> None:
        self._catalog, self._index_version = catalog, index_version
        self._lock = Lock()
        self._shelves: dict[str, _Shelf] = {}

    def __call__(self, context: SecurityContext, on: date, text: str) -> Sequence[OtherWords]:
        """Groups of which ``text`` says one, as far as ``context`` may read where they stand.

        Their documents must be in force ``on`` that day. The glossary's come first.
        """
        shelf = self._shelf(context.tenant_id)
        said = [
            group
            for mined in shelf.mined.values()
            for group in mined.groups
            if any(said_in(word, text) for word in group.words)
        ]
        live = self._catalog.live({group.document_id for group in said})
        kept = [g for g in said if _may_learn(context, live.get(g.document_id), on)]
        return sorted(kept, key=lambda group: group.origin != "glossary")

    def warm(self, tenant_id: str) -> None:
        """Look the documents through ahead of the first question that needs it."""
        self._shelf(tenant_id)

    def all_for(self, context: SecurityContext, on: date) -> tuple[OtherWords, ...]:
        """Every group that the reader may learn of, the glossary's first."""
        groups = [g for m in self._shelf(context.tenant_id).mined.values() for g in m.groups]
        live = self._catalog.live({group.document_id for group in groups})
        kept = [g for g in groups if _may_learn(context, live.get(g.document_id), on)]
        return tuple(sorted(kept, key=lambda group: group.origin != "glossary"))

    def _shelf(self, tenant_id: str) -> _Shelf:
        version = self._index_version()
        with self._lock:  # the first reader looks the documents through, the others wait for it
            shelf = self._shelves.get(tenant_id)
            if shelf is None or shelf.index_version != version:
                known = shelf.mined if shelf else {}
                shelf = _Shelf(version, dict(self._mine(tenant_id, known)))
                self._shelves[tenant_id] = shelf
            return shelf

    def _mine(self, tenant_id: str, known: Mapping[str, _Mined]) -> Iterator[tuple[str, _Mined]]:
        """What each trusted version explains; a version that did not change is not read again."""
        listed = _worth_reading(self._catalog.list_sources(tenant_id))
        same = {s.document_id for s in listed if _is_known(s, known)}
        yield from ((name, known[name]) for name in known if name in same)
        changed = [s.document_id for s in listed if s.document_id not in same]
        left = MOST_CHARACTERS
        for at in range(0, len(changed), _BATCH):
            if left <= 0:
                return
            for version in self._catalog.live(changed[at : at + _BATCH]).values():
                left -= len(version.text)
                found = tuple(explained(version))
                yield version.document_id, _Mined(version.content_hash, found)


def _worth_reading(listed: Sequence[SourceListing]) -> list[SourceListing]:
    trusted = [s for s in listed if not s.withdrawn and _is_trusted(s)]
    trusted.sort(
        key=lambda s: (is_glossary(s.title), s.governance.valid_from or date.min), reverse=True
    )
    return trusted


def _is_known(listing: SourceListing, known: Mapping[str, _Mined]) -> bool:
    mined = known.get(listing.document_id)
    return mined is not None and mined.content_hash == listing.content_hash


def _is_trusted(listing: SourceListing) -> bool:
    return listing.governance.authority in _TRUSTED and listing.governance.signed


def _may_learn(context: SecurityContext, version: DocumentVersion | None, on: date) -> bool:
    if version is None or not may_read(context, version.tenant_id, version.governance):
        return False
    rules = version.governance
    begun = rules.valid_from is None or rules.valid_from <= on
    return rules.status == "active" and begun and (rules.valid_to is None or on < rules.valid_to)


def explained(version: DocumentVersion) -> Iterator[OtherWords]:
    """The groups of one version: its lines if it is a glossary somebody answers for, else the
    names that its text and its headings explain."""
    rules = version.governance
    if is_glossary(version.title) and rules.authority in _GLOSSARY_RANKS and rules.signed:
        for words in glossary_lines(version.text):
            yield OtherWords(words=words, origin="glossary", document_id=version.document_id)
        return
    headings = (line.lstrip("# ") for line in version.text.splitlines() if line.startswith("#"))
    pairs = dict.fromkeys(other_names(version.text))
    for heading in (version.title, *headings):
        pairs |= dict.fromkeys(heading_names(heading))
    for pair in pairs:
        if pair[0].casefold() != pair[1].casefold():
            yield OtherWords(words=pair, document_id=version.document_id)
