"""What a reading of the pair adds to the features of the first look."""

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
"""Log odds, a quarter of them, at most 2 either way: what two first-look heads said, and the
reader's. ``states``: entailed or contradicted rather than neither; ``denies``: contradicted."""
_SCALE, _MOST = 4.0, 2.0


def read_features(relevant: float, evidence: float, logits: Iterable[float]) -> list[float]:
    """The values of ``READ_FEATURES``. ``relevant`` and ``evidence`` are the first look's, 0..1;
    ``logits`` the reader's five."""
    on, stated, entailed, neutral, denied = (float(value) for value in logits)
    values = (
        _odds(relevant),
        _odds(evidence),
        on,
        stated,
        _together(entailed, denied) - neutral,
        denied - _together(entailed, neutral),
    )
    return [max(-_MOST, min(_MOST, value / _SCALE)) for value in values]


def _odds(share: float) -> float:
    inside = min(1 - 1e-4, max(1e-4, share))
    return math.log(inside / (1 - inside))


def _together(one: float, other: float) -> float:
    """Log of the sum of two exponentials."""
    return max(one, other) + math.log1p(math.exp(-abs(one - other)))
