"""``countersign eval``: the golden set, run and grown."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from core.commands.common import Parsers, office_of, progress_line, show
from core.demo import DATA_DIR
from core.evaluation.golden import GoldenCase, golden_lines, load_golden, pick
from core.evaluation.golden_build import propose
from core.evaluation.golden_run import (
    GoldenReport,
    asker,
    compare,
    floor_broken,
    format_report,
    request_for,
    run_golden,
)
from core.models.trace import PipelineRun
from core.wiring import Office

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
    users = office.identity.sign_in_choices()
    tenant = office.settings.tenant

    def ask(row: GoldenCase) -> PipelineRun:
        user = asker(row, users)
        case = office.case_for(user.user_id, row.case_id) if user and row.case_id else None
        return office.ask(
            request_for(
                row, request_id=office.ids.new("req"), tenant_id=tenant, user=user, case=case
            )
        )

    tell = progress_line(enabled=not arguments.json)
    found = run_golden(chosen, ask, stopwatch=time.perf_counter, progress=tell)
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
    recent = office.runs.recent_runs(office.settings.tenant, limit=_RECENT)
    runs = [run for row in recent if (run := office.runs.run(row[0])) is not None]
    rows = propose(
        runs, disputed=_disputed(office), existing=load_golden(_GOLDEN), limit=arguments.limit
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


def _disputed(office: Office) -> frozenset[str]:
    """Trace ids behind drafts a person edited, escalated or rejected."""
    with office.store.read() as transaction:
        decisions = transaction.dispositions(tenant_id=office.settings.tenant)
        drafts = [
            transaction.draft(d.draft_id)
            for d in decisions
            if d.draft_id and d.kind in ("edit", "escalate", "reject")
        ]
    return frozenset(d.trace_id for d in drafts if d)
