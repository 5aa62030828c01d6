"""``countersign audit``: prove the chain, export it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from core.commands.common import Parsers, office_of, show, user_of


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command and its verbs to the grammar."""
    parser = verbs.add_parser("audit", parents=[common], help="the hash-chained record")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    actions.add_parser("verify", parents=[common], help="prove the chain").set_defaults(run=_verify)
    export = actions.add_parser("export", parents=[common], help="write the events out")
    export.add_argument("--format", choices=("jsonl", "csv"), default="jsonl")
    export.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")
    export.set_defaults(run=_export)


def _verify(arguments: argparse.Namespace) -> int:
    state = office_of(arguments).verify_audit()
    words = (
        f"verified to event {state.events}"
        if state.ok
        else f"BROKEN at event {state.broken_at}: {state.reason}"
    )
    show(arguments, state.model_dump(mode="json"), words)
    return 0 if state.ok else 1


def _export(arguments: argparse.Namespace) -> int:
    office = office_of(arguments)
    data = office.audit_desk(user_of(arguments, office)).export(arguments.format)
    if arguments.out:
        arguments.out.write_bytes(data)
        print(f"{len(data)} bytes to {arguments.out}", file=sys.stderr)
    else:
        sys.stdout.buffer.write(data)
    return 0
