"""``countersign ingest``: governed documents in."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.commands.common import Parsers, counted, office_of, show, user_of
from core.errors import BadInput


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command to the grammar."""
    parser = verbs.add_parser("ingest", parents=[common], help="take documents in")
    parser.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="folders, files, or .jsonl of documents"
    )
    parser.add_argument("--tenant", metavar="T", help="tenant the documents belong to")
    parser.add_argument(
        "--rebuild", action="store_true", help="first build the index anew from what is stored"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ingest and report. Exit 1 only when nothing at all could be taken in."""
    if not arguments.paths and not arguments.rebuild:
        raise BadInput("ingest: name a folder or file, or give --rebuild.")
    office = office_of(arguments)
    if arguments.rebuild:
        rebuilt = office.rebuild_index()
        if not arguments.paths:
            show(arguments, {"passages": rebuilt}, f"Index built anew: {rebuilt} passage(s).")
            return 0
    report = office.ingest(
        tuple(arguments.paths),
        tenant_id=arguments.tenant or office.settings.tenant,
        actor=user_of(arguments, office),
        progress=counted(enabled=not arguments.json),
    )
    lines = [
        f"{report.documents} document(s), {report.passages} passage(s), "
        f"{report.unchanged} unchanged, {report.seconds:.1f} s"
    ]
    lines += [f"  warning: {w}" for w in report.warnings]
    lines += [f"  not taken in: {f.path}: {f.reason} {f.fix}".rstrip() for f in report.failed]
    show(arguments, report.model_dump(mode="json"), "\n".join(lines))
    return 1 if report.failed and not (report.documents or report.unchanged) else 0
