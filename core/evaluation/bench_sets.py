"""The public sets retrieval is measured on, as documents and questions.

The sets lie outside the project (see their own README files); only our questions for the
``abcd_guidelines`` are ours and lie in ``data/bench``. A set that is absent loads as ``None``.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from core.models.request import Turn
from core.text.conversation import in_context

SETS = ("supabase_auth", "clapnq", "cmrc2018_zh", "mtrag_human_eval", "abcd_guidelines")
CHINESE_SETS = frozenset({"cmrc2018_zh"})
OWN_QUESTIONS = Path(__file__).resolve().parents[2] / "data" / "bench"
_CHINESE_SAMPLE = 300
_ROLES = {"user": "customer", "customer": "customer", "agent": "agent"}


class Question(NamedTuple):
    """What is asked and the ids of the documents that answer it.

    ``query`` is the last turn as it was written; ``asked`` is one query that our own rewriting
    makes of it and what was said before. Both are equal without a history.
    """

    query: str
    gold: frozenset[str]
    asked: str
    history: tuple[Turn, ...] = ()


class BenchSet(NamedTuple):
    """Documents as JSON rows and the questions asked of them."""

    name: str
    rows: list[dict[str, str]]
    questions: list[Question]

    @property
    def chinese(self) -> bool:
        """Whether words must be cut as in Chinese."""
        return self.name in CHINESE_SETS

    @property
    def conversational(self) -> bool:
        """Whether some question has earlier turns."""
        return any(question.history for question in self.questions)


def load_set(
    data: Path,
    name: str,
    *,
    own_questions: Path = OWN_QUESTIONS,
    all_chinese: bool = False,
) -> BenchSet | None:
    """One of ``SETS``; ``None`` where its files are absent.

    Of the Chinese questions a fixed sample is taken, or all 3,219 with ``all_chinese``.
    """
    folder = data / name
    if name == "clapnq":
        return _pooled(name, _lines(folder / "clapnq.jsonl"), answerable_only=True)
    if name == "mtrag_human_eval":
        return _pooled(name, _lines(folder / "tasks.jsonl"))
    corpus = "corpus_sections.jsonl" if name == "supabase_auth" else "corpus.jsonl"
    queries = (
        own_questions / "abcd_questions.jsonl"
        if name == "abcd_guidelines"
        else folder / "queries.jsonl"
    )
    rows, asked = _lines(folder / corpus), _lines(queries)
    if not rows or not asked:
        return None
    if name == "cmrc2018_zh" and not all_chinese:
        random.Random(7).shuffle(asked)  # noqa: S311 - a fixed sample, not a secret
        asked = asked[:_CHINESE_SAMPLE]
    return BenchSet(name, [_row(row) for row in rows], [_question(row) for row in asked])


def _pooled(
    name: str, tasks: list[dict[str, Any]], *, answerable_only: bool = False
) -> BenchSet | None:
    """All passages of all tasks are the documents; only tasks with gold passages are asked."""
    rows = {p["id"]: _row(p) for task in tasks for p in task["passages"]}
    questions = [
        _question(task)
        for task in tasks
        if task["gold_ids"] and (task["answerable"] or not answerable_only)
    ]
    return BenchSet(name, list(rows.values()), questions) if questions else None


def _row(row: Mapping[str, Any]) -> dict[str, str]:
    return {"id": str(row["id"]), "title": str(row.get("title", "")), "text": str(row["text"])}


def _question(row: Mapping[str, Any]) -> Question:
    query, history = str(row["query"]).strip(), _turns(row.get("history") or ())
    return Question(
        query=query,
        gold=frozenset(map(str, row["gold_ids"])),
        asked=in_context(query, history).query or query,
        history=history,
    )


def _turns(history: Sequence[Mapping[str, Any]]) -> tuple[Turn, ...]:
    return tuple(
        Turn.model_validate({"role": _ROLES[str(turn["speaker"])], "text": str(turn["text"])})
        for turn in history
    )


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8") as stream:
        return [json.loads(line) for line in stream if line.strip()]
