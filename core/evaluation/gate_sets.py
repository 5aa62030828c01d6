"""The labelled pairs the passage gate is measured on: only such as it was never fitted on.

The public sets lie outside the project; the premise twins are made by rule from policy prose. Which
rows are held back is said in ``core.evaluation.gate_split``. A set whose files are absent has no
rows and says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, NamedTuple

from core.errors import BadInput
from core.text.language import detect_language

GateLanguage = Literal["en", "zh"]
Lines = list[dict[str, Any]]


class GateRow(NamedTuple):
    """One (query, passage) pair. A label is ``None`` where the set does not say.

    Rows of one ``group`` depend on each other. ``kind`` is what the set calls the passage,
    ``detail`` a finer kind (attack family, changed fact); ``gold`` marks a passage that answers its
    question and must not be lost.
    """

    group: str
    query: str
    text: str
    title: str = ""
    kind: str = ""
    heading: tuple[str, ...] = ()
    detail: str = ""
    relevant: int | None = None
    evidence: int | None = None
    contradicts: int | None = None
    injection: int | None = None
    gold: bool = False

    @property
    def language(self) -> GateLanguage:
        """By the script of the passage."""
        return "zh" if detect_language(self.text) == "zh" else "en"


class GateSet(NamedTuple):
    """Rows under a name. ``status`` is ``ready``, ``absent`` or what is wrong with its files.

    ``fitted_as`` is the name under which the set's other rows are fitted on, empty where none is.
    """

    name: str
    rows: tuple[GateRow, ...]
    status: str = "ready"
    note: str = ""
    fitted_as: str = ""

    @property
    def language(self) -> GateLanguage:
        """That of its first passage."""
        return self.rows[0].language if self.rows else "en"


class Sources(NamedTuple):
    """Where rows come from: the public sets' folder and the demo company's documents.

    ``limit`` keeps that many groups of each set, always the same ones; ``None`` keeps all.
    """

    data: Path
    documents: Path
    limit: int | None = None

    def lines(self, path: str) -> Lines:
        """The rows of a set's file, none where it is absent. Raises ``BadInput`` naming a line."""
        file = self.data / path
        if not file.is_file():
            return []
        return list(_parsed(file))

    def kept(self, records: Iterable[Any], key: Callable[[Any], str]) -> list[Any]:
        """The records of the first ``limit`` groups, in their own order."""
        listed = list(records)
        if self.limit is None:
            return listed
        names = sorted({key(record) for record in listed}, key=_shuffled)
        chosen = set(names[: self.limit])
        return [record for record in listed if key(record) in chosen]


Loader = Callable[[Sources], Iterator[GateRow]]


class SetSource(NamedTuple):
    """How to load a set, what a reader of its figures should know, and its name in the fitting."""

    name: str
    load: Loader
    note: str = ""
    fitted_as: str = ""


def load_gate_set(chosen: SetSource, sources: Sources) -> GateSet:
    """The set's rows, or why there are none. Raises nothing for a bad file: the rest goes on."""
    try:
        rows = tuple(chosen.load(sources))
    except BadInput as error:
        rows, status = (), str(error)
    except KeyError as error:
        rows, status = (), f"unreadable: a row lacks {error}"
    else:
        status = "ready" if rows else "absent"
    return GateSet(chosen.name, rows, status, chosen.note, chosen.fitted_as)


def nearest(
    wanted: frozenset[str], held: Sequence[frozenset[str]], among: Sequence[int], count: int
) -> list[int]:
    """The ``count`` places of ``among`` whose words share most with ``wanted``, nearest first."""
    return sorted(among, key=lambda at: (-len(wanted & held[at]), at))[:count]


def paragraphs(text: str, together: int = 4) -> list[str]:
    """The text in pieces of a few paragraphs."""
    parts = [part for part in text.split("\n\n") if part.strip()]
    return ["\n\n".join(parts[at : at + together]) for at in range(0, len(parts), together)]


def _parsed(file: Path) -> Iterator[dict[str, Any]]:
    text = file.read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadInput(f"unreadable: {file.name}, line {number}: {error}") from error
        if not isinstance(row, dict):
            raise BadInput(f"unreadable: {file.name}, line {number} is no object")
        yield row


def _shuffled(name: str) -> bytes:
    return blake2b(name.encode(), digest_size=8).digest()
