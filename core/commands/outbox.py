"""``countersign outbox``: deliver what is approved, carry out what is confirmed, see both."""

from __future__ import annotations

import argparse

from core.commands.common import Parsers, office_of, show, table
from core.models.action import ActionRecord
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
    office = office_of(arguments)
    done, actions = office.outbox.run_once(), office.actions.run_once()
    _print(arguments, done, actions, "Nothing was due.")
    broken = any(item.state == "failed" for item in done)
    return 1 if broken or any(a.state in ("failed", "unknown") for a in actions) else 0


def _list(arguments: argparse.Namespace) -> int:
    office = office_of(arguments)
    _print(arguments, office.outbox.items(), office.actions.actions(), "The outbox is empty.")
    return 0


def _print(
    arguments: argparse.Namespace,
    items: tuple[OutboxItem, ...],
    actions: tuple[ActionRecord, ...],
    empty: str,
) -> None:
    rows: list[tuple[str, ...]] = [
        ("item", "case", "state", "channel", "attempts", "receipt or error")
    ]
    rows += [
        (i.item_id, i.case_id, i.state, i.channel, str(i.attempts), i.receipt or i.last_error)
        for i in items
    ]
    shown = [table(rows)] if items else []
    if actions:
        shown.append(table(_action_rows(actions)))
    show(
        arguments,
        {
            "items": [i.model_dump(mode="json") for i in items],
            "actions": [a.model_dump(mode="json") for a in actions],
        },
        "\n\n".join(shown) or empty,
    )


def _action_rows(actions: tuple[ActionRecord, ...]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [("action", "case", "state", "tool", "attempts", "outcome")]
    rows += [
        (
            a.proposal_id,
            a.case_id,
            a.state,
            a.proposal.tool,
            str(a.attempts),
            a.receipt or a.error or a.reason,
        )
        for a in actions
    ]
    return rows
