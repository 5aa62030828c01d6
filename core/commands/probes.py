"""``gate``, ``check`` and ``conflicts``: one stage at a time over a batch, without an index."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.commands.batch import Row, run_batch, text_of
from core.commands.common import Parsers, office_of
from core.commands.passages import candidate_of, candidates_of
from core.errors import BadInput
from core.models.evidence import GateScores

if TYPE_CHECKING:
    from core.wiring import Office


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the three commands to the grammar."""
    for name, words, answer in (
        ("gate", "the four probabilities for (query, passage) pairs", _gate),
        ("check", "whether evidence bears a claim", _check),
        ("conflicts", "values on which passages disagree", _conflicts),
    ):
        parser = verbs.add_parser(name, parents=[common], help=words)
        parser.add_argument("--batch", type=Path, required=True, metavar="FILE.jsonl")
        parser.set_defaults(run=_runner(answer))


def _runner(answer: Any) -> Any:
    def run(arguments: argparse.Namespace) -> int:
        office = office_of(arguments)
        return run_batch(arguments.batch, lambda row: answer(office, row))

    return run


def _gate(office: Office, row: Row) -> Row:
    passage = candidate_of(row.get("passage"), office.settings.tenant)
    gated = office.probes.gate(text_of(row, "query"), passage)
    return {
        **_four(gated.scores),
        "route": gated.route,
        "rule": gated.rule,
        "reason": gated.reason,
        "backend": gated.backend,
    }


def _four(scores: GateScores | None) -> dict[str, float | None]:
    """The four keys of the contract; ``null`` where the gate could not judge the pair."""
    if scores is None:
        return dict.fromkeys(GateScores.model_fields)
    return dict(scores.model_dump())


def _check(office: Office, row: Row) -> Row:
    evidence = row.get("evidence")
    texts = [evidence] if isinstance(evidence, str) else evidence
    if not isinstance(texts, list) or not all(isinstance(t, str) for t in texts):
        raise BadInput(f"row {row.get('id')!r}: 'evidence' must be a string or a list of strings.")
    verdict = office.probes.check(text_of(row, "claim"), tuple(texts))
    return {"label": verdict.label, "score": verdict.score, "reasons": list(verdict.reasons)}


def _conflicts(office: Office, row: Row) -> Row:
    passages = row.get("passages")
    if not isinstance(passages, list):
        raise BadInput(f"row {row.get('id')!r}: 'passages' must be a list.")
    found = candidates_of(passages, office.settings.tenant)
    return office.probes.conflicts(text_of(row, "query"), found)
