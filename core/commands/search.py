"""``countersign search``: what would be retrieved, for whom."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.commands.batch import Row, run_batch, text_of, turns_of
from core.commands.common import Parsers, at_least_one, day, office_of, show, user_of
from core.errors import BadInput
from core.models.evidence import EvidenceCandidate
from core.models.request import UserRequest
from core.text.why_found import why_in_words

if TYPE_CHECKING:
    from core.pipeline_search import Neighbours
    from core.wiring import Office


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
    parser.add_argument(
        "--neighbours",
        type=at_least_one,
        metavar="N",
        help="show the N passages before and after each result",
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
    around = _around(arguments, office, user, found)
    results = [_result(c, around.get(c.chunk_id)) for c in found]
    show(arguments, {"results": results, "ms": ms}, _as_text(found, around, ms))
    return 0


def _around(
    arguments: argparse.Namespace,
    office: Office,
    user: str,
    found: tuple[EvidenceCandidate, ...],
) -> dict[str, Neighbours]:
    """What stands beside each result; nothing unless it was asked for."""
    if not arguments.neighbours:
        return {}
    # Imported here, like the office: `--help` needs no index.
    from core.pipeline import context_of
    from core.pipeline_search import neighbours

    tools = office.tools_at(arguments.at_index)
    context = context_of(user, arguments.tenant or office.settings.tenant, tools)
    return {
        c.chunk_id: neighbours(c.chunk_id, arguments.neighbours, tools, context, at=arguments.at)
        for c in found
    }


def _batch_row(found: tuple[EvidenceCandidate, ...], ms: float) -> Row:
    """A document that holds the same text as a result stands right behind it."""
    documents = (d for c in found for d in (c.document_id, *(o.document_id for o in c.also_in)))
    return {
        "document_ids": list(dict.fromkeys(documents)),
        "chunk_ids": [c.chunk_id for c in found],
        "ms": ms,
    }


def _result(candidate: EvidenceCandidate, around: Neighbours | None) -> dict[str, Any]:
    keep = {"chunk_id", "document_id", "source_id", "heading_path", "text", "score", "also_in"}
    keep |= {"lexical_rank", "vector_rank", "similarity", "why"}
    out = candidate.model_dump(mode="json", include=keep)
    out |= {"title": candidate.source_title, "why_in_words": why_in_words(candidate)}
    if around is not None:
        out["neighbours"] = {
            "before": [_neighbour(c) for c in around.before],
            "after": [_neighbour(c) for c in around.after],
        }
    return out


def _neighbour(candidate: EvidenceCandidate) -> dict[str, Any]:
    return candidate.model_dump(mode="json", include={"chunk_id", "heading_path", "text"})


def _as_text(found: tuple[EvidenceCandidate, ...], around: dict[str, Neighbours], ms: float) -> str:
    if not found:
        return f"Nothing found that this user may see ({ms:.0f} ms)."
    lines = [f"{len(found)} passage(s), {ms:.0f} ms"]
    for n, c in enumerate(found, start=1):
        beside = around.get(c.chunk_id)
        lines.append(f"{n:2}. {' › '.join((c.source_title, *c.heading_path))}  [{c.document_id}]")
        lines += [f"    ↑ {_short(p)}" for p in (beside.before if beside else ())]
        lines.append(f"    {_short(c)}")
        lines += [f"    ↓ {_short(p)}" for p in (beside.after if beside else ())]
        lines.append(f"    why: {why_in_words(c)}")
    return "\n".join(lines)


def _short(candidate: EvidenceCandidate) -> str:
    return " ".join(candidate.text.split())[:160]
