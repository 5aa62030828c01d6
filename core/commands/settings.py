"""``countersign settings``: every setting and its value, secrets redacted."""

from __future__ import annotations

import argparse

from core.commands.common import Parsers, show, table
from core.settings import PREFIX, load_settings


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command to the grammar."""
    parser = verbs.add_parser("settings", parents=[common], help="show every setting")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print names and values."""
    values = load_settings(arguments.home).shown()
    rows: list[tuple[str, ...]] = [("environment variable", "value")]
    rows += [(PREFIX + name.upper(), value) for name, value in values.items()]
    show(arguments, dict(values), table(rows))
    return 0
