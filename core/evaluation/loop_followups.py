"""Measures whether a follow-up finds its passages: as written, as we read it, and self-standing.

Three readings of each last turn of ``mtrag_human_eval`` search the pool of all passages of its
collection through the product's own search: the turn alone, the turn with its history, and the
self-standing form that a person wrote (``data/bench/followups_self_standing.jsonl``).
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from core.evaluation.bench_sets import OWN_QUESTIONS
from core.evaluation.bench_stats import interval, paired
from core.evaluation.bench_systems import PIECES, READER, Home
from core.evaluation.bench_tables import aligned
from core.evaluation.loop_report import LoopFigure
from core.evaluation.retrieval_metrics import distinct, ndcg_at, recall_at
from core.models.base import Model
from core.models.request import Turn, UserRequest

SET = "mtrag_human_eval"
FORMS = "followups_self_standing.jsonl"
RAW, OURS, SELF_STANDING = "the last turn alone", "with its history", "self-standing form"
READINGS = (RAW, OURS, SELF_STANDING)
MOST_LOST = 5.0
"""Points that reading a follow-up from its history may lose against its self-standing form."""
_AT = 5


class FollowUp(NamedTuple):
    """One last turn with what was said before it, and the same question said by itself."""

    task_id: str
    collection: str
    query: str
    history: tuple[Turn, ...]
    self_standing: str
    gold: frozenset[str]


class FollowUpRow(Model):
    """One reading over a group of follow-ups; ``low`` and ``high`` bound the mean nDCG (95 %)."""

    group: str
    reading: str
    questions: int
    recall_at_5: float
    ndcg_at_5: float
    low: float
    high: float


class FollowUpLoss(Model):
    """Points that our reading loses against the self-standing form; negative where it gains."""

    group: str
    questions: int
    recall: float
    ndcg: float
    ndcg_low: float
    ndcg_high: float


class FollowUpCase(Model):
    """One follow-up: what each reading reached, in the order of ``READINGS``."""

    task_id: str
    group: str
    recall: tuple[float, float, float]
    ndcg: tuple[float, float, float]


class FollowUpReport(Model):
    """All rows; ``skipped`` says why nothing was measured."""

    rows: tuple[FollowUpRow, ...] = ()
    losses: tuple[FollowUpLoss, ...] = ()
    cases: tuple[FollowUpCase, ...] = ()
    skipped: str = ""

    def figures(self) -> tuple[LoopFigure, ...]:
        """Points lost against the self-standing form, by recall and by nDCG."""
        if not self.losses:
            return ()
        whole = self.losses[0]
        shared: dict[str, Any] = {
            "aim": MOST_LOST,
            "direction": "≤",
            "n": whole.questions,
            "unit": "points",
            "note": "against the self-standing form",
        }
        return (
            LoopFigure(name="follow-ups: R@5 points lost", value=whole.recall, **shared),
            LoopFigure(name="follow-ups: nDCG@5 points lost", value=whole.ndcg, **shared),
        )

    def table(self) -> str:
        """Readings by group, then the points lost."""
        if self.skipped:
            return self.skipped
        head = ("follow-ups", "reading", "n", "R@5", "nDCG@5", "95 %")
        rows = [
            (
                r.group,
                r.reading,
                str(r.questions),
                f"{r.recall_at_5:.3f}",
                f"{r.ndcg_at_5:.3f}",
                f"{r.low:.3f}-{r.high:.3f}",
            )
            for r in self.rows
        ]
        lost_head = ("lost against self-standing", "n", "R@5 points", "nDCG@5 points", "95 %")
        lost = [
            (
                loss.group,
                str(loss.questions),
                f"{loss.recall:.1f}",
                f"{loss.ndcg:.1f}",
                f"{loss.ndcg_low:.1f} to {loss.ndcg_high:.1f}",
            )
            for loss in self.losses
        ]
        return f"{aligned(head, rows, left=(0, 1))}\n\n{aligned(lost_head, lost)}"


def load_followups(data: Path, *, own_questions: Path = OWN_QUESTIONS) -> tuple[FollowUp, ...]:
    """The follow-ups that have gold passages and a self-standing form; none where a file lacks."""
    forms = {row["id"]: str(row["question"]) for row in _lines(own_questions / FORMS)}
    return tuple(
        FollowUp(
            task_id=task["id"],
            collection=task["collection"],
            query=str(task["query"]).strip(),
            history=_turns(task["history"]),
            self_standing=forms[task["id"]],
            gold=frozenset(map(str, task["gold_ids"])),
        )
        for task in _lines(data / SET / "tasks.jsonl")
        if task["id"] in forms and task["history"] and task["gold_ids"]
    )


def run_followups(
    data: Path,
    *,
    open_home: Callable[[Path], Home],
    own_questions: Path = OWN_QUESTIONS,
    limit: int | None = None,
) -> FollowUpReport:
    """Search every follow-up in its three readings, each collection in a home of its own.

    ``limit`` takes only the first so many follow-ups. An absent set gives a report that says so.
    """
    found = load_followups(data, own_questions=own_questions)[:limit]
    if not found:
        return FollowUpReport(skipped=f"skipped: {SET} is not in {data}")
    cases: list[FollowUpCase] = []
    for collection in dict.fromkeys(f.collection for f in found):
        with tempfile.TemporaryDirectory(prefix="countersign-followups-") as folder:
            home = _home(data, collection, open_home(Path(folder)), Path(folder))
            cases += [_measured(home, f) for f in found if f.collection == collection]
    groups = dict.fromkeys(case.group for case in cases)
    parted = {"all": cases} | {g: [c for c in cases if c.group == g] for g in groups}
    return FollowUpReport(
        rows=tuple(row for name, group in parted.items() for row in _rows(name, group)),
        losses=tuple(_loss(name, group) for name, group in parted.items()),
        cases=tuple(cases),
    )


def _home(data: Path, collection: str, home: Home, folder: Path) -> Home:
    """``home`` with every passage that any task of ``collection`` came with."""
    pool = {
        p["id"]: {"id": p["id"], "title": str(p.get("title", "")), "text": p["text"]}
        for task in _lines(data / SET / "tasks.jsonl")
        if task["collection"] == collection
        for p in task["passages"]
    }
    file = folder / "rows.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in pool.values()), encoding="utf-8")
    home.ingest([file])
    return home


def _measured(home: Home, follow_up: FollowUp) -> FollowUpCase:
    rankings = (
        _ranking(home, follow_up.query),
        _ranking(home, follow_up.query, follow_up.history),
        _ranking(home, follow_up.self_standing),
    )
    recalls = [recall_at(ranking, follow_up.gold, _AT) for ranking in rankings]
    gains = [ndcg_at(ranking, follow_up.gold, _AT) for ranking in rankings]
    return FollowUpCase(
        task_id=follow_up.task_id,
        group=_short(follow_up.collection),
        recall=(recalls[0], recalls[1], recalls[2]),
        ndcg=(gains[0], gains[1], gains[2]),
    )


def _ranking(home: Home, text: str, history: tuple[Turn, ...] = ()) -> tuple[str, ...]:
    request = UserRequest(
        request_id="bench",
        tenant_id=home.tenant,
        user_id=READER,
        raw_query=text,
        history=history,
        channel="batch",
    )
    found = home.search(request, k=PIECES)
    return distinct(
        name for c in found for name in (c.document_id, *(o.document_id for o in c.also_in))
    )


def _turns(history: Sequence[Mapping[str, str]]) -> tuple[Turn, ...]:
    return tuple(
        Turn(role="agent" if turn["speaker"] == "agent" else "customer", text=turn["text"])
        for turn in history
    )


def _short(collection: str) -> str:
    return next((p for p in collection.split("-") if p not in ("mt", "rag")), collection)


def _rows(group: str, cases: Sequence[FollowUpCase]) -> list[FollowUpRow]:
    rows = []
    for place, reading in enumerate(READINGS):
        gains = [case.ndcg[place] for case in cases]
        low, high = interval(gains)
        rows.append(
            FollowUpRow(
                group=group,
                reading=reading,
                questions=len(cases),
                recall_at_5=_mean([case.recall[place] for case in cases]),
                ndcg_at_5=_mean(gains),
                low=low,
                high=high,
            )
        )
    return rows


def _loss(group: str, cases: Sequence[FollowUpCase]) -> FollowUpLoss:
    written, ours = [c.ndcg[2] for c in cases], [c.ndcg[1] for c in cases]
    low, high = paired(written, ours)
    return FollowUpLoss(
        group=group,
        questions=len(cases),
        recall=100 * _mean([c.recall[2] - c.recall[1] for c in cases]),
        ndcg=100 * _mean([w - o for w, o in zip(written, ours, strict=True)]),
        ndcg_low=100 * low,
        ndcg_high=100 * high,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    with path.open(encoding="utf-8") as stream:
        return [json.loads(line) for line in stream if line.strip()]
