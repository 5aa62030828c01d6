"""A SQLite file opened so that nothing can be written and nothing can run for ever."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from core.errors import TooSlow, TryAgainLater, Unavailable

_LOOK_EVERY = 2_000
"""Instructions of SQLite's virtual machine between two looks at the clock, well under 1 ms."""
_RECURSIVE = 33
_ALLOWED = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, _RECURSIVE}
)
_REFUSED_FUNCTIONS = frozenset({"load_extension", "readfile", "writefile", "fts3_tokenizer"})


@contextmanager
def reading_sqlite(path: Path, *, what: str, timeout_ms: int) -> Iterator[sqlite3.Connection]:
    """A connection that reads for at most ``timeout_ms`` ms; ``what`` names the file in errors.

    The file is opened ``mode=ro`` with ``query_only``, and every statement but a SELECT is refused
    when it is prepared. Raises ``Unavailable`` for a file that is not there or broken, ``TooSlow``
    when the time is up, ``TryAgainLater`` for a passing fault.
    """
    if not path.is_file():
        raise Unavailable(f"{what}: the file {path} is not there.")
    ends = time.monotonic() + timeout_ms / 1000
    try:
        with closing(_opened(path, timeout_ms)) as connection:
            connection.set_progress_handler(lambda: time.monotonic() > ends, _LOOK_EVERY)
            connection.set_authorizer(_only_reading)
            yield connection
    except sqlite3.OperationalError as error:
        if "interrupted" in str(error) or "locked" in str(error):
            raise TooSlow(
                f"{what} did not answer within {timeout_ms / 1000:g} s; nothing was read."
            ) from error
        raise TryAgainLater(f"{what} does not answer: {error}.") from error
    except sqlite3.DatabaseError as error:
        raise Unavailable(f"{what} cannot be read: {error}. Look at {path}.") from error


def _opened(path: Path, timeout_ms: int) -> sqlite3.Connection:
    # A connection per call: SQLite handles must not cross threads, and opening takes 0.1 ms.
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=timeout_ms / 1000
    )
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA query_only = ON")
    return connection


def _only_reading(
    action: int, first: str | None, second: str | None, _database: str | None, _by: str | None
) -> int:
    name = (second or "").lower() if action == sqlite3.SQLITE_FUNCTION else ""
    fine = action in _ALLOWED and name not in _REFUSED_FUNCTIONS
    return sqlite3.SQLITE_OK if fine else sqlite3.SQLITE_DENY
