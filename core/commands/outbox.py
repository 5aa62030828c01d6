"""``countersign outbox``: deliver what is approved, see what is on its way."""

from __future__ import annotations

import argparse

from core.commands.common import Parsers, office_of, show, table
from core.models.review import OutboxItem


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command and its verbs to the grammar."""
    parser = verbs.add_parser("outbox", parents=[common], help="deliver approved replies")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    actions.add_parser("run", parents=[common], help="deliver what is due").set_defaults(run=_run)
    actions.add_parser("list", parents=[common], help="everything, oldest first").set_defaults(
        run=_list
    )


def _run(arguments: argparse.Namespace) -> int:
    done = office_of(arguments).outbox.run_once()
    _print(arguments, done, "Nothing was due.")
    return 1 if any(item.state == "failed" for item in done) else 0


def _list(arguments: argparse.Namespace) -> int:
    _print(arguments, office_of(arguments).outbox.items(), "The outbox is empty.")
    return 0


def _print(arguments: argparse.Namespace, items: tuple[OutboxItem, ...], empty: str) -> None:
    rows: list[tuple[str, ...]] = [
        ("item", "case", "state", "channel", "attempts", "receipt or error")
    ]
    rows += [
        (i.item_id, i.case_id, i.state, i.channel, str(i.attempts), i.receipt or i.last_error)
        for i in items
    ]
    show(
        arguments,
        {"items": [i.model_dump(mode="json") for i in items]},
        table(rows) if items else empty,
    )
