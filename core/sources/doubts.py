"""Warnings that many documents share, said once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_NAMED = 3


class Doubts:
    """Collects warnings about documents; what a whole folder shares fills no screen."""

    def __init__(self) -> None:
        self._items: dict[str, list[str]] = {}

    def add(self, item: str, warnings: Iterable[str]) -> None:
        """Remember what is doubtful about ``item``."""
        for warning in warnings:
            self._items.setdefault(warning, []).append(item)

    def said(self) -> Iterator[str]:
        """Each warning with the items it is about: a line for each of a few, one for many."""
        for warning, items in self._items.items():
            if len(items) <= _NAMED:
                yield from (f"{item}: {warning}" for item in items)
            else:
                yield f"{', '.join(items[:_NAMED])} and {len(items) - _NAMED} more: {warning}"
