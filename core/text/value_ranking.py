"""Which of a passage's possible values answers the question: fitted weights, or none of them.

Ridge logistic regressions over ``value_candidates.FEATURES``, one for each kind of question, fitted
on the public set RAMDocs (MIT). On five folds of its 250 questions: a conflict (two or more values
stated) is found with precision .86 and recall .90 at ``ENOUGH``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from core.text.answer_type import expected_type
from core.text.value_candidates import Candidate, asks_for_listed, value_candidates

ENOUGH = 0.15
"""A passage whose best value is less likely than this states none."""


class Weights(NamedTuple):
    """One weight a feature, in the order of ``FEATURES``."""

    weights: tuple[float, ...]
    bias: float


_WEIGHTS = {
    "date": Weights(
        (2.045, 1.001, 1.825, -1.018, 2.189, 3.654, 0.535, -3.047, 0.474, -0.449), -3.845
    ),
    "listed": Weights(
        (0.587, 0.251, -0.5, -0.076, 1.16, 2.657, 1.221, 0.0, -0.149, -0.196), -1.452
    ),
    "number": Weights(
        (3.534, 0.232, 0.181, -0.732, 1.402, 2.363, 2.795, -3.882, -4.007, -0.231), -4.921
    ),
    "open": Weights(
        (2.375, -0.174, -0.243, 0.765, -0.619, 2.325, 0.791, -2.52, 1.541, 0.558), -4.998
    ),
    "person": Weights(
        (1.222, 0.867, 0.695, -0.715, 0.967, 4.746, 0.209, 1.388, 1.444, 0.071), -4.466
    ),
    "place": Weights((3.287, 0.724, 0.325, 1.022, 1.316, 11.091, 0.953, 0.0, 0.0, -0.476), -6.874),
}
_KINDS = {
    "date": "date",
    "number": "number",
    "money": "number",
    "duration": "number",
    "person": "person",
    "place": "place",
}


def best_value(query: str, text: str) -> Candidate | None:
    """The value ``text`` most likely gives in answer to ``query``; ``None`` when it gives none."""
    candidates = value_candidates(query, text)
    if not candidates:
        return None
    kind = "listed" if asks_for_listed(query) else _KINDS.get(expected_type(query), "open")
    best = max(candidates, key=lambda c: _likely(kind, c.features))
    return best if _likely(kind, best.features) >= ENOUGH else None


def _likely(kind: str, features: Sequence[float]) -> float:
    chosen = _WEIGHTS[kind]
    score = chosen.bias + sum(w * f for w, f in zip(chosen.weights, features, strict=True))
    return 1.0 / (1.0 + math.exp(-score))
