"""Whether a follow-up finds its passages, measured on made-up conversations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.evaluation.loop_followups import OURS, RAW, SELF_STANDING, load_followups, run_followups
from core.models.evidence import EvidenceCandidate
from core.models.request import UserRequest
from core.models.source import IngestReport
from core.ports import PassageIndex
from core.text.tokens import content_words
from tests.stages.language_builders import a_candidate

POOL = [
    {"id": "p1", "text": "Gift cards are valid for ever."},
    {"id": "p2", "text": "Parcels to Canada take 15 days."},
]
HISTORY = [
    {"speaker": "user", "text": "Do you sell gift cards?"},
    {"speaker": "agent", "text": "Yes."},
]
TASKS = [
    {"id": "c1<::>1", "collection": "mt-rag-shop-1", "history": [], "query": "Do you sell cards?",
     "passages": POOL, "gold_ids": ["p1"]},
    {"id": "c1<::>2", "collection": "mt-rag-shop-1", "history": HISTORY, "query": "Do they end?",
     "passages": POOL, "gold_ids": ["p1"]},
    {"id": "c1<::>3", "collection": "mt-rag-shop-1", "history": HISTORY, "query": "And yours?",
     "passages": POOL, "gold_ids": []},
]  # fmt: skip
FORMS = [{"id": "c1<::>2", "question": "Until when are gift cards valid?"}]


class WordHome:
    """A home that finds what shares a word with the question or what was said before it."""

    tenant = "bench"

    def __init__(self) -> None:
        self.rows: list[dict[str, str]] = []

    @property
    def index(self) -> PassageIndex:
        raise AssertionError("only the search is measured")

    def ingest(self, paths: Sequence[Path]) -> IngestReport:
        for path in paths:
            self.rows += [json.loads(line) for line in path.read_text().splitlines()]
        return IngestReport(documents=len(self.rows), passages=len(self.rows))

    def search(
        self, request: UserRequest, *, k: int, reranked: bool = False
    ) -> tuple[EvidenceCandidate, ...]:
        said = " ".join((request.raw_query, *(t.text for t in request.history)))
        asked = set(content_words(said))
        return tuple(
            a_candidate(row["id"], document_id=row["id"])
            for row in self.rows
            if asked & set(content_words(row["text"]))
        )[:k]


def write(path: Path, rows: Sequence[object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    write(tmp_path / "mtrag_human_eval" / "tasks.jsonl", TASKS)
    write(tmp_path / "own" / "followups_self_standing.jsonl", FORMS)
    return tmp_path


def test_only_follow_ups_with_gold_and_a_self_standing_form_are_asked(sets: Path) -> None:
    found = load_followups(sets, own_questions=sets / "own")
    assert [f.task_id for f in found] == ["c1<::>2"]
    assert found[0].self_standing == "Until when are gift cards valid?"


def test_each_reading_is_searched_and_what_ours_loses_is_told(sets: Path) -> None:
    report = run_followups(sets, open_home=lambda _: WordHome(), own_questions=sets / "own")
    whole = {row.reading: row.recall_at_5 for row in report.rows if row.group == "all"}
    assert whole == {RAW: 0.0, OURS: 1.0, SELF_STANDING: 1.0}
    assert [figure.met for figure in report.figures()] == [True, True]
    assert "shop" in report.table()


def test_an_absent_set_is_named(tmp_path: Path) -> None:
    report = run_followups(tmp_path, open_home=lambda _: WordHome(), own_questions=tmp_path)
    assert "mtrag_human_eval" in report.table()
    assert report.figures() == ()


def test_every_self_standing_form_of_ours_is_a_question_or_request_of_its_own() -> None:
    rows = Path("data/bench/followups_self_standing.jsonl").read_text().splitlines()
    forms = [json.loads(row) for row in rows]
    assert len({form["id"] for form in forms}) == len(forms) >= 80
    assert all(len(content_words(form["question"])) >= 2 for form in forms)
