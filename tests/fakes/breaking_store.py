"""Review stores that break at a chosen moment, around a real one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from core.review.store import ReviewStore, ReviewTransaction


class BreakingStore:
    """The real store; an audit event of one kind raises ``error`` inside the transaction."""

    def __init__(self, inner: ReviewStore, kind: str, error: BaseException) -> None:
        self._inner, self._kind, self._error = inner, kind, error

    def read(self) -> AbstractContextManager[ReviewTransaction]:
        return self._inner.read()

    @contextmanager
    def write(self) -> Iterator[ReviewTransaction]:
        with self._inner.write() as txn:
            audit = txn.audit

            def breaking(**fields: Any) -> Any:
                if fields["kind"] == self._kind:
                    raise self._error
                return audit(**fields)

            txn.audit = breaking  # type: ignore[method-assign]
            yield txn


class InterruptedStore:
    """The real store; ``between`` happens once, right before the first write."""

    def __init__(self, inner: ReviewStore, between: Callable[[], None]) -> None:
        self._inner, self._between = inner, [between]

    def read(self) -> AbstractContextManager[ReviewTransaction]:
        return self._inner.read()

    def write(self) -> AbstractContextManager[ReviewTransaction]:
        if self._between:
            self._between.pop()()
        return self._inner.write()
