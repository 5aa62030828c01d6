"""``countersign bench``: quality and speed measured, in tables and as JSON."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.commands.common import Parsers, at_least_one, office_of, progress_line, show

_NAMES = ("retrieval", "chunking", "scale", "ingest", "drafts", "startup", "gate", "loop")


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
    parser.add_argument(
        "--only",
        type=_sections,
        default=_NAMES,
        metavar="A,B",
        help=f"these sections alone: {', '.join(_NAMES)}",
    )
    parser.add_argument(
        "--sets", type=_set_names, default=(), metavar="A,B", help="these public sets alone"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="10,000 passages, 300 documents, a sample of the gate's pairs and of the loop's sets",
    )
    parser.add_argument(
        "--max-passages", type=at_least_one, metavar="N", help="largest scale step (1,000,000)"
    )
    parser.add_argument(
        "--documents", type=at_least_one, metavar="N", help="documents of the ingest (5,000)"
    )
    parser.add_argument(
        "--all-chinese", action="store_true", help="all 3,219 Chinese questions, not a sample"
    )
    parser.add_argument("--plot", type=Path, metavar="PNG", help="draw the growth of cost")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sections and keep what each found as soon as it is done."""
    # Imported here: numpy and the readers are of no use to any other command's start-up.
    from core.adapters.peer_scanners import SCANNER_PACKAGES
    from core.adapters.peers import PEER_PACKAGES
    from core.commands import bench_sections
    from core.evaluation.bench_machine import machine_facts

    office = office_of(arguments)
    tell = progress_line(enabled=not arguments.json)
    found: dict[str, Any] = {"machine": machine_facts((*PEER_PACKAGES, *SCANNER_PACKAGES))}
    text = "\n".join(f"{name}: {value}" for name, value in found["machine"].items())
    options = bench_sections.Options(
        documents=arguments.documents
        or (bench_sections.QUICK_DOCUMENTS if arguments.quick else bench_sections.FULL_DOCUMENTS),
        max_passages=arguments.max_passages
        or (bench_sections.QUICK_PASSAGES if arguments.quick else bench_sections.FULL_PASSAGES),
        sets=arguments.sets,
        all_chinese=arguments.all_chinese,
        plot=arguments.plot,
        quick=arguments.quick,
    )
    for name in arguments.only:
        section = bench_sections.SECTIONS[name](office, options, tell)
        found[name] = section.data
        text += f"\n\n== {name}\n{section.text}"
        _keep(arguments.out, found, text)
    show(arguments, found, text)
    return 0


def _keep(folder: Path, found: dict[str, Any], text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bench.json").write_text(json.dumps(found, indent=1), encoding="utf-8")
    (folder / "bench.txt").write_text(text + "\n", encoding="utf-8")


def _sections(text: str) -> tuple[str, ...]:
    return _chosen(text, _NAMES, "sections")


def _set_names(text: str) -> tuple[str, ...]:
    from core.commands.bench_loop import LOOP_SETS  # these with their readers are of no use to
    from core.evaluation.bench_sets import SETS  # other commands

    return _chosen(text, (*SETS, *LOOP_SETS), "sets")


def _chosen(text: str, known: Sequence[str], what: str) -> tuple[str, ...]:
    wanted = [part.strip() for part in text.split(",") if part.strip()]
    if not wanted or set(wanted) - set(known):
        raise argparse.ArgumentTypeError(f"{text!r}: the {what} are {', '.join(known)}")
    return tuple(name for name in known if name in wanted)
