"""The tables of one index folder: the one in use, older ones kept for replay, one being built.

A rebuild writes a new table beside the one in use. The file ``CURRENT`` names the table in use; it
is replaced in one step, so readers have either the old index or the new one, whole.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from lancedb.index import FTS, Bitmap, BTree

from core.adapters.lancedb_rows import FILTERED, schema
from core.adapters.lancedb_table import TABLE, OpenTable, connect, translated
from core.errors import BadInput, IndexMismatch, NotFound

_POINTER = "CURRENT"
_RANGES = {"valid_from_day", "valid_to_day", "document_key"}
_LOOKED_UP = ("vector_key",)
_MOST = 100_000


class Place(NamedTuple):
    """A version of the index: which table, and which version of it. Written ``12`` or ``2.12``."""

    number: int
    version: int

    def __str__(self) -> str:
        return str(self.version) if self.number == 1 else f"{self.number}.{self.version}"


def place_of(version: str) -> Place:
    """Reads what ``str(place)`` wrote. Raises ``BadInput``."""
    number, dot, rest = version.rpartition(".")
    if not (rest.isascii() and rest.isdecimal() and len(rest) < 10):
        raise BadInput(f"{version!r} is no index version. It looks like 57 or 2.57.")
    if dot and not (number.isascii() and number.isdecimal() and len(number) < 6):
        raise BadInput(f"{version!r} is no index version. It looks like 57 or 2.57.")
    return Place(int(number or 1), int(rest))


class Generations:
    """The tables in ``folder`` for an index built by ``built_by``; vectors have ``dimension``."""

    def __init__(self, folder: Path, built_by: Mapping[str, str], dimension: int) -> None:
        self.folder = folder
        self._built_by, self._dimension = dict(built_by), dimension

    def current(self) -> int:
        """The number of the table in use."""
        try:
            text = (self.folder / _POINTER).read_text(encoding="ascii").strip()
        except FileNotFoundError:
            return 1
        return int(text) if text.isdecimal() else 1

    def numbers(self) -> tuple[int, ...]:
        """Every table there is, oldest first."""
        names = connect(self.folder).list_tables(limit=_MOST).tables
        return tuple(sorted(number for name in names if (number := _number_of(name))))

    def open(self, number: int) -> OpenTable | None:
        """A table as it is now; ``None`` when it is not there, or was not made to the end.

        Raises ``IndexMismatch`` when something else built it.
        """
        table = self.raw(number)
        if table is None:
            return None
        self._refuse_mismatch(table)
        return None if _lacking(table) else OpenTable(self.folder, table, number)

    def create(self, number: int) -> OpenTable:
        """The table, empty if it was not there, with all its indexes. Needs the writer's lock."""
        layout = schema(self._dimension, self._built_by)
        table = connect(self.folder).create_table(name_of(number), schema=layout, exist_ok=True)
        for column, config in _lacking(table).items():
            table.create_index(column, config=config)
        return OpenTable(self.folder, table, number)

    def past(self, place: Place) -> OpenTable:
        """A table as it was. Raises ``NotFound`` when that version is not kept any more."""
        with translated(self.folder):
            table = self.raw(place.number)
        if table is None:
            raise NotFound(_gone(place))
        self._refuse_unsearchable(place, table)
        try:
            table.checkout(place.version)
            table.count_rows()
        except (ValueError, RuntimeError, OSError) as error:
            raise NotFound(_gone(place)) from error
        return OpenTable(self.folder, table, place.number)

    def next_number(self) -> int:
        """The number of a table to be built beside the others."""
        return max((*self.numbers(), self.current())) + 1

    def use(self, number: int) -> None:
        """From now on this table answers, for every process, in one step."""
        fresh = self.folder / f"{_POINTER}.new"
        with fresh.open("w", encoding="ascii") as file:
            file.write(f"{number}\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self.folder / _POINTER)

    def drop(self, number: int) -> None:
        """Remove a table that is not in use, with all its versions."""
        if number == self.current():
            raise ValueError("the table in use cannot be dropped")
        connect(self.folder).drop_table(name_of(number), ignore_missing=True)

    def of_same_encoder(self, *, but: int) -> Iterator[Any]:
        """The other tables whose vectors may be taken over, newest first."""
        for number in reversed(self.numbers()):
            table = None if number == but else self.raw(number)
            stored = built_by(table) if table is not None else {}
            if stored.get("encoder") == self._built_by["encoder"] and _has_keys(table):
                yield table

    def raw(self, number: int) -> Any | None:
        """A table whoever built it; ``None`` when it is not there or was not made to the end."""
        try:
            return connect(self.folder).open_table(name_of(number))
        except (ValueError, FileNotFoundError):
            return None

    def _refuse_mismatch(self, table: Any) -> None:
        stored = built_by(table)
        for what, wanted in self._built_by.items():
            if stored.get(what) != wanted:
                raise IndexMismatch(
                    f"the passage index in {self.folder} was built with {what} "
                    f"{stored.get(what, 'unknown')!r}, but {wanted!r} is configured; "
                    "run `countersign ingest --rebuild` to build it anew"
                )

    def _refuse_unsearchable(self, place: Place, table: Any) -> None:
        """Another chunker is no hindrance to searching, anything else is."""
        stored = built_by(table)
        for what in ("encoder", "analyser", "schema"):
            if stored.get(what) != self._built_by[what]:
                raise IndexMismatch(
                    f"index version {place} was built with {what} {stored.get(what)!r}; "
                    f"with {self._built_by[what]!r} it cannot be searched again"
                )


def name_of(number: int) -> str:
    """The table's name in the database."""
    return TABLE if number == 1 else f"{TABLE}-{number}"


def built_by(table: Any) -> dict[str, str]:
    """What built a table: encoder, chunker, analyser, layout."""
    return {k.decode(): v.decode() for k, v in (table.schema.metadata or {}).items()}


def _number_of(name: str) -> int:
    if name == TABLE:
        return 1
    start, _, number = name.rpartition("-")
    return int(number) if start == TABLE and number.isdecimal() else 0


def _gone(place: Place) -> str:
    return (
        f"index version {place} is not kept any more, or never was: "
        "what it answered can be read in the audit, but not searched again"
    )


def _has_keys(table: Any) -> bool:
    return "vector_key" in table.schema.names


def _lacking(table: Any) -> dict[str, Any]:
    """Indexes that are not there; a process that died while making the table left some out."""
    wanted: dict[str, Any] = {
        "search_text": FTS(base_tokenizer="icu/split", with_position=True),
        **{column: BTree() if column in _RANGES else Bitmap() for column in FILTERED},
        **{column: BTree() for column in _LOOKED_UP},
    }
    there = {column for index in table.list_indices() for column in index.columns}
    return {column: config for column, config in wanted.items() if column not in there}
