"""Fits the local gate's heads on public sets and writes them with their figures.

    PYTHONPATH=. python scripts/fit_gate.py [--seed 7] [--only HEAD ...] [--out data/models/gate]

Needs the evaluation sets (``COUNTERSIGN_EVAL_DATA``, default ``../shared/data`` beside the
repository), the packaged encoder and the pair reader's adapter. Numpy only. Questions are split by
a hash, so that no question is on both sides.

Heads by words, by vectors and of injection are fitted and calibrated on two thirds and measured on
the third held back. The heads over the pair reader cannot be: it was trained on those two thirds
and is too sure of them. They are cross-fitted on the held-back third, in five folds of whole
questions: each figure is of a head and a calibration that have not seen the question.

Thresholds and ``calibration.json`` hang on the heads: run ``scripts/fit_thresholds.py`` after it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from core.adapters.caching_encoder import CachingEncoder
from core.adapters.gate_features import FEATURES, Idf
from core.adapters.gate_injection import INJECTION_FEATURES
from core.adapters.gate_judge import FIRST_HEADS
from core.adapters.gate_look import Asked, context, look, suspicions
from core.adapters.gate_reading import READ_FEATURES, read_features
from core.adapters.onnx_encoder import OnnxEncoder
from core.adapters.pair_adapter import ADAPTER, PairAdapter
from core.adapters.pair_reader import PairReader
from core.adapters.pair_window import pair_text
from core.evaluation.gate_split import CROSS_FOLDS, cross_fold
from core.models.evidence import EvidenceCandidate
from core.text.language import detect_language
from scripts.gate_figures import report
from scripts.gate_fitting import Array, Fit, Mask, balanced, document_frequencies, fitted
from scripts.gate_rows import DATA, ROOT, SOURCES, Row, held_back, side

WORDS = tuple(name for name in FEATURES if "cosine" not in name)


class Head(NamedTuple):
    """A head to fit: what it answers, what it weighs, of which rows."""

    label: str
    features: tuple[str, ...]
    way: str
    """``reader``, ``vectors`` and ``words`` as in the gate, or ``signs`` of an injection."""


HEADS = {
    "relevant_vectors": Head("relevant", FEATURES, "vectors"),
    "evidence_vectors": Head("evidence", FEATURES, "vectors"),
    "relevant_lexical": Head("relevant", WORDS, "words"),
    "evidence_lexical": Head("evidence", WORDS, "words"),
    "injection": Head("injection", INJECTION_FEATURES, "signs"),
    # After the heads whose odds they weigh.
    "relevant": Head("relevant", READ_FEATURES, "reader"),
    "evidence": Head("evidence", READ_FEATURES, "reader"),
}
PRIOR = {"relevant": 0.5, "evidence": 0.5, "injection": 0.35}
"""Share of positives the weights are fitted to."""
MEANT = {"relevant": 0.5, "evidence": 0.36}
"""Share of positives the probabilities are calibrated to, elsewhere the rows' own. The floor
must not lose what is on the subject, so *relevant* errs upwards where little is (Chinese)."""


class Measured(NamedTuple):
    """A row with all that any head weighs, by name; ``known`` to the encoder or not."""

    row: Row
    values: dict[str, float]
    known: bool


class Fitted(NamedTuple):
    """A head as it is stored, and its probabilities of rows it has not seen."""

    stored: dict[str, Any]
    parts: list[dict[str, Any]]
    """Of a cross-fitted head, as fitted without each fold."""
    rows: list[Row]
    labels: Array
    scores: Array


def main() -> int:
    """Fit, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--only", nargs="*", default=list(HEADS), choices=list(HEADS))
    parser.add_argument("--out", type=Path, default=ROOT / "data" / "models" / "gate")
    parser.add_argument("--cache", type=Path, default=ROOT / "var" / "models")
    parser.add_argument("--adapter", type=Path, default=ADAPTER)
    chosen = parser.parse_args()
    if not DATA.is_dir():
        sys.stderr.write(f"no evaluation data at {DATA}; set COUNTERSIGN_EVAL_DATA\n")
        return 3
    chance = random.Random(chosen.seed)  # noqa: S311 - sampling, not secrecy
    rows = [row for source in SOURCES for row in source(chance)]
    idf, unseen = document_frequencies(rows)
    heads = _stored(chosen.out / "weights.json").get("heads", {})
    made: dict[str, Fitted] = {}
    for name in [name for name in HEADS if name in chosen.only]:
        entries = measured(rows, HEADS[name], Idf(idf, unseen), chosen)
        if HEADS[name].way == "reader":
            entries = read(entries, [heads[first] for first in FIRST_HEADS], chosen)
        made[name] = fitted_head(HEADS[name], entries)
        heads[name] = made[name].stored
    reader = PairAdapter(chosen.adapter).hash
    write_all(chosen.out, made, {"idf": idf, "idf_unseen": unseen, "reader": reader})
    figures = _stored(chosen.out / "figures.json")
    sys.stdout.write(json.dumps({name: figures[name] for name in made}, indent=1) + "\n")
    return 0


def write_all(out: Path, made: dict[str, Fitted], about: dict[str, Any]) -> None:
    """Weights, those of the folds and figures; heads not fitted in this run are kept."""
    heads = _stored(out / "weights.json").get("heads", {}) | {n: f.stored for n, f in made.items()}
    weights = about | {"heads": {name: heads[name] for name in HEADS}}
    weights["version"] = fingerprint(weights)
    figures = _stored(out / "figures.json")
    figures |= {name: report(f.rows, f.labels, f.scores) for name, f in made.items()}
    write(out / "weights.json", weights)
    write(out / "figures.json", {name: figures[name] for name in HEADS})
    crossed = {name: f.parts for name, f in made.items() if f.parts}
    if crossed:
        write(out / "folds.json", crossed)


# ---- measuring ------------------------------------------------------------------------------


def measured(rows: Sequence[Row], head: Head, idf: Idf, chosen: Any) -> list[Measured]:
    """The rows the head is fitted or measured on, with their values."""
    kept = [r for r in rows if getattr(r, head.label) is not None and side(r) != "neither"]
    if head.way == "reader":
        kept = [row for row in kept if held_back(row)]
    encoder = _encoder(chosen.cache)
    pairs = [Asked(row.query, candidate(row)) for row in kept]
    if head.way == "signs":
        signs = suspicions([pair.candidate for pair in pairs], encoder)
        return [
            Measured(row, dict(zip(INJECTION_FEATURES, values, strict=True)), known=True)
            for row, (_, values) in zip(kept, signs, strict=True)
        ]
    known = [encoder.knows(row.query) and encoder.knows(row.text) for row in kept]
    encoders = [encoder if vote and head.way != "words" else None for vote in known]
    found = [dict(zip(FEATURES, v, strict=True)) for v in look(pairs, idf, encoders)]
    out = [Measured(*entry) for entry in zip(kept, found, known, strict=True)]
    return out if head.way == "words" else [entry for entry in out if entry.known]


def read(
    entries: Sequence[Measured], first: Sequence[dict[str, Any]], chosen: Any
) -> list[Measured]:
    """The entries with what the heads over the pair reader weigh."""
    reader = PairReader(chosen.cache, adapter=chosen.adapter)
    texts = [pair_text(e.row.query, e.row.text, context(candidate(e.row))) for e in entries]
    out = []
    for entry, row in zip(entries, reader.logits(texts).tolist(), strict=True):
        values = read_features([_odds(head, entry.values) for head in first], row)
        named = dict(zip(READ_FEATURES, values, strict=True))
        out.append(entry._replace(values=entry.values | named))
    return out


def _odds(head: dict[str, Any], values: dict[str, float]) -> float:
    """The log odds of a stored head."""
    weights = zip(head["features"], head["weights"], strict=True)
    return float(head["bias"] + sum(weight * values[name] for name, weight in weights))


_ENCODERS: dict[Path, CachingEncoder] = {}


def _encoder(cache: Path) -> CachingEncoder:
    """The one that serves the pair reader, with room for every sentence of every row."""
    if cache not in _ENCODERS:
        _ENCODERS[cache] = CachingEncoder(
            OnnxEncoder(cache, precision="int8", apart=True), kept=200_000
        )
    return _ENCODERS[cache]


def candidate(row: Row) -> EvidenceCandidate:
    """The row's passage as the gate sees it."""
    return EvidenceCandidate(
        chunk_id="c", source_id="s", document_id="d", tenant_id="t", text=row.text,
        source_title=row.title, authority="faq",
    )  # fmt: skip


# ---- fitting --------------------------------------------------------------------------------


def fitted_head(head: Head, entries: Sequence[Measured]) -> Fitted:
    """The head with its calibration, and its probabilities of rows it has not seen."""
    rows = [entry.row for entry in entries]
    values = np.array([[entry.values[name] for name in head.features] for entry in entries])
    labels = np.array([float(getattr(row, head.label)) for row in rows])
    weights = _weights(rows, head)
    folds = np.array([cross_fold(row.source.removesuffix("_own"), row.group) for row in rows])
    alike = np.array([head.way != "words" or not entry.known for entry in entries])

    def fit_on(chosen: Mask) -> Fit:
        share = balanced(labels[chosen], weights[chosen], PRIOR[head.label])
        return fitted(
            head.features, values[chosen], labels[chosen], share, folds[chosen], alike[chosen],
            MEANT.get(head.label),
        )  # fmt: skip

    if head.way == "reader":
        whole, *parts = (fit_on(folds != apart) for apart in (-1, *range(CROSS_FOLDS)))
        scores = np.zeros(len(rows))
        for number, part in enumerate(parts):
            scores[folds == number] = part.probabilities(values[folds == number])
        return Fitted(
            _stored_head(head, whole), [_stored_head(head, p) for p in parts], rows, labels, scores
        )
    fits = np.array([side(row) == "fit" for row in rows])
    whole = fit_on(fits)
    unseen = [row for row, fit in zip(rows, fits, strict=True) if not fit]
    scores = whole.probabilities(values[~fits])
    return Fitted(_stored_head(head, whole), [], unseen, labels[~fits], scores)


def _stored_head(head: Head, fit: Fit) -> dict[str, Any]:
    return {
        "features": list(head.features),
        "weights": [round(float(weight), 4) for weight in fit.vector],
        "bias": round(fit.bias, 4),
        "calibration": fit.table,
    }


def _weights(rows: Sequence[Row], head: Head) -> Array:
    """By the sets' own weights; the heads over the reader learn as much from each set, for one of
    them holds half of their rows."""
    if head.way == "reader":
        counts = Counter(row.source for row in rows)
        return np.array([len(rows) / len(counts) / counts[row.source] for row in rows])
    chinese = [head.way == "words" and detect_language(row.text) == "zh" for row in rows]
    return np.array([r.weight * (3 if zh else 1) for r, zh in zip(rows, chinese, strict=True)])


# ---- files ----------------------------------------------------------------------------------


def fingerprint(weights: dict[str, Any]) -> str:
    """Version of the weights: the hash of what decides."""
    deciding = {name: weights[name] for name in ("heads", "idf", "reader")}
    text = json.dumps(deciding, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=5).hexdigest()


def _stored(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def write(path: Path, value: dict[str, Any]) -> None:
    """Atomically, one line a top-level key, so that a change reads well."""
    body = ",\n".join(
        f"{json.dumps(key)}: {json.dumps(item, ensure_ascii=False, sort_keys=True)}"
        for key, item in sorted(value.items())
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text("{\n" + body + "\n}\n", encoding="utf-8")
    fresh.replace(path)


if __name__ == "__main__":
    raise SystemExit(main())
