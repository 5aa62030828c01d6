"""Fits what a finding of the premise rules is worth and writes it as the gate's premise table.

    PYTHONPATH=. python scripts/fit_premise.py [--seed 7] [--out data/models/gate/premise.json]

Two sources, each put as premises and judged by the rules alone: twins of true and false premises
made by rule over policy prose (``core.evaluation.premise_pairs``), and public claims with a verdict
(``training/`` of the evaluation data), which are worded otherwise than the passage and so show what
a finding is worth there; together they weigh ``CLAIMS`` of the twins. An English twin is also held
against the passage most like its own; what seems to deny it there counts as wrong, with the weight
``STRAY``. Passages are split by a hash, two thirds to fit. For each kind of rule the share of true
denials is fitted in steps of the fit, never falling (pool adjacent violators), drawn towards the
fit itself by ``PRIOR_WEIGHT`` findings a step. Fact lines keep ``FACT``: the sets have none.

Kind ``read`` is the pair reader's own verdict where the rules are silent. It is fitted on
``READ_SETS`` (the reader never saw them), two thirds again. Their true and false claims are worded
alike, so that it is rather less sure there than among what people ask.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from core.adapters.gate_premise import WHY, PremiseTable, contradicted
from core.adapters.pair_reader import PairReader
from core.adapters.pair_window import pair_text
from core.evaluation.premise_pairs import premise_pairs
from core.evaluation.premise_passages import body, cut, measures
from core.text.premise import Denial, denial
from core.text.presupposition import Presupposition, find_presuppositions
from core.text.statements import families
from scripts.gate_rows import DATA, ROOT, read
from scripts.training_pair import training_rows

CORPORA = (
    ("basecamp_policies", "corpus.jsonl"),
    ("abcd_guidelines", "corpus.jsonl"),
    ("tau_policies", "corpus.jsonl"),
    ("supabase_auth", "corpus_sections.jsonl"),
    ("cmrc2018_zh", "corpus.jsonl"),
)
CLAIM_SETS = ("fever_dev", "fever_neutral_mined", "feverous_dev", "exfever", "mnli", "negation_nli")
READ_SETS = ("claim_fever_symmetric", "claim_vitaminc_mini", "claim_fm2")
STEPS = (0.5, 0.6, 0.7, 0.8, 0.9)
READ_STEPS = (0.7, 0.8, 0.9, 0.95)
CLAIMS, PRIOR_WEIGHT, FACT = 0.25, 2.0, 0.95
MOST_PASSAGES, MOST_CLAIMS = 160, 500
NOTHING_ASSUMED, STRAY = 0.02, 0.5


class Row(NamedTuple):
    """One judged pair: what the rules found, whether the premise is false, what the row weighs."""

    found: Denial | None
    assumed: bool
    false: bool
    weight: float
    held_back: bool
    language: str = "en"
    twin: bool = True


def main() -> int:
    """Fit, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=ROOT / "data/models/gate/premise.json")
    parser.add_argument("--cache", type=Path, default=ROOT / "var" / "models")
    chosen = parser.parse_args()
    if not DATA.is_dir():
        sys.stderr.write(f"no evaluation data at {DATA}; set COUNTERSIGN_EVAL_DATA\n")
        return 3
    chance = random.Random(chosen.seed)  # noqa: S311 - sampling, not secrecy
    twins = list(judged_twins(chance, chosen.seed))
    rows = twins + list(judged_claims(chance, len(twins)))
    table: dict[str, Any] = fitted([row for row in rows if not row.held_back])
    readings = list(judged_by_reading(PairReader(chosen.cache)))
    table["kinds"]["read"] = steps([r for r in readings if not r.held_back], READ_STEPS)
    table["version"] = hashlib.blake2b(json.dumps(table).encode(), digest_size=5).hexdigest()
    held = [row for row in twins if row.held_back and row.twin]
    table["figures"] = figures(PremiseTable(table), held)
    fresh = chosen.out.with_suffix(".new")
    fresh.write_text(json.dumps(table, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    fresh.replace(chosen.out)
    sys.stdout.write(json.dumps(table, indent=1, sort_keys=True) + "\n")
    return 0


def judged_twins(chance: random.Random, seed: int) -> Iterator[Row]:
    """Twins over the demo's documents and every corpus at hand."""
    documents = [f.read_text("utf-8") for f in sorted((ROOT / "data/sources").glob("*.md"))]
    own = [passage for text in documents for passage in cut(body(text))]
    passages = list(own)  # versions of one policy do deny each other: no strays from here
    for name in CORPORA:
        texts = [row["text"] for row in read(*name)]
        pieces = [p for text in texts for p in cut(text)]
        passages += chance.sample(pieces, min(MOST_PASSAGES, len(pieces)))
    passages = list(dict.fromkeys(passages))
    for pair in premise_pairs(passages, seed):
        premises = find_presuppositions(pair.query)
        found = denial(premises, pair.text, query=pair.query)
        held = measures(pair.text)
        yield Row(found, bool(premises), pair.premise_false, 1.0, held, pair.language)
        if pair.language == "en" and pair.text not in own:
            stray = denial(premises, nearest(pair.text, passages), query=pair.query)
            if stray:
                yield Row(
                    stray, assumed=True, false=False, weight=STRAY, held_back=held, twin=False
                )


def nearest(text: str, passages: Sequence[str]) -> str:
    """The passage that shares most words with ``text``, itself aside."""
    mine = families(text)
    return max((p for p in passages if p != text), key=lambda p: len(mine & families(p)))


def judged_claims(chance: random.Random, twins: int) -> Iterator[Row]:
    """Claims with a verdict, each held against its own evidence."""
    rows = [r for name in CLAIM_SETS for r in sample(name, chance)]
    weight = CLAIMS * twins / len(rows) if rows else 0.0
    for row in rows:
        claim = row["hypothesis"].strip().rstrip(".")
        found = denial([Presupposition(claim, "statement")], row["premise"])
        false = row["label"] == "contradiction"
        held = measures(row["premise"])
        yield Row(found, assumed=True, false=false, weight=weight, held_back=held, twin=False)


def judged_by_reading(reader: PairReader) -> Iterator[Row]:
    """Claims on which the rules are silent, as the pair reader judges them."""
    rows = [r for name in READ_SETS for r in read(name)]
    silent = [
        r
        for r in rows
        if denial([Presupposition(r["claim"].rstrip(". "), "statement")], r["evidence"]) is None
    ]
    pairs = [pair_text(r["claim"], r["evidence"], "") for r in silent]
    for row, share in zip(silent, contradicted(reader.logits(pairs)), strict=True):
        if share >= READ_STEPS[0]:
            found = Denial(float(share), row["claim"], "", "read", row["claim"])
            false = row["label"] == "contradicted"
            yield Row(found, assumed=True, false=false, weight=1.0,
                      held_back=measures(row["evidence"]), twin=False)  # fmt: skip


def sample(name: str, chance: random.Random) -> list[dict[str, str]]:
    """Some claims of one sentence from one set."""
    rows = training_rows(name)
    short = [r for r in rows if ". " not in r["hypothesis"].strip()]
    return chance.sample(short, min(MOST_CLAIMS, len(short)))


def fitted(rows: Sequence[Row]) -> dict[str, Any]:
    """The table: steps for each kind, and what is left where nothing was found."""
    silent = [r for r in rows if r.found is None and r.assumed and r.twin]
    left = sum(r.weight * r.false for r in silent) / max(1.0, sum(r.weight for r in silent))
    by_kind: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.found:
            by_kind[row.found.kind].append(row)
    kinds = {kind: steps(by_kind[kind]) for kind in WHY if kind != "read"}
    kinds["fact"] = [(0.0, FACT)]
    return {"kinds": kinds, "nothing_found": round(left, 4), "nothing_assumed": NOTHING_ASSUMED}


def steps(rows: Sequence[Row], edges: Sequence[float] = STEPS) -> list[tuple[float, float]]:
    """Share of true denials by steps of the fit, never falling."""
    pools: list[tuple[float, float, float]] = []  # (from fit, true, all)
    for place, low in enumerate(edges):
        high = edges[place + 1] if place + 1 < len(edges) else 2.0
        inside = [
            r
            for r in rows
            if r.found and (place == 0 or r.found.score >= low) and r.found.score < high
        ]
        true = sum(r.weight * r.false for r in inside) + (low + 0.05) * PRIOR_WEIGHT
        pools.append((low, true, sum(r.weight for r in inside) + PRIOR_WEIGHT))
        while len(pools) > 1 and pools[-2][1] / pools[-2][2] > pools[-1][1] / pools[-1][2]:
            (start, a, b), (_, c, d) = pools[-2:]
            pools[-2:] = [(start, a + c, b + d)]
    return [(low, round(true / total, 4)) for low, true, total in pools]


def figures(table: PremiseTable, rows: Sequence[Row]) -> dict[str, Any]:
    """Recall, false alarms and calibration error on the twins held back, for each language."""
    out: dict[str, Any] = {}
    for language in ("en", "zh"):
        mine = [r for r in rows if r.language == language]
        scored = [(table.probability(r.found, (_ANY,) if r.assumed else ()), r.false) for r in mine]
        hit = [p > 0.70 for p, false in scored if false]
        alarm = [p > 0.70 for p, false in scored if not false]
        out[language] = {
            "twins": len(hit),
            "recall": round(sum(hit) / max(1, len(hit)), 3),
            "false_alarms": round(sum(alarm) / max(1, len(alarm)), 3),
            "ece": round(calibration_error(scored), 3),
        }
    return out


_ANY = Presupposition("something", "statement")


def calibration_error(scored: Sequence[tuple[float, bool]]) -> float:
    """Expected calibration error over ten bins."""
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for p, false in scored:
        bins[min(9, int(p * 10))].append((p, false))
    gaps = (abs(sum(p for p, _ in b) - sum(f for _, f in b)) for b in bins.values())
    return sum(gaps) / max(1, len(scored))


if __name__ == "__main__":
    raise SystemExit(main())
