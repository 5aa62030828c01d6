"""What the last heads weigh of a pair that was read: the first look's verdict and the reader's."""

from __future__ import annotations

import math
from collections.abc import Iterable

READ_FEATURES = (
    "first_relevant",
    "first_evidence",
    "reader_relevant",
    "reader_evidence",
    "reader_states",
    "reader_denies",
)
"""A quarter of the log odds, at most 2 either way. ``states``: entailed or contradicted rather than
neither; ``denies``: contradicted rather than not."""
_SCALE, _MOST = 4.0, 2.0


def read_features(first: Iterable[float], logits: Iterable[float]) -> list[float]:
    """The values of ``READ_FEATURES``: ``first`` are the log odds of *relevant* and *evidence* at
    the first look, ``logits`` the reader's five."""
    relevant, evidence, entailed, neutral, denied = logits
    values = (
        *first,
        relevant,
        evidence,
        _together(entailed, denied) - neutral,
        denied - _together(entailed, neutral),
    )
    return [max(-_MOST, min(_MOST, value / _SCALE)) for value in values]


def _together(one: float, other: float) -> float:
    """Log of the sum of two exponentials."""
    return max(one, other) + math.log1p(math.exp(-abs(one - other)))
