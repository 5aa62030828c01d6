"""Sets of long documents to be cut, and what is asked of them.

Only long documents show how well a text is cut, so sets of short passages are joined into longer
documents first.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

SETS = ("basecamp_policies", "supabase_auth", "clapnq", "cmrc2018_zh")
_JOINED = {"clapnq": 6, "cmrc2018_zh": 5}
"""Passages joined into one document, where a set has only short ones."""
_CORPORA = {"basecamp_policies": "corpus.jsonl", "supabase_auth": "corpus_docs.jsonl"}
_CHINESE_PASSAGES = 250
_CHINESE_QUERIES = 150


class Asked(NamedTuple):
    """A query, the document that answers it, and groups of quotes.

    A passage holds a group when every quote of it stands in that one passage.
    """

    query: str
    gold: str
    answers: tuple[tuple[str, ...], ...]


class LongSet(NamedTuple):
    """Documents long enough to be cut, and the questions asked of them."""

    name: str
    texts: Mapping[str, tuple[str, str]]
    questions: Sequence[Asked]


def load_long_set(data: Path, name: str, questions: Path) -> LongSet | None:
    """One of ``SETS`` as long documents; ``None`` where its files are absent."""
    folder = data / name
    if name in _CORPORA:
        rows = _lines(folder / _CORPORA[name])
        asked = [q for q in _lines(questions) if q["set"] == name]
        texts = {row["id"]: (row["title"], row["text"]) for row in rows}
        found = [Asked(q["query"], q["gold_ids"][0], (tuple(q["answer"]),)) for q in asked]
    elif name == "clapnq":
        texts, found = _clapnq(_lines(folder / "clapnq.jsonl"))
    else:
        texts, found = _cmrc(_lines(folder / "corpus.jsonl"), _lines(folder / "queries.jsonl"))
    return LongSet(name, texts, found) if texts and found else None


def _clapnq(tasks: list[dict[str, Any]]) -> tuple[dict[str, tuple[str, str]], list[Asked]]:
    passages = {p["id"]: p for task in tasks for p in task["passages"]}
    texts, home = _joined(passages.values(), _JOINED["clapnq"])
    asked = [
        Asked(task["query"], home[task["gold_ids"][0]], tuple((s,) for s in supports))
        for task in tasks
        if task["answerable"] and task["gold_ids"] and (supports := task["support_sentences"])
    ]
    return texts, asked


def _cmrc(
    rows: list[dict[str, Any]], queries: list[dict[str, Any]]
) -> tuple[dict[str, tuple[str, str]], list[Asked]]:
    texts, home = _joined(rows[:_CHINESE_PASSAGES], _JOINED["cmrc2018_zh"])
    fitting = [q for q in queries if q["gold_ids"][0] in home and q["answer"]]
    random.Random(7).shuffle(fitting)  # noqa: S311 - a fixed sample, not a secret
    asked = [
        Asked(q["query"], home[q["gold_ids"][0]], ((q["answer"][0],),))
        for q in fitting[:_CHINESE_QUERIES]
    ]
    return texts, asked


def _joined(
    rows: Iterable[Mapping[str, Any]], together: int
) -> tuple[dict[str, tuple[str, str]], dict[str, str]]:
    """Neighbours as one text without headings: where a topic ends is for the chunker to see."""
    held = list(rows)
    texts: dict[str, tuple[str, str]] = {}
    home: dict[str, str] = {}
    for first in range(0, len(held), together):
        group = held[first : first + together]
        name = f"joined-{first // together:04d}"
        texts[name] = (f"Volume {first // together + 1}", "\n\n".join(r["text"] for r in group))
        home |= {row["id"]: name for row in group}
    return texts, home


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8") as stream:
        return [json.loads(line) for line in stream if line.strip()]
