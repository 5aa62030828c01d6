# ruff: noqa: E501 - a row of weights reads better unbroken
"""Which of a passage's possible values answers the question: fitted weights, or none of them.

One choice a passage among its candidates and "none" (a softmax), its weights fitted for each kind
of question on the rows with odd ids of the public set RAMDocs (MIT); the even ones were held out.
The passages of one question are read together: a value that others bear counts more, and one that
stands where a copy of the text has another is what the copy disagrees on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.text.answer_type import expected_type
from core.text.entities import copied
from core.text.value_candidates import Candidate, asks_for_listed, value_candidates
from core.text.value_cues import cues

ENOUGH = -0.7
"""Log-odds against "none" from which a passage's best value counts as given."""


class Weights(NamedTuple):
    """One weight a feature: those of ``value_candidates``, of ``value_cues``, and "altered"."""

    weights: tuple[float, ...]
    bias: float


_WEIGHTS = {
    "date": Weights(
        (0.8, 0.71, 1.36, 0.14, 0.26, -0.06, 0.24, -0.26, -0.19, 0.36, 1.72, 0.55, -1.35, -0.69, 0.0, 0.0, 3.03, 1.76), -1.38
    ),
    "listed": Weights(
        (0.48, -0.24, 0.23, 0.3, -0.23, -0.04, 0.68, 0.0, -0.13, 0.48, 0.74, -0.43, -0.07, -0.45, 0.58, 0.0, 2.01, 0.3), 0.81
    ),
    "number": Weights(
        (1.45, 1.26, 0.83, -0.58, 0.67, -0.28, 2.28, -0.04, -1.16, -0.01, 1.78, 2.23, -0.06, -0.64, -1.74, 0.0, 0.83, 0.87), -3.06
    ),
    "open": Weights(
        (0.69, 0.65, 0.57, 1.1, 0.01, -0.18, 0.35, -0.01, -0.01, 0.58, 0.92, -0.16, 0.0, -0.36, -0.23, -0.39, 1.06, 0.96), -4.48
    ),
    "person": Weights(
        (1.15, 1.04, 0.82, -0.43, 0.94, 0.63, 1.11, 0.86, 1.49, -0.35, 1.23, 0.99, 0.61, -0.5, -2.1, 0.22, 3.27, 1.74), -3.39
    ),
    "place": Weights(
        (1.06, 0.59, 0.52, 0.62, 0.82, 0.16, 0.6, 0.0, 0.0, -0.56, -0.14, -0.91, 0.0, 0.0, 0.0, -1.08, 0.46, 1.39), -2.01
    ),
}  # fmt: skip
_KINDS = {
    "date": "date",
    "number": "number",
    "money": "number",
    "duration": "number",
    "person": "person",
    "place": "place",
}


def best_values(query: str, texts: Sequence[str]) -> tuple[Candidate | None, ...]:
    """The value each text most likely gives in answer to ``query``; ``None`` where it gives none."""
    kind = "listed" if asks_for_listed(query) else _KINDS.get(expected_type(query), "open")
    return tuple(_best(query, kind, text, texts) for text in texts)


def _best(query: str, kind: str, text: str, texts: Sequence[str]) -> Candidate | None:
    candidates = value_candidates(query, text)
    if not candidates:
        return None
    copies = [other for other in texts if other != text and copied(text, other)]
    others = [other for other in texts if other != text and other not in copies]
    scored = [(_score(kind, query, text, c, others, copies), c) for c in candidates]
    score, best = max(scored, key=lambda pair: pair[0])
    return best if score >= ENOUGH else None


def _score(
    kind: str,
    query: str,
    text: str,
    candidate: Candidate,
    others: Sequence[str],
    copies: Sequence[str],
) -> float:
    value = candidate.value
    around = cues(query, text, candidate.start, candidate.end, value, others)
    altered = any(value.casefold() not in copy.casefold() for copy in copies)
    features = (*candidate.features, *around, float(altered))
    chosen = _WEIGHTS[kind]
    return chosen.bias + sum(w * f for w, f in zip(chosen.weights, features, strict=True))
