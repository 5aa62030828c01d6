"""What every command needs: its office, its user, and one way to print."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from core.errors import NotFound
from core.settings import load_settings

if TYPE_CHECKING:
    from core.wiring import Office

Parsers = Any  # argparse's sub-parsers action has no public type
GUEST = "guest"


def office_of(arguments: argparse.Namespace) -> Office:
    """The office over ``--home``. Raises ``BadInput`` for a bad setting."""
    # Imported here: `--help`, `serve` and `settings` need no office, nor the half second it costs.
    from core.wiring import open_office

    return open_office(load_settings(arguments.home))


def user_of(arguments: argparse.Namespace, office: Office) -> str:
    """The acting user's id; ``guest`` (least privileged) without ``--as``.

    Raises ``NotFound`` for a name nobody has.
    """
    if not arguments.user:
        return GUEST
    try:
        return office.identity.user(str(arguments.user)).user_id
    except NotFound as error:
        known = ", ".join(u.user_id for u in office.identity.sign_in_choices())
        remedy = f"Known: {known}." if known else "There are no users yet: run `countersign demo`."
        raise NotFound(f"{error} {remedy}") from error


def show(arguments: argparse.Namespace, data: dict[str, Any], text: str) -> None:
    """One JSON object with ``--json``, else ``text``."""
    if arguments.json:
        print(json.dumps(data, ensure_ascii=False, default=str))
    else:
        print(text)


def progress_line(enabled: bool = True) -> Callable[[str], None]:  # noqa: FBT001, FBT002
    """Prints progress to stderr, one line a step."""

    def tell(words: str) -> None:
        if enabled:
            print(words, file=sys.stderr)

    return tell


def day(text: str) -> date:
    """A ``--at`` value. Raises ``argparse.ArgumentTypeError`` with the accepted form."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date like 2026-11-30") from error


def at_least_one(text: str) -> int:
    """A count. Raises ``argparse.ArgumentTypeError`` below 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Rows as aligned columns; the first row is the head."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])
