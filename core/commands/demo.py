"""``countersign demo``: build the demo company."""

from __future__ import annotations

import argparse

from core.commands.common import Parsers, office_of, progress_line, show
from core.demo import DATA_DIR, seed_demo
from core.demo_office import OfficeTarget, has_demo


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command to the grammar."""
    parser = verbs.add_parser("demo", parents=[common], help="build the demo company in --home")
    parser.add_argument("--if-missing", action="store_true", help="do nothing when it is there")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Seed and say what to run next. Idempotent."""
    office = office_of(arguments)
    if arguments.if_missing and has_demo(office):
        return 0
    tell = progress_line(enabled=not arguments.json)
    report = seed_demo(OfficeTarget(office), DATA_DIR, tell)
    show(
        arguments,
        {**report.model_dump(mode="json"), "home": str(office.settings.home)},
        f"Demo company ready in {office.settings.home}.\n"
        "Next: countersign serve   (or: countersign ask 'How long can I return a holiday gift?')",
    )
    return 0
