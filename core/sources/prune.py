"""Which stored documents came from given paths before and are not there any more."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.models.base import Model
from core.models.source import IngestFailure
from core.sources.intake import IntakeRegistry
from core.sources.load import said


class Missing(Model):
    """Ids of documents that are gone, and what was left alone and why."""

    documents: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def absolute(item: str) -> str:
    """The absolute path of an item, without ``..``; links stay, for they are part of its name."""
    return os.path.abspath(item)  # noqa: PTH100 - ``Path.resolve`` would follow links


def find_missing(
    paths: Sequence[Path],
    tenant_id: str,
    registry: IntakeRegistry,
    *,
    seen: Mapping[str, str],
    failed: Sequence[IngestFailure],
) -> Missing:
    """Documents read from ``paths`` before, whose file or row is not among those ``seen`` now.

    Nothing is called missing for a path in which nothing was found at all (a disk that is not
    mounted looks like that), nor for a file that is still there or could not be read this time.
    """
    unread = {_file_of(failure.path) for failure in failed}
    missing: list[str] = []
    warnings: list[str] = []
    for place in dict.fromkeys(absolute(said(path)) for path in paths):
        stored = registry.below(tenant_id, place)
        gone = [name for name in stored if name not in seen]
        if gone and not any(_within(item, place) for item in seen.values()):
            warnings.append(
                f"{place}: nothing was read there this time, so its {len(gone)} stored "
                "document(s) are left as they are"
            )
            continue
        missing += [name for name in gone if _is_gone(stored[name], unread)]
    return Missing(documents=tuple(dict.fromkeys(missing)), warnings=tuple(warnings))


def _is_gone(origin: str, unread: set[str]) -> bool:
    """A file that is still there, now under another id, is not gone; a row of it may be."""
    file = _file_of(origin)
    return file not in unread and not (file == origin and Path(file).is_file())


def _within(item: str, place: str) -> bool:
    path = absolute(item)
    return path == place or path.startswith((place.rstrip("/") + "/", place + ":"))


def _file_of(item: str) -> str:
    """The file of ``rows.jsonl:7`` or ``mail.eml:offer.pdf``; the item itself without one."""
    path = absolute(item)
    shorter = path
    while not Path(shorter).is_file():
        shorter, colon, _ = shorter.rpartition(":")
        if not colon:
            return path
    return shorter
