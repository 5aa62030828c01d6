"""``countersign audit``: prove the chain, replay an answer, export it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from core.commands.common import Parsers, office_of, show, table, user_of


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command and its verbs to the grammar."""
    parser = verbs.add_parser("audit", parents=[common], help="the hash-chained record")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    actions.add_parser("verify", parents=[common], help="prove the chain").set_defaults(run=_verify)
    replay = actions.add_parser(
        "replay", parents=[common], help="look an answer's evidence up on the index of then"
    )
    replay.add_argument("trace", metavar="TRACE")
    replay.set_defaults(run=_replay)
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


def _replay(arguments: argparse.Namespace) -> int:
    """Exit 1 when a passage that was used did not stand in the index of then word for word."""
    office = office_of(arguments)
    replay = office.replay_desk(user_of(arguments, office)).replay(arguments.trace)
    rows: list[tuple[str, ...]] = [("passage", "used as", "in the index of then", "found again")]
    rows += [
        (p.chunk_id, p.evidence_id or "-", p.standing, "yes" if p.found_again else "no")
        for p in replay.passages
    ]
    words = f"{replay.question}\nindex version {replay.index_version}\n{table(rows)}"
    show(arguments, replay.model_dump(mode="json") | {"agrees": replay.agrees}, words)
    return 0 if replay.agrees else 1


def _export(arguments: argparse.Namespace) -> int:
    office = office_of(arguments)
    data = office.audit_desk(user_of(arguments, office)).export(arguments.format)
    if arguments.out:
        arguments.out.write_bytes(data)
        print(f"{len(data)} bytes to {arguments.out}", file=sys.stderr)
    else:
        sys.stdout.buffer.write(data)
    return 0
