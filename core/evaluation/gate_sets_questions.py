"""Sets that say whether a passage is on a question's subject and whether it states the answer."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from core.evaluation.gate_sets import GateRow, SetSource, Sources, nearest
from core.evaluation.gate_split import held_back
from core.text.tokens import content_words

_CHINESE_QUESTIONS = 150
_NEAR, _FAR = 2, 1
_SEED = 7


def clapnq_own(sources: Sources) -> Iterator[GateRow]:
    """A question beside its own passage, which answers it or only is on its subject."""
    for row in _held(sources, "clapnq", sources.lines("clapnq/clapnq.jsonl")):
        own, answers = row["passages"][0], bool(row["answerable"])
        yield GateRow(
            group=row["id"],
            query=row["query"],
            text=own["text"],
            title=own["title"],
            kind="answers" if answers else "on the subject",
            relevant=1,
            evidence=int(answers),
            gold=answers,
        )


def clapnq_pool(sources: Sources) -> Iterator[GateRow]:
    """Answerable questions beside their own passage and those of other questions."""
    rows = sources.lines("clapnq/clapnq.jsonl")
    pool = [(p["title"], p["text"]) for row in rows for p in row["passages"]]
    asked = [
        (row["id"], row["query"], (row["passages"][0]["title"], row["passages"][0]["text"]))
        for row in _held(sources, "clapnq", [row for row in rows if row["answerable"]])
    ]
    yield from _beside_others(asked, pool)


def cmrc_zh(sources: Sources) -> Iterator[GateRow]:
    """Chinese questions beside the paragraph they were written on and others, made up alike."""
    corpus = {r["id"]: (r["title"], r["text"]) for r in sources.lines("cmrc2018_zh/corpus.jsonl")}
    limit = min(_CHINESE_QUESTIONS, sources.limit or _CHINESE_QUESTIONS)
    queries = sources.lines("cmrc2018_zh/queries.jsonl")
    chosen = _held(sources._replace(limit=limit), "cmrc_zh", queries)
    asked = [(row["id"], row["query"], corpus[row["gold_ids"][0]]) for row in chosen]
    yield from _beside_others(asked, list(corpus.values()))


def mtrag(sources: Sources) -> Iterator[GateRow]:
    """First turns beside the passages people found for them, and other tasks' passages."""
    tasks = [t for t in sources.lines("mtrag_human_eval/tasks.jsonl") if not t["history"]]
    chance = random.Random(_SEED)  # noqa: S311 - sampling, not secrecy
    for task in _held(sources, "mtrag", tasks):
        answer = {"ANSWERABLE": 1, "UNANSWERABLE": 0}.get(task["answerability"])
        for passage in task["passages"]:
            yield GateRow(
                group=task["id"],
                query=task["query"],
                text=passage["text"],
                kind=task["answerability"].lower(),
                relevant=1,
                evidence=answer,
                gold=answer == 1,
            )
        others = [
            p["text"] for other in tasks if other["id"] != task["id"] for p in other["passages"]
        ]
        for text in chance.sample(others, min(3, len(others))):
            yield GateRow(task["id"], task["query"], text, "", "other", relevant=0, evidence=0)


def ramdocs(sources: Sources) -> Iterator[GateRow]:
    """Passages that state a value (true or not) against noise, and other questions' passages."""
    rows = sources.lines("ramdocs/ramdocs.jsonl")
    chance = random.Random(_SEED)  # noqa: S311 - sampling, not secrecy
    for row in _held(sources, "ramdocs", rows):
        for passage in row["passages"]:
            states = passage["label"] != "noise"
            yield GateRow(
                group=row["id"],
                query=row["query"],
                text=passage["text"],
                kind="states a value" if states else "noise",
                relevant=1 if states else None,
                evidence=int(states),
            )
        other = chance.choice(rows)
        if other["id"] != row["id"]:
            text = chance.choice(other["passages"])["text"]
            yield GateRow(row["id"], row["query"], text, "", "other", relevant=0, evidence=0)


def qnli(sources: Sources) -> Iterator[GateRow]:
    """A question and one sentence, which holds the answer or stands beside the one that does."""
    rows = [
        {**r, "id": str(at)}
        for at, r in enumerate(sources.lines("rel_qnli_mini/rel_qnli_mini.jsonl"))
    ]
    for row in _held(sources, "qnli", rows):
        yield _sentence(row)


def wice(sources: Sources) -> Iterator[GateRow]:
    """A claim and one sentence of the page cited for it, which bears it or does not."""
    for row in _held(sources, "wice", sources.lines("rel_wice/rel_wice.jsonl")):
        yield _sentence(row)


def _sentence(row: dict[str, Any]) -> GateRow:
    holds = int(row["label"])
    kind = "holds the answer" if holds else "does not"
    on = 1 if holds else None
    return GateRow(row["id"], row["query"], row["passage"], "", kind, relevant=on, evidence=holds)


def _held(sources: Sources, source: str, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    chosen = [row for row in rows if held_back(source, row["id"])]
    return sources.kept(chosen, lambda row: str(row["id"]))


def _beside_others(
    asked: Sequence[tuple[str, str, tuple[str, str]]], pool: Sequence[tuple[str, str]]
) -> Iterator[GateRow]:
    """Each question beside its own passage, the nearest others by words, and one at random.

    An other passage is of another title: of the same one it might answer too.
    """
    held = [frozenset(content_words(f"{title} {text}")) for title, text in pool]
    chance = random.Random(_SEED)  # noqa: S311 - sampling, not secrecy
    for group, query, (title, text) in asked:
        yield GateRow(group, query, text, title, "own", relevant=1, evidence=1, gold=True)
        others = [at for at, (other, _) in enumerate(pool) if other != title]
        near = nearest(frozenset(content_words(query)), held, others, _NEAR)
        far = chance.sample([at for at in others if at not in near], min(_FAR, len(others)))
        for at in (*near, *far):
            kind = "near" if at in near else "random"
            yield GateRow(group, query, pool[at][1], pool[at][0], kind, relevant=0, evidence=0)


QUESTION_SETS = (
    SetSource("clapnq", clapnq_own, "own passage: answerable against unanswerable", "clapnq"),
    SetSource(
        "clapnq_pool", clapnq_pool, "answerable: own passage against other questions'", "clapnq"
    ),
    SetSource("rel_wice", wice, "claims, not questions; one sentence each", "wice"),
    SetSource("rel_qnli_mini", qnli, "one sentence each", "qnli"),
    SetSource("ramdocs", ramdocs, "a stated value, true or not, against noise", "ramdocs"),
    SetSource("mtrag_human_eval", mtrag, "a handful of first turns: a smoke test", "mtrag"),
    SetSource("cmrc2018_zh", cmrc_zh, "Chinese; made up as clapnq_pool", "cmrc_zh"),
)
