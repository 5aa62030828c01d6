"""Joins the word side and the vector side of a search.

Two ways. ``rrf`` is reciprocal rank fusion with k = 60 (Cormack, Clarke and Büttcher, SIGIR 2009):
ranks alone count. ``scores``, the default, adds what can be compared between passages: the cosine
to the query, the BM25 score measured against what a word can weigh in a table of this size, the
cosine to the best passages found so far, and how much of the query's neighbouring words, names and
numbers the text holds. A vague question has low BM25 scores everywhere, so its meaning decides; one
that quotes or names things has high ones, so its words do (compare Bruch, Gai and Ingber, TOIS
2023, on why scores beat ranks where they can be put on one scale).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from core.models.plan import Fusion
from core.ports import Vectors
from core.text.identifiers import find_identifiers
from core.text.query_words import QueryWords

RRF_K = 60
_EVEN = 0.5
_LITERAL = 0.7
_QUOTED_OR_CODE = re.compile(
    r"[\"“「『`][^\"”」』`]{2,}[\"”」』`]"  # a phrase in quotes
    r"|\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{4,}\b"  # letters and digits in one word
    r"|\b\w+(?:_\w+)+\b|\b\w+\.\w+\(\)?"  # names from code
)


class Weights(NamedTuple):
    """What each part counts beside the cosine, which counts 1.

    Fitted by coordinate and grid search over nDCG@10 on public development sets: questions of
    QNLI, BIPIA, KG-FPQ and RAMDocs, claims of WiCE, FEVER and SciFact, superseded sentences of
    Basecamp's policies; each in a table of its own (130 to 2,700 passages) and again in one table
    of all (10,264). The optimum is flat, and leaving out any one set moves it by at most one step
    (0.02 words, 0.1 feedback, 0.05 pairs, 0.04 names). Among settings within .005 of the best, the
    one was taken that loses to neither side alone, in nDCG@10 or R@5, on clapnq, supabase_auth,
    abcd_guidelines and mtrag_human_eval. ``alone`` was fitted on Chinese questions.
    """

    words: float = 0.15
    """Times BM25 over the logarithm of the table's size and the root of the number of words."""
    feedback: float = 0.20
    """Times the cosine to the mean of the best four."""
    pairs: float = 0.30
    """Times the share of neighbouring words that stand together in the text."""
    names: float = 0.14
    """Times the share of names and numbers that the text holds."""
    alone: float = 0.15
    """Times ``pairs`` and ``names`` where only words have a vote."""


WEIGHTS = Weights()
_WORDS_AT_MOST = 0.8
_HIGHEST = 1.0 + _WORDS_AT_MOST + WEIGHTS.feedback + WEIGHTS.pairs + WEIGHTS.names
REFINED = 40
"""So many of the best are looked at again by their text; below, the first order stands."""
_FEEDBACK_FROM = 4
_FEWEST_TERMS = 2

Scored = Sequence[tuple[str, float]]
"""Ids and scores of one side, best first."""


class Hit(NamedTuple):
    """An id with its place on both sides (from 1), its cosine to the query and the fused score.

    ``score`` lies in 0..1; ``words`` is the part of it that words gave.
    """

    chunk_id: str
    lexical_rank: int | None
    vector_rank: int | None
    similarity: float | None
    score: float
    words: float


def word_share(query: str) -> float:
    """How much the word side counts in ``rrf``: more when the query names something literally."""
    literal = bool(find_identifiers(query)) or bool(_QUOTED_OR_CODE.search(query))
    return _LITERAL if literal else _EVEN


def fuse(
    *,
    lexical: Scored,
    vector: Scored,
    cosines: Mapping[str, float] | None = None,
    share: float = _EVEN,
    method: Fusion = "scores",
    passages: int = 1_000,
    terms: int = 4,
) -> list[Hit]:
    """Both sides as one list, best first; equal scores keep the order of ids.

    ``vector`` holds cosines; ``cosines`` may add those of ids that only the word side found, so
    that none loses for not having been among the nearest. ``share`` is the word side's weight in
    ``rrf``; ``passages`` the size of the table that the BM25 scores come from, ``terms`` the number
    of words they add up.
    """
    ranks = {name: rank for rank, (name, _) in enumerate(lexical, start=1)}
    vector_ranks = {name: rank for rank, (name, _) in enumerate(vector, start=1)}
    words = _rank_parts(ranks, share) if method == "rrf" else _word_scores(lexical, passages, terms)
    near = dict(cosines or {}) | dict(vector)
    meaning = _rank_parts(vector_ranks, 1 - share) if method == "rrf" else _meaning(near, vector)
    lowest = min(meaning.values(), default=0.0) if method == "scores" else 0.0
    hits = []
    for name in dict.fromkeys([*ranks, *vector_ranks]):
        by_words = words.get(name, 0.0)
        score = by_words + meaning.get(name, lowest)
        hits.append(
            Hit(name, ranks.get(name), vector_ranks.get(name), near.get(name), score, by_words)
        )
    return _in_order(hits)


def refine(
    hits: Sequence[Hit],
    query: QueryWords,
    texts: Mapping[str, str],
    vectors: Mapping[str, Vectors],
) -> list[Hit]:
    """The best of ``hits`` ordered again by their text and their likeness to the very best.

    Only for scores of ``fuse`` by the method ``scores``. ``texts`` must hold the first ``REFINED``
    hits; a passage without a vector counts as unlike the others.
    """
    best, rest = list(hits[:REFINED]), list(hits[REFINED:])
    middle = _middle([vectors[h.chunk_id] for h in best[:_FEEDBACK_FROM] if h.chunk_id in vectors])
    heard = any(hit.similarity is not None for hit in hits)
    again = []
    for hit in best:
        shares = query.shares(texts[hit.chunk_id])
        said = WEIGHTS.pairs * shares.pairs + WEIGHTS.names * shares.names
        said *= 1.0 if heard else WEIGHTS.alone
        vector = vectors.get(hit.chunk_id)
        alike = 0.0 if vector is None or middle is None else max(0.0, float(vector @ middle))
        gain = (said + WEIGHTS.feedback * alike) / _HIGHEST
        again.append(hit._replace(score=hit.score + gain, words=hit.words + said / _HIGHEST))
    return _in_order(again) + rest


def _word_scores(lexical: Scored, passages: int, terms: int) -> dict[str, float]:
    """BM25 grows with the logarithm of the table's size and with the words of the query.

    Over the one and the root of the other, scores of different searches compare.
    """
    scale = WEIGHTS.words / (math.log(2 + passages) * math.sqrt(max(terms, _FEWEST_TERMS)))
    return {name: min(scale * s, _WORDS_AT_MOST) / _HIGHEST for name, s in lexical}


def _meaning(near: Mapping[str, float], vector: Scored) -> dict[str, float]:
    return {n: max(cosine, 0.0) / _HIGHEST for n, cosine in near.items()} if vector else {}


def _rank_parts(ranks: Mapping[str, int], share: float) -> dict[str, float]:
    """Weighted reciprocal ranks, ``share`` for the best place."""
    return {name: share * (RRF_K + 1) / (RRF_K + rank) for name, rank in ranks.items()}


def _middle(vectors: Sequence[Vectors]) -> Vectors | None:
    if not vectors:
        return None
    mean = np.mean(np.stack(vectors), axis=0)
    length = float(np.linalg.norm(mean))
    return np.asarray(mean / length, dtype=np.float32) if length else None


def _in_order(hits: list[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))
