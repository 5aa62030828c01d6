"""Which stored versions share sentences with a text: for "new version of?" and "stands already in".

What it finds is not filtered by rights; whoever shows it does that.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from core.knowledge.store import SourceCatalog
from core.knowledge.upload_models import Overlap, Repeat
from core.models.base import Model
from core.text.language import CJK

_SENTENCE = re.compile(r"[^\s](?:[^\n.!?。！？]|[.!?](?!\s))*[.!?。！？]*")
_WORD = re.compile(rf"[{CJK}]|[^\W{CJK}]+")
_MIN_WORDS = 4
"""Shorter sentences ("See below.") stand everywhere and say nothing about kinship."""

_KEPT = 12
_NAMED = 5
_PAGE = 200


class Found(Model):
    """What a text shares with stored versions: by version, and by stretch of the text."""

    overlaps: tuple[Overlap, ...] = ()
    repeats: tuple[Repeat, ...] = ()


class SharedText:
    """The sentences of one tenant's stored versions. Thread-safe."""

    def __init__(self, registry: SourceCatalog) -> None:
        self._registry = registry
        self._lock = threading.Lock()
        self._known: dict[str, tuple[str, frozenset[bytes]]] = {}
        self._where: dict[bytes, set[str]] = {}

    def keep_up(self, tenant_id: str) -> None:
        """Take in what was stored, changed or withdrawn since."""
        with self._lock:
            self._keep_up(tenant_id)

    def look(self, text: str) -> Found:
        """What ``text`` shares with versions that are not withdrawn, most kindred first."""
        sentences = list(_sentences(text))
        with self._lock:
            shared = Counter(
                name for key in {key for key, _, _ in sentences} for name in self._places(key)
            )
            return Found(
                overlaps=tuple(
                    Overlap(
                        document_id=name,
                        shared=number,
                        of_new=len({key for key, _, _ in sentences}),
                        of_old=len(self._known[name][1]),
                    )
                    for name, number in shared.most_common(_KEPT)
                ),
                repeats=tuple(self._repeats(sentences)),
            )

    def _repeats(self, sentences: Sequence[tuple[bytes, int, int]]) -> Iterator[Repeat]:
        """Neighbouring sentences that stand in the same versions are one stretch."""
        begun: Repeat | None = None
        for key, start, end in sentences:
            names = tuple(sorted(self._places(key))[:_NAMED])
            if begun and begun.document_ids == names:
                begun = begun.model_copy(update={"end": end})
                continue
            if begun and begun.document_ids:
                yield begun
            begun = Repeat(start=start, end=end, document_ids=names)
        if begun and begun.document_ids:
            yield begun

    def _places(self, key: bytes) -> set[str]:
        return self._where.get(key, set())

    def _keep_up(self, tenant_id: str) -> None:
        stored = {
            listing.document_id: listing.content_hash
            for listing in self._registry.list_sources(tenant_id)
            if not listing.withdrawn
        }
        for name in self._known.keys() - stored.keys():
            self._forget(name)
        changed = [n for n, h in stored.items() if self._known.get(n, ("",))[0] != h]
        for page in _pages(changed):
            for name, version in self._registry.live(page).items():
                self._forget(name)
                keys = frozenset(key for key, _, _ in _sentences(version.text))
                self._known[name] = (stored[name], keys)
                for key in keys:
                    self._where.setdefault(key, set()).add(name)

    def _forget(self, name: str) -> None:
        for key in self._known.pop(name, ("", frozenset[bytes]()))[1]:
            self._where[key].discard(name)


def _sentences(text: str) -> Iterator[tuple[bytes, int, int]]:
    """(key, start, end) of each sentence long enough to tell something.

    Rougher and far quicker than ``core.text.sentences``: whole libraries go through here.
    """
    for found in _SENTENCE.finditer(text):
        words = _WORD.findall(found[0].casefold())
        if len(words) >= _MIN_WORDS:
            key = hashlib.blake2b(" ".join(words).encode(), digest_size=8).digest()
            yield key, found.start(), found.end()


def _pages(names: Iterable[str]) -> Iterator[list[str]]:
    rest = iter(names)
    while page := list(islice(rest, _PAGE)):
        yield page
