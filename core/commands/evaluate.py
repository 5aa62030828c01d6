"""``countersign eval``: the golden set, run and grown."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from core.commands.common import Parsers, office_of, progress_line, show, user_of
from core.demo import DATA_DIR
from core.evaluation.golden import golden_lines, load_golden, pick
from core.evaluation.golden_build import propose, readable
from core.evaluation.golden_run import (
    GoldenReport,
    compare,
    floor_broken,
    format_report,
    run_golden,
)

_GOLDEN = DATA_DIR / "golden.jsonl"
_RECENT = 500


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command and its verbs to the grammar."""
    parser = verbs.add_parser("eval", parents=[common], help="the golden set")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    run = actions.add_parser("run", parents=[common], help="ask every golden question and measure")
    run.add_argument("--golden", type=Path, default=_GOLDEN, metavar="FILE")
    run.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="WORD",
        help="a query id, kind, difficulty or language (repeatable)",
    )
    run.add_argument(
        "--min-status",
        type=float,
        metavar="SHARE",
        help="exit 1 when status accuracy is below this share (0..1)",
    )
    run.add_argument("--save", type=Path, metavar="FILE", help="write the report as JSON")
    run.add_argument("--against", type=Path, metavar="FILE", help="compare with a saved report")
    run.set_defaults(run=_run)
    build = actions.add_parser("build", parents=[common], help="propose rows from recent runs")
    build.add_argument("--limit", type=int, default=20)
    build.add_argument("--out", type=Path, metavar="FILE", help="append the proposed rows to FILE")
    build.set_defaults(run=_build)


def _run(arguments: argparse.Namespace) -> int:
    office = office_of(arguments)
    rows = load_golden(arguments.golden)
    chosen = pick(rows, arguments.only) if arguments.only else rows
    tell = progress_line(enabled=not arguments.json)
    found = run_golden(chosen, office.ask_golden, stopwatch=time.perf_counter, progress=tell)
    show(arguments, found.model_dump(mode="json"), format_report(found))
    if arguments.save:
        arguments.save.write_text(found.model_dump_json(indent=1), encoding="utf-8")
    if arguments.against:
        _compare(arguments.against, found)
    floors = {"status_accuracy": arguments.min_status} if arguments.min_status else {}
    broken = floor_broken(found, floors)
    for words in broken:
        print(f"countersign: {words}", file=sys.stderr)
    return 1 if broken else 0


def _compare(path: Path, found: GoldenReport) -> None:
    before = GoldenReport.model_validate_json(path.read_text(encoding="utf-8"))
    for row in compare(before, found):
        print(f"{row.query_id}: {row.before} → {row.after}  ({row.question})", file=sys.stderr)


def _build(arguments: argparse.Namespace) -> int:
    office = office_of(arguments)
    user = user_of(arguments, office) if arguments.user else None
    recent = office.runs.recent_runs(office.settings.tenant, limit=_RECENT)
    runs = [run for row in recent if (run := office.runs.run(row[0])) is not None]
    rows = propose(
        readable(runs, office.identity.context_of(user)),
        disputed=office.disputed_traces(),
        existing=load_golden(_GOLDEN),
        limit=arguments.limit,
    )
    if arguments.out:
        with arguments.out.open("a", encoding="utf-8") as out:
            out.write(golden_lines(p.row for p in rows))
    lines = [f"{p.row.query_id}: {p.row.question}  ({p.reason})" for p in rows]
    show(
        arguments,
        {"proposals": [json.loads(p.model_dump_json()) for p in rows]},
        "\n".join(lines) or "Nothing new was asked yet.",
    )
    return 0
