"""Who is looking, and the desks built for them anew on every run.

The office is one for the process. The person comes from the session cookie, looked up in the
server's own table; rights are read from the identity service each time, so a person who is
switched off loses the console on the next click, not at the next sign-in.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import streamlit as st

from core.errors import CountersignError, NotAllowed, Unavailable
from core.models.access import SecurityContext, User
from pages.shell.office import Office, SettingsDesk
from pages.shell.office_asking import Inspector
from pages.shell.office_desks import AuditDesk, Desk, EscalationDesk
from pages.shell.office_evaluation import EvaluationDesk
from pages.shell.office_knowledge import Shelf
from pages.shell.tickets import COOKIE, Tickets

tickets = Tickets()


@dataclass(frozen=True)
class Person:
    """A signed-in person and their rights as of this run."""

    user: User
    context: SecurityContext

    def may(self, action: str) -> bool:
        """Whether the rights cover ``action``."""
        return action in self.context.actions


class _Provider:
    """The process-wide office. A lock, because the server starts it while sessions ask for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._office: Office | None = None
        self._who: Callable[[], str | None] | None = None

    def set(self, office: Office | None, who: Callable[[], str | None] | None) -> None:
        with self._lock:
            self._office, self._who = office, who

    def office(self) -> Office:
        with self._lock:
            if self._office is None:
                raise Unavailable("The console has not opened its stores yet. Reload in a moment.")
            return self._office

    def user_id(self) -> str | None:
        with self._lock:
            who = self._who
        return who() if who else tickets.user_of(st.context.cookies.get(COOKIE, ""))


_provider = _Provider()


def provide(office: Office | None, who: Callable[[], str | None] | None = None) -> None:
    """Set the office of this process. ``who`` replaces the cookie as the source of the user id."""
    _provider.set(office, who)


def office() -> Office:
    """The office; ``Unavailable`` before the server has opened it."""
    return _provider.office()


def person() -> Person | None:
    """The signed-in person with today's rights, or ``None``."""
    user_id = _provider.user_id()
    if not user_id:
        return None
    try:
        known = office().identity
        return Person(user=known.user(user_id), context=known.context_of(user_id))
    except Unavailable:
        raise
    except CountersignError:
        return None


def _me() -> str:
    who = person()
    if who is None:
        raise NotAllowed("You are signed out. Sign in again; nothing you saved is lost.")
    return who.user.user_id


def desk() -> Desk:
    """The reply desk of the signed-in person."""
    return office().desk(_me())


def escalation_desk() -> EscalationDesk:
    """The escalation board of the signed-in person."""
    return office().escalation_desk(_me())


def audit_desk() -> AuditDesk:
    """The audit of the signed-in person."""
    return office().audit_desk(_me())


def shelf() -> Shelf:
    """The sources as the signed-in person may read and change them."""
    return office().shelf(_me())


def inspector() -> Inspector:
    """The inspector of the signed-in person."""
    return office().inspector(_me())


def evaluation_desk() -> EvaluationDesk:
    """The golden set for the signed-in person."""
    return office().evaluation_desk(_me())


def settings_desk() -> SettingsDesk:
    """The settings of the signed-in administrator."""
    return office().settings_desk(_me())


def sign_out() -> None:
    """Forget this browser's session on the server; its cookie is worth nothing afterwards."""
    tickets.end(st.context.cookies.get(COOKIE, ""))
    for key in list(st.session_state):
        del st.session_state[key]


def now() -> datetime:
    """The present moment in UTC, for "waiting 2 h" and "saved 12 s ago"."""
    return datetime.now(UTC)
