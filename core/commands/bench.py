"""``countersign bench``: retrieval measured, in one table and as JSON."""

from __future__ import annotations

import argparse

from core.commands.common import Parsers


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command to the grammar."""
    parser = verbs.add_parser("bench", parents=[common], help="measure quality and speed")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Wait for the bench."""
    return 0
