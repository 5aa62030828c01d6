"""Token rows into batches that waste little, and token vectors into text vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from core.ports import Vectors

Numbers = npt.NDArray[np.int64]

_TOKENS = 512  # what one batch may hold, padding included: about what stays in a core's own cache
_TEXTS = 64


def batches(lengths: Sequence[int]) -> list[list[int]]:
    """Row numbers in batches of like length, the longest first, so that the last ends early.

    A row of any length has a place; a batch of several holds at most 512 tokens with its padding.
    """
    made: list[list[int]] = []
    room = 0
    for number in sorted(range(len(lengths)), key=lambda n: -lengths[n]):
        if not made or len(made[-1]) >= room:
            made.append([])
            room = min(_TEXTS, max(1, _TOKENS // max(1, lengths[number])))
        made[-1].append(number)
    return made


def singles(lengths: Sequence[int]) -> list[list[int]]:
    """Row numbers each by itself, the longest first."""
    return [[number] for number in sorted(range(len(lengths)), key=lambda n: -lengths[n])]


def padded(rows: Sequence[Sequence[int]]) -> tuple[Numbers, Numbers]:
    """Token ids and mask, padded on the right to the longest row."""
    shape = (len(rows), max(map(len, rows)))
    ids, mask = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = row
        mask[number, : len(row)] = 1
    return ids, mask


def pooled(hidden: Vectors, mask: Any) -> Vectors:
    """Mean over the tokens that ``mask`` marks, scaled to unit length."""
    weights = np.asarray(mask, dtype=np.float32)[:, :, None]
    return unit((hidden * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9))


def unit(vectors: Vectors) -> Vectors:
    """Rows scaled to unit length."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float32)
