"""``countersign ingest``: governed documents in."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.commands.common import Parsers, office_of, show, user_of
from core.commands.progress import progress_to
from core.errors import BadInput
from core.models.source import IngestReport

_NAMED = 20


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
    parser.add_argument(
        "--prune",
        action="store_true",
        help="withdraw documents that came from these paths and are gone (else only reported)",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ingest and report. Exit 1 only when nothing at all could be taken in."""
    if not arguments.paths and not arguments.rebuild:
        raise BadInput("ingest: name a folder or file, or give --rebuild.")
    if arguments.prune and not arguments.paths:
        raise BadInput("ingest: --prune needs the folders or files to compare with.")
    office = office_of(arguments)
    progress = progress_to(enabled=not arguments.json)
    if arguments.rebuild:
        rebuilt = office.rebuild_index(progress)
        if not arguments.paths:
            show(arguments, {"passages": rebuilt}, f"Index built anew: {rebuilt} passage(s).")
            return 0
    report = office.ingest(
        tuple(arguments.paths),
        tenant_id=arguments.tenant or office.settings.tenant,
        actor=user_of(arguments, office),
        progress=progress,
        prune=arguments.prune,
    )
    lines = [
        f"{report.documents} document(s), {report.passages} passage(s) "
        f"({report.encoded} newly encoded), {report.unchanged} unchanged, {report.seconds:.1f} s"
    ]
    lines += _missing_lines(report)
    lines += [f"  warning: {w}" for w in report.warnings]
    lines += [
        f"  not taken in: {f.path}: {f.reason}" + (f"; {f.fix}" if f.fix else "")
        for f in report.failed
    ]
    show(arguments, report.model_dump(mode="json"), "\n".join(lines))
    return 1 if report.failed and not (report.documents or report.unchanged) else 0


def _missing_lines(report: IngestReport) -> list[str]:
    if not report.missing:
        return []
    names = ", ".join(report.missing[:_NAMED])
    if len(report.missing) > _NAMED:
        names += f" and {len(report.missing) - _NAMED} more"
    if report.withdrawn:
        return [f"  withdrawn, for their files are gone (they come back with them): {names}"]
    return [f"  their files are gone: {names}. Run it with --prune to withdraw them."]
