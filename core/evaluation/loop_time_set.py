"""Dated versions of real policies, and our questions about the days on which they held.

The versions are those of ``basecamp_policies`` (outside the project; text CC BY 4.0, 37signals /
Basecamp). Each holds from its date until the next version of its document begins. A changed value
whose older version is kept only as a paragraph becomes a version of that paragraph alone, so that
every changed value can be asked for on its own day.
"""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple

from core.models.base import Model

SET = "basecamp_policies"
QUESTIONS = "dated_questions.jsonl"
QuestionKind = Literal["at", "dated", "now", "compare", "before", "before_any"]


class DatedText(NamedTuple):
    """One version of a document: in force from ``first``, up to and not including ``end``."""

    doc: str
    title: str
    text: str
    first: date
    end: date | None

    @property
    def document_id(self) -> str:
        """The version's own id."""
        return f"{self.doc}@{self.first.isoformat()}"

    def row(self) -> dict[str, str]:
        """The version as a line to take in, with its governance."""
        row = {
            "id": self.document_id,
            "source_id": self.doc,
            "title": self.title or self.doc,
            "text": self.text,
            "owner": "policies",
            "authority": "official_policy",
            "status": "active" if self.end is None else "superseded",
            "version": self.first.isoformat(),
            "valid_from": self.first.isoformat(),
            "last_reviewed": self.first.isoformat(),
        }
        return row if self.end is None else row | {"valid_to": self.end.isoformat()}


class DatedQuestion(Model):
    """One question. ``days`` are those whose versions answer it, ``None`` standing for today.

    ``at`` is the day it is asked on, where that is not today. Of ``values`` each belongs to the day
    at its place where two days are compared; else all must be said. ``not_values`` are those of
    other versions.
    """

    id: str
    kind: QuestionKind
    doc: str
    question: str
    days: tuple[date | None, ...]
    at: date | None = None
    values: tuple[str, ...] = ()
    not_values: tuple[str, ...] = ()


def load_versions(data: Path) -> tuple[DatedText, ...]:
    """All versions, document by document, oldest first; empty where the set is absent."""
    chains: dict[str, dict[date, tuple[str, str]]] = defaultdict(dict)
    for row in _lines(data / SET / "versions.jsonl"):
        chains[row["doc"]][date.fromisoformat(row["date"])] = (row["title"], row["text"])
    for row in _lines(data / SET / "changed_values.jsonl"):
        chain = chains.get(row["doc"], {})
        for side in (row["old"], row["new"]):
            known = any(side["text"] in text for _, text in chain.values())
            if chain and not known:
                chain[date.fromisoformat(side["date"])] = (row["title"], side["text"])
    return tuple(v for doc, chain in sorted(chains.items()) for v in _dated(doc, chain))


def _dated(doc: str, chain: dict[date, tuple[str, str]]) -> list[DatedText]:
    days = sorted(chain)
    ends: list[date | None] = [*(later for _, later in pairwise(days)), None]
    return [DatedText(doc, *chain[day], day, end) for day, end in zip(days, ends, strict=True)]


def load_questions(path: Path) -> tuple[DatedQuestion, ...]:
    """Our own questions."""
    return tuple(_question(row) for row in _lines(path))


def _question(row: dict[str, Any]) -> DatedQuestion:
    days = row.get("days") or [row.get("day") or row.get("at") or "now"]
    return DatedQuestion(
        id=row["id"],
        kind=row["kind"],
        doc=row["doc"],
        question=row["question"],
        days=tuple(None if day == "now" else date.fromisoformat(day) for day in days),
        at=date.fromisoformat(row["at"]) if row.get("at") else None,
        values=tuple(row["values"]),
        not_values=tuple(row.get("not_values", ())),
    )


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8") as stream:
        return [json.loads(line) for line in stream if line.strip()]
