"""What the gate is measured against: how alike the texts are, and scanners from elsewhere."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from core.evaluation.gate_sets import GateRow
from core.models.evidence import GateQuestion
from core.ports import Encoder
from core.text.tokens import content_words


class Scanner(Protocol):
    """An injection scanner from elsewhere, over one text at a time."""

    @property
    def about(self) -> str:
        """Package, version, licence and setting, in one line for the report."""
        ...

    def scan(self, text: str) -> tuple[float, bool]:
        """How suspicious the text is (any scale, more is worse) and whether it is flagged."""
        ...


Scanners = Mapping[str, Callable[[], Scanner]]
"""How to open each scanner; opening raises ``Unavailable`` where it is not installed."""


class Judged(NamedTuple):
    """A baseline's scores for rows, and its own verdicts (1 is flagged) where it gives any."""

    scores: Sequence[float]
    verdicts: Sequence[float] | None = None


class Likeness(Protocol):
    """How alike query and passage are, one score a row."""

    @property
    def name(self) -> str:
        """As the tables call it."""
        ...

    @property
    def about(self) -> str:
        """How it is made, in one line for the report."""
        ...

    def score(self, rows: Sequence[GateRow]) -> list[float]:
        """A score for each row, in order."""
        ...


class TermOverlap:
    """Share of the query's words found in the passage, rare words counting more."""

    name = "term overlap"
    about = (
        "term overlap: IDF-weighted share of the query's stemmed words (Chinese: character pairs) "
        "in title and passage; rarity over the set's own passages"
    )

    def score(self, rows: Sequence[GateRow]) -> list[float]:
        """Shares, 0..1."""
        whole = [_whole(row) for row in rows]
        held = {text: frozenset(content_words(text)) for text in dict.fromkeys(whole)}
        seen = Counter(word for words in held.values() for word in words)
        rarity = {word: math.log(1 + len(held) / count) for word, count in seen.items()}
        rarest = math.log(1 + len(held))
        pairs = zip(rows, whole, strict=True)
        return [_covered(row.query, held[text], rarity, rarest) for row, text in pairs]


class CosineOnly:
    """Cosine of the query's and the whole passage's vector from the packaged encoder."""

    name = "cosine only"
    about = "cosine only: query and whole passage in the packaged encoder, nothing else"

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def score(self, rows: Sequence[GateRow]) -> list[float]:
        """Cosines, -1..1; each text is encoded once."""
        queries = list(dict.fromkeys(row.query for row in rows))
        texts = list(dict.fromkeys(_whole(row) for row in rows))
        asked = self._encoder.encode_queries(queries)
        held = self._encoder.encode(texts)
        at_query = {query: place for place, query in enumerate(queries)}
        at_text = {text: place for place, text in enumerate(texts)}
        pairs = [(asked[at_query[r.query]], held[at_text[_whole(r)]]) for r in rows]
        return [float(np.dot(one, other)) for one, other in pairs]


def judged_by_likeness(
    likeness: Likeness, question: GateQuestion, rows: Sequence[GateRow]
) -> Judged:
    """The likeness as an answer to ``question``: a denied premise is *less* like its passage."""
    scores = likeness.score(rows)
    return Judged([-score for score in scores] if question == "contradicts" else scores)


def judged_by_scanner(scanner: Scanner, rows: Sequence[GateRow]) -> Judged:
    """A scanner's scores and verdicts."""
    found = [scanner.scan(row.text) for row in rows]
    return Judged([score for score, _ in found], [float(flagged) for _, flagged in found])


def _whole(row: GateRow) -> str:
    above = " > ".join(part for part in (row.title, *row.heading) if part)
    return f"{above}\n{row.text}" if above else row.text


def _covered(query: str, held: frozenset[str], rarity: Mapping[str, float], rarest: float) -> float:
    wanted = {word: rarity.get(word, rarest) for word in content_words(query)}
    total = sum(wanted.values())
    return sum(weight for word, weight in wanted.items() if word in held) / total if total else 0.0
