"""Sign-in sessions: a random ticket in an HttpOnly cookie, its meaning kept on the server.

The table lives in memory: a restart signs everybody out, and nothing that could be stolen from a
disk or a URL signs anybody in. Several replicas sign people in through OIDC instead.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from hashlib import sha256

COOKIE = "countersign_session"
HOURS = 12


class Tickets:
    """Tickets by their hash. ``seconds`` is a monotonic clock in seconds."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._users: dict[str, tuple[str, float]] = {}

    def begin(self, user_id: str) -> str:
        """A fresh ticket for ``user_id``, good for ``HOURS`` hours."""
        ticket = secrets.token_urlsafe(32)
        ends = self._seconds() + HOURS * 3600
        with self._lock:
            self._users = {k: v for k, v in self._users.items() if v[1] > self._seconds()}
            self._users[_key(ticket)] = (user_id, ends)
        return ticket

    def user_of(self, ticket: str) -> str | None:
        """Whose ticket this is, or ``None`` for one unknown or run out."""
        with self._lock:
            found = self._users.get(_key(ticket)) if ticket else None
        return found[0] if found and found[1] > self._seconds() else None

    def end(self, ticket: str) -> None:
        """Make the ticket worthless. Unknown tickets are ignored."""
        with self._lock:
            self._users.pop(_key(ticket), None)


def _key(ticket: str) -> str:
    return sha256(ticket.encode()).hexdigest()
