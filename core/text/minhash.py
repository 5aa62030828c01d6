"""Finds pairs of alike texts among many without comparing all with all.

Texts are compared by their frame: runs of three words in which every number counts as the same, so
that a copy with another number is found too. MinHash signatures in bands (LSH) give the candidate
pairs, the exact overlap of the runs decides.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from zlib import crc32

import numpy as np
import numpy.typing as npt

from core.text.language import CJK

Runs = npt.NDArray[np.uint64]

_WORD = re.compile(rf"(?P<n>\d+(?:[.,:/-]\d+)*)|[{CJK}]|[^\W\d_{CJK}]+")
_RUN = 3
_BANDS, _ROWS = 21, 3
"""Pairs that share 60 % of their runs meet in a band 99 times in 100; those with 20 %, 16 times."""
_CROWD = 40
"""Texts of one band compared all with all; of a larger crowd each is compared with the next few."""
_NEAR = 5
_PRIME = np.uint64((1 << 61) - 1)


def frame_runs(text: str) -> Runs:
    """The runs of three words of a text as sorted, distinct hashes; of a shorter text, one."""
    words = ["0" if match["n"] else match[0] for match in _WORD.finditer(text.casefold())]
    if not words:
        return np.empty(0, dtype=np.uint64)
    count = max(1, len(words) - _RUN + 1)
    runs = {crc32(" ".join(words[at : at + _RUN]).encode()) for at in range(count)}
    return np.array(sorted(runs), dtype=np.uint64)


def overlap_of(left: Runs, right: Runs) -> float:
    """Jaccard similarity of two sets of runs, 0..1."""
    if not len(left) or not len(right):
        return 0.0
    shared = len(np.intersect1d(left, right, assume_unique=True))
    return shared / (len(left) + len(right) - shared)


def alike_pairs(runs: Sequence[Runs], *, least: float) -> Iterator[tuple[int, int, float]]:
    """Pairs of places whose runs overlap at least so much, each once, in rising order."""
    for left, right in sorted(_candidates(runs)):
        share = overlap_of(runs[left], runs[right])
        if share >= least:
            yield left, right, share


def _candidates(runs: Sequence[Runs]) -> set[tuple[int, int]]:
    held = [place for place, own in enumerate(runs) if len(own)]
    if not held:
        return set()
    signatures = np.stack([_signature(runs[place]) for place in held])
    pairs: set[tuple[int, int]] = set()
    for band in range(_BANDS):
        buckets: dict[bytes, list[int]] = defaultdict(list)
        rows = np.ascontiguousarray(signatures[:, band * _ROWS : (band + 1) * _ROWS])
        for place, row in zip(held, rows, strict=True):
            buckets[row.tobytes()].append(place)
        for crowd in buckets.values():
            pairs.update(_met(crowd))
    return pairs


def _met(crowd: Sequence[int]) -> Iterator[tuple[int, int]]:
    if len(crowd) <= _CROWD:
        yield from combinations(crowd, 2)
        return
    for at, place in enumerate(crowd):
        yield from ((place, other) for other in crowd[at + 1 : at + 1 + _NEAR])


def _coefficients() -> tuple[Runs, Runs]:
    random = np.random.default_rng(20_240_607)
    count = _BANDS * _ROWS
    factors = random.integers(1, 1 << 28, size=count, dtype=np.uint64)
    shifts = random.integers(0, 1 << 60, size=count, dtype=np.uint64)
    return factors[:, None], shifts[:, None]


_FACTORS, _SHIFTS = _coefficients()


def _signature(runs: Runs) -> Runs:
    """The smallest of each of many shuffles of the runs."""
    shuffled = (_FACTORS * runs[None, :] + _SHIFTS) % _PRIME
    smallest: Runs = shuffled.min(axis=1)
    return smallest
