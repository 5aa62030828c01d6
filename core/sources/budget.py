"""The time one file may take, and what is said of one that takes too long or crashes."""

from __future__ import annotations

import time

from core.models.source import IngestFailure
from core.sources.limits import ReadLimits

_SIMPLER = "open it in its own program and save it again, or split it"


class Budget:
    """Counts the time spent waiting for a file: since its last sign of life, and in all.

    An ``endless`` file of rows is only ever asked for its next row.
    """

    def __init__(self, limits: ReadLimits, *, endless: bool) -> None:
        self._limits, self._endless = limits, endless
        self._waited = 0.0
        self._since = 0.0

    def start(self) -> float:
        """Begin to wait; returns the seconds to wait at most."""
        self._since = time.monotonic()
        left = self._limits.steps_seconds - self._waited
        return max(0.0, min(self._limits.seconds, left))

    def stop(self) -> None:
        """An answer came."""
        if not self._endless:
            self._waited += time.monotonic() - self._since


def hung(item: str, limits: ReadLimits) -> IngestFailure:
    """A file that went without a sign of progress, or took too long in all."""
    return IngestFailure(
        path=item,
        reason=f"reading it was given up: no progress for {limits.seconds:g} s, or more than "
        f"{limits.steps_seconds:g} s in all",
        fix=_SIMPLER,
    )


def crashed(item: str) -> IngestFailure:
    """A file whose reading took the process down."""
    return IngestFailure(
        path=item, reason="reading it broke the reading process, which was restarted", fix=_SIMPLER
    )
