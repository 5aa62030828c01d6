"""Ids that count, so tests can name them."""

from __future__ import annotations


class CountingIds:
    """``new("case")`` gives ``case_000001``, then ``case_000002``: sortable, predictable."""

    def __init__(self) -> None:
        self._last = 0

    def new(self, prefix: str) -> str:
        self._last += 1
        return f"{prefix}_{self._last:06d}"
