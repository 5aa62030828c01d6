"""Every error Countersign raises on purpose, named by what the caller does next.

::

    CountersignError
    ├── BadInput            change the item named and try again; nothing was stored
    │   ├── BadQuestion         empty, too long, not text
    │   └── BadSource           a file or row that cannot be taken in (goes to quarantine)
    ├── NotFound            the id names nothing this user may know of
    ├── NotAllowed          this user's rights do not cover it
    ├── Conflicted          somebody or something changed: reload, look, decide again
    │   ├── StaleVersion        the draft or case moved on since it was read
    │   ├── LeaseHeld           another person is working on the case
    │   └── InvalidTransition   the case's state does not allow this action
    ├── NotReady            open findings must be resolved first (they are listed)
    ├── Unavailable         something needed is missing; the message says how to get it
    │   ├── IndexMismatch       the index was built by another encoder or chunker
    │   └── TryAgainLater       a passing fault: the same call may work later
    │       └── TooSlow             a source did not answer in the time it has
    ├── IntegrityBroken     the audit chain or a stored hash does not verify
    ├── Cancelled           somebody asked the work to stop; it ended in a safe state
    └── StageFailed         a pipeline stage broke; the run ended in a safe state

Expected outcomes (no evidence, a refusal, a conflict) are values, never exceptions.
"""

from __future__ import annotations


class CountersignError(Exception):
    """Root of every deliberate error. ``str(error)`` is fit to show to a person."""


class BadInput(CountersignError):
    """The input named in the message must be changed; nothing was stored."""


class BadQuestion(BadInput):
    """A question that is empty, too long, or not text."""


class BadSource(BadInput):
    """A document that cannot be taken in.

    ``item`` names the file or row, ``reason`` says what is wrong, ``fix`` what to do.
    """

    def __init__(self, item: str, reason: str, fix: str = "") -> None:
        self.item, self.reason, self.fix = item, reason, fix
        super().__init__(f"{item}: {reason}" + (f" {fix}" if fix else ""))


class NotFound(CountersignError):
    """The id names nothing this user may know of."""


class NotAllowed(CountersignError):
    """The user's rights do not cover the action. Never says what is behind the door."""


class Conflicted(CountersignError):
    """Somebody or something changed meanwhile: reload, look, decide again."""


class StaleVersion(Conflicted):
    """The draft or case moved on since the caller read it."""


class LeaseHeld(Conflicted):
    """Another person holds the case. ``holder`` and ``until`` (ISO time) say who and how long."""

    def __init__(self, message: str, *, holder: str = "", until: str = "") -> None:
        self.holder, self.until = holder, until
        super().__init__(message)


class InvalidTransition(Conflicted):
    """The case's state does not allow this action."""


class NotReady(CountersignError):
    """Open findings stand between the draft and approval. ``findings`` lists them in words."""

    def __init__(self, message: str, findings: tuple[str, ...] = ()) -> None:
        self.findings = findings
        super().__init__(message)


class Unavailable(CountersignError):
    """Something needed is missing; the message says how to get it. The CLI exits 3."""


class IndexMismatch(Unavailable):
    """The index was built by another encoder, precision or chunker than the one configured."""


class TryAgainLater(Unavailable):
    """A passing fault: the same call may work later."""


class TooSlow(TryAgainLater):
    """A source did not answer in the time it has; nothing was read from it."""


class IntegrityBroken(CountersignError):
    """The audit chain or a stored hash does not verify."""


class Cancelled(CountersignError):
    """Somebody asked the work to stop before it was finished. Nothing is half-written."""


class StageFailed(CountersignError):
    """A pipeline stage broke. ``stage`` names it; the run ends escalated, with no draft."""

    def __init__(self, stage: str, reason: str) -> None:
        self.stage, self.reason = stage, reason
        super().__init__(f"stage {stage!r} failed: {reason}")
