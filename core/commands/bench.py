"""``countersign bench``: quality and speed measured, in tables and as JSON."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from core.commands.common import Parsers, office_of, progress_line, show
from core.demo import DATA_DIR, seed_demo
from core.demo_office import OfficeTarget, has_demo
from core.evaluation.draft_bench import DraftBench, run_draft_bench
from core.settings import Settings

if TYPE_CHECKING:
    from core.wiring import Office

EVAL_DATA = "COUNTERSIGN_EVAL_DATA"


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command to the grammar."""
    parser = verbs.add_parser("bench", parents=[common], help="measure quality and speed")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("bench-results"),
        metavar="DIR",
        help="folder for bench.json and bench.txt",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Retrieval on the public sets, then drafts of the demo company's cases, from one machine."""
    # Imported here: numpy and the readers are of no use to any other command's start-up.
    from core.evaluation.retrieval_bench import run_retrieval_bench

    office = office_of(arguments)
    tell = progress_line(enabled=not arguments.json)
    data = Path(os.environ.get(EVAL_DATA, DATA_DIR.parent.parent / "shared" / "data"))
    tell(f"retrieval on the sets in {data}")
    with tempfile.TemporaryDirectory(prefix="countersign-bench-") as scratch:
        retrieval = run_retrieval_bench(
            data,
            open_index=lambda home: _beside(office, home).index,
            open_registry=lambda home: _beside(office, home).registry,
            clock=office.clock,
            tokens=office.tokens,
        )
        tell("drafts of every demo case")
        drafts = _drafts(_beside(office, Path(scratch)))
    text = f"{retrieval.table()}\n\n{drafts.table()}"
    found = {
        "retrieval": retrieval.model_dump(mode="json"),
        "drafts": drafts.model_dump(mode="json"),
    }
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "bench.json").write_text(json.dumps(found, indent=1), encoding="utf-8")
    (arguments.out / "bench.txt").write_text(text + "\n", encoding="utf-8")
    show(arguments, found, text)
    return 0


def _beside(office: Office, home: Path) -> Office:
    """An office over another home with the same model."""
    from core.wiring import open_office  # slow import: see office_of

    return open_office(Settings(home=home, model_cache=office.settings.model_folder))


def _drafts(office: Office) -> DraftBench:
    if not has_demo(office):
        seed_demo(OfficeTarget(office), DATA_DIR, lambda _words: None)
    with office.store.read() as transaction:
        cases = transaction.cases(office.settings.tenant)
    context = office.identity.context_of("ana")
    found = run_draft_bench(cases, lambda case: office.copilot.draft(case, context))
    office.close()
    return found
