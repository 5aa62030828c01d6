"""``countersign search``: what would be retrieved, for whom."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from core.commands.batch import Row, run_batch, text_of, turns_of
from core.commands.common import Parsers, at_least_one, day, office_of, show, user_of
from core.errors import BadInput
from core.models.evidence import EvidenceCandidate
from core.models.request import UserRequest


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command to the grammar."""
    parser = verbs.add_parser("search", parents=[common], help="find passages")
    parser.add_argument("query", nargs="?", metavar="QUERY")
    parser.add_argument(
        "-k", type=at_least_one, default=10, metavar="N", help="how many (default 10)"
    )
    parser.add_argument("--at", type=day, metavar="DATE", help="as of this day (YYYY-MM-DD)")
    parser.add_argument(
        "--at-index", metavar="VERSION", help="on the index as it was at this version"
    )
    parser.add_argument("--batch", type=Path, metavar="FILE.jsonl")
    parser.add_argument("--tenant", metavar="T")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Search once or for each line of the batch."""
    if (arguments.query is None) == (arguments.batch is None):
        raise BadInput("search: give either a QUERY or --batch FILE.jsonl.")
    office = office_of(arguments)
    user = user_of(arguments, office)

    def find(query: str, row: Row | None = None) -> tuple[tuple[EvidenceCandidate, ...], float]:
        request = UserRequest(
            request_id=office.ids.new("req"),
            tenant_id=arguments.tenant or office.settings.tenant,
            user_id=user,
            raw_query=query,
            history=turns_of(row) if row else (),
            channel="batch" if row else "api",
            asked_on=arguments.at,
        )
        began = time.perf_counter()
        found = office.search(request, k=arguments.k, at_index=arguments.at_index)
        return found, round((time.perf_counter() - began) * 1000, 2)

    if arguments.batch is not None:
        return run_batch(arguments.batch, lambda row: _batch_row(*find(text_of(row, "query"), row)))
    found, ms = find(arguments.query)
    show(arguments, {"results": [_result(c) for c in found], "ms": ms}, _as_text(found, ms))
    return 0


def _batch_row(found: tuple[EvidenceCandidate, ...], ms: float) -> Row:
    return {
        "document_ids": list(dict.fromkeys(c.document_id for c in found)),
        "chunk_ids": [c.chunk_id for c in found],
        "ms": ms,
    }


def _result(candidate: EvidenceCandidate) -> dict[str, Any]:
    keep = {"chunk_id", "document_id", "source_id", "heading_path", "text", "score"}
    return {**candidate.model_dump(mode="json", include=keep), "title": candidate.source_title}


def _as_text(found: tuple[EvidenceCandidate, ...], ms: float) -> str:
    if not found:
        return f"Nothing found that this user may see ({ms:.0f} ms)."
    lines = [f"{len(found)} passage(s), {ms:.0f} ms"]
    for n, c in enumerate(found, start=1):
        lines.append(f"{n:2}. {' › '.join((c.source_title, *c.heading_path))}  [{c.document_id}]")
        lines.append(f"    {' '.join(c.text.split())[:160]}")
    return "\n".join(lines)
