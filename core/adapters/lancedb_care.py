"""Upkeep of the index: what state it is in, how exact it is, old versions, erasing for good."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from core.adapters.lancedb_fold import KEEP_ALL, unindexed
from core.adapters.lancedb_generations import Place, built_by, name_of, place_of
from core.adapters.lancedb_index import LanceIndex
from core.adapters.lancedb_lock import rebuild_lock
from core.adapters.lancedb_table import OpenTable, translated
from core.errors import BadInput, Conflicted, TryAgainLater
from core.models.index import CleanUp, IndexPart, IndexStatus, OtherTable, RecallCheck

_SURE = timedelta(days=7)
"""Versions younger than this stay unless asked otherwise: an answer being made may need one."""

_IN_FLIGHT = timedelta(minutes=1)
"""Versions younger than this always stay: a search under way reads one. It is also the time the
vendor may take until it looks at the clock.
"""
_READ_TOGETHER = 10_000


class Contents(NamedTuple):
    """How many passages each document has in the index, and which have some twice."""

    passages: dict[str, int]
    doubled: tuple[str, ...]


def contents(index: LanceIndex) -> Contents:
    """Read from the whole table; not filtered."""
    seen: dict[str, set[str]] = {}
    rows: Counter[str] = Counter()
    with translated(index.folder):
        query = index.table().table.search().select(["document_id", "chunk_id"])
        for batch in query.to_batches(batch_size=_READ_TOGETHER):
            names = batch["document_id"].to_pylist()
            rows.update(names)
            for name, chunk_id in zip(names, batch["chunk_id"].to_pylist(), strict=True):
                seen.setdefault(name, set()).add(chunk_id)
    doubled = tuple(sorted(name for name, there in seen.items() if rows[name] > len(there)))
    return Contents(dict(rows), doubled)


def status(index: LanceIndex, recall: RecallCheck | None = None) -> IndexStatus:
    """The index as it lies on disk."""
    with translated(index.folder):
        opened = index.table()
        table = opened.table
        versions = table.list_versions()
        others = [n for n in index.generations.numbers() if n != opened.number]
        return IndexStatus(
            folder=str(index.folder),
            version=index.version(),
            passages=int(table.count_rows()),
            documents=len(contents(index).passages),
            unindexed=unindexed(table),
            fragments=int(table.stats()["fragment_stats"]["num_fragments"]),
            bytes_on_disk=_bytes_in(index.folder, opened.number),
            versions_kept=len(versions),
            oldest_version=str(Place(opened.number, int(versions[0]["version"]))),
            oldest_at=_at(versions[0]),
            tags={t: str(Place(opened.number, v)) for t, v in _tags(table).items()},
            parts=_parts(table),
            built_by=built_by(table),
            others=tuple(_other(index, number, opened.number) for number in others),
            recall=recall,
        )


def clean_up(
    index: LanceIndex,
    *,
    now: datetime,
    answers: Mapping[str, int],
    keep_days: int | None = None,
    in_flight: timedelta = _IN_FLIGHT,
) -> CleanUp:
    """Remove versions that nothing needs any more. ``answers`` counts answers by index version.

    By default whatever a stored answer was given on stays, and everything of the last seven days.
    With ``keep_days`` all that is older goes, except for what a tag names; ``CleanUp`` says how
    many answers that costs. Raises ``BadInput`` for a negative number of days.
    """
    if keep_days is not None and keep_days < 0:
        raise BadInput("--keep-days takes 0 or more.")
    with index.writing():
        opened = index.table()
        size = _bytes_below(index.folder)
        since, because = _horizon(opened, now, answers, keep_days)
        before = _numbers(opened.table)
        opened.table.optimize(cleanup_older_than=KEEP_ALL)  # what takes long comes first
        age = datetime.now(UTC) - since  # the vendor's clock, whatever the time is said to be
        opened.table.optimize(cleanup_older_than=max(age, timedelta(0)) + in_flight)
        tables = _drop_tables(index, since, answers, keep_days)
        removed = before - _numbers(opened.table)
    return CleanUp(
        kept_since=since,
        because=because,
        versions_removed=len(removed),
        tables_removed=tables,
        bytes_freed=max(0, size - _bytes_below(index.folder)),
        answers_unreplayable=sum(n for v, n in answers.items() if not _kept(index, v)),
    )


def erase(index: LanceIndex, document_id: str) -> tuple[int, tuple[int, ...], int]:
    """Rewrite the index without the document and remove every older version and table.

    Returns passages erased, tables removed and versions removed. Raises ``Conflicted`` while a
    tag holds an old version.
    """
    with rebuild_lock(index.folder).held(), index.writing():
        held = {t: name_of(n) for n in index.generations.numbers() for t in _tags_of(index, n)}
        if held:
            names = ", ".join(sorted(held))
            raise Conflicted(
                f"the index version(s) tagged {names} are held and may have the document in "
                "them: remove the tags first, then erase it"
            )
        erased = index.remove_document(document_id)
        numbers = index.generations.numbers()
        versions = sum(_versions_of(index, number) for number in numbers)
        index.rewrite()
        for number in numbers:
            index.generations.drop(number)
    return erased, numbers, versions


def _horizon(
    opened: OpenTable, now: datetime, answers: Mapping[str, int], keep_days: int | None
) -> tuple[datetime, str]:
    """From when on all versions stay, and why."""
    times = {int(v["version"]): _at(v) for v in opened.table.list_versions()}
    tagged = [times[v] for v in _tags(opened.table).values() if v in times]
    if keep_days is not None:
        since, because = now - timedelta(days=keep_days), f"the last {keep_days} day(s) were asked"
    else:
        places = [place_of(v) for v in answers if _is_version(v)]
        here = [place.version for place in places if place.number == opened.number]
        needed = [times[version] for version in here if version in times]
        since, because = now - _SURE, "the last seven days always stay"
        if needed and min(needed) < since:
            since, because = min(needed), "the oldest stored answer was given on it"
    if tagged and min(tagged) < since:
        since, because = min(tagged), "a tag holds it"
    return since, because


def _drop_tables(
    index: LanceIndex, since: datetime, answers: Mapping[str, int], keep_days: int | None
) -> tuple[int, ...]:
    """Older tables that no answer needs, and rebuilds that were cut short."""
    current = index.generations.current()
    used = {place_of(v).number for v in answers if _is_version(v)} if keep_days is None else set()
    gone = []
    for number in index.generations.numbers():
        if number == current or number in used or _tags_of(index, number):
            continue
        if number > current and _being_built(index.folder):
            continue
        if number < current and _newest(index, number) >= since:
            continue
        index.generations.drop(number)
        gone.append(number)
    return tuple(gone)


def _being_built(folder: Path) -> bool:
    try:
        with rebuild_lock(folder).held():
            return False
    except TryAgainLater:
        return True


def _kept(index: LanceIndex, version: str) -> bool:
    if not _is_version(version):
        return False
    place = place_of(version)
    table = index.generations.raw(place.number)
    return table is not None and place.version in _numbers(table)


def _is_version(text: str) -> bool:
    try:
        place_of(text)
    except BadInput:
        return False
    return True


def _parts(table: Any) -> tuple[IndexPart, ...]:
    parts = []
    for found in table.list_indices():
        stats = table.index_stats(found.name)
        parts.append(
            IndexPart(
                column=", ".join(found.columns),
                kind=str(stats.index_type),
                rows=int(stats.num_indexed_rows),
                unindexed=int(stats.num_unindexed_rows),
            )
        )
    return tuple(sorted(parts, key=lambda part: part.column))


def _other(index: LanceIndex, number: int, current: int) -> OtherTable:
    table = index.generations.raw(number)
    return OtherTable(
        number=number,
        rows=int(table.count_rows()) if table is not None else 0,
        bytes_on_disk=_bytes_in(index.folder, number),
        built_by=built_by(table) if table is not None else {},
        unfinished=number > current,
    )


def _newest(index: LanceIndex, number: int) -> datetime:
    table = index.generations.raw(number)
    if table is None:
        return datetime.min.replace(tzinfo=UTC)
    return _at(table.list_versions()[-1])


def _versions_of(index: LanceIndex, number: int) -> int:
    table = index.generations.raw(number)
    return len(table.list_versions()) if table is not None else 0


def _tags_of(index: LanceIndex, number: int) -> dict[str, int]:
    table = index.generations.raw(number)
    return _tags(table) if table is not None else {}


def _numbers(table: Any) -> set[int]:
    return {int(version["version"]) for version in table.list_versions()}


def _tags(table: Any) -> dict[str, int]:
    return {name: int(tag["version"]) for name, tag in table.tags.list().items()}


def _at(version: Mapping[str, Any]) -> datetime:
    """The vendor gives naive local times."""
    at: datetime = version["timestamp"]
    return at.astimezone(UTC)


def _bytes_in(folder: Path, number: int) -> int:
    return _bytes_below(folder / f"{name_of(number)}.lance")


def _bytes_below(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
