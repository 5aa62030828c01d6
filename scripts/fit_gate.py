"""Fits the local gate's weights on public sets and writes them with their figures.

    python scripts/fit_gate.py [--seed 7] [--out data/models/gate]

Needs the evaluation sets (``COUNTERSIGN_EVAL_DATA``, default ``../shared/data`` beside the
repository) and the packaged encoder. Numpy only. Questions are split by a hash, so that no question
is on both sides; all figures are of the held-back third.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.adapters.gate_features import FEATURES
from core.adapters.gate_injection import INJECTION_FEATURES
from core.adapters.gate_model import GateModel
from core.adapters.local_gate import LocalGate, PairFeatures
from core.adapters.onnx_encoder import OnnxEncoder
from core.models.evidence import EvidenceCandidate
from core.text.language import detect_language
from core.text.tokens import content_words
from scripts.gate_rows import DATA, ROOT, SOURCES, Row, held_back

IDF_WORDS = 6000
Array = npt.NDArray[np.float64]


def main() -> int:
    """Fit, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=ROOT / "data" / "models" / "gate")
    parser.add_argument("--cache", type=Path, default=ROOT / "var" / "models")
    chosen = parser.parse_args()
    if not DATA.is_dir():
        sys.stderr.write(f"no evaluation data at {DATA}; set COUNTERSIGN_EVAL_DATA\n")
        return 3
    chance = random.Random(chosen.seed)  # noqa: S311 - sampling, not secrecy
    rows = [row for source in SOURCES for row in source(chance)]
    idf, unseen = document_frequencies(rows)
    gate = LocalGate(OnnxEncoder(chosen.cache), model=GateModel(blank_weights(idf, unseen)))
    measured = [gate.measure(row.query, [candidate(row)])[0][0] for row in rows]
    weights, figures = fit(rows, measured)
    weights.update(idf=idf, idf_unseen=unseen, seed=chosen.seed)
    weights["version"] = fingerprint(weights)
    chosen.out.mkdir(parents=True, exist_ok=True)
    write(chosen.out / "weights.json", weights)
    write(chosen.out / "figures.json", figures)
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")
    return 0


def candidate(row: Row) -> EvidenceCandidate:
    """The row's passage as the gate sees it."""
    return EvidenceCandidate(
        chunk_id="c", source_id="s", document_id="d", tenant_id="t", text=row.text,
        source_title=row.title, authority="faq",
    )  # fmt: skip


# ---- fitting --------------------------------------------------------------------------------


def document_frequencies(rows: Sequence[Row]) -> tuple[dict[str, float], float]:
    """Inverse document frequency of the commonest words, over the passages of fitting rows."""
    texts = {row.text for row in rows if row.injection is None and not held_back(row)}
    seen: Counter[str] = Counter()
    for text in texts:
        seen.update(set(content_words(text)))
    total = len(texts)

    def weigh(count: int) -> float:
        return round(math.log(1 + (total - count + 0.5) / (count + 0.5)), 3)

    common = seen.most_common(IDF_WORDS)
    return {word: weigh(count) for word, count in sorted(common)}, weigh(1)


HEADS = {
    "relevant": ("relevant", FEATURES),
    "evidence": ("evidence", FEATURES),
    "relevant_lexical": ("relevant", FEATURES),
    "evidence_lexical": ("evidence", FEATURES),
    "injection": ("injection", INJECTION_FEATURES),
}
_COSINES = [at for at, name in enumerate(FEATURES) if "cosine" in name]


def blank_weights(idf: dict[str, float], unseen: float) -> dict[str, Any]:
    """Weights of zero, to measure features with."""
    heads = {
        name: {"features": list(features), "weights": [0.0] * len(features), "bias": 0.0}
        for name, (_, features) in HEADS.items()
    }
    return {"version": "unfitted", "idf": idf, "idf_unseen": unseen, "heads": heads}


def fit(
    rows: Sequence[Row], measured: Sequence[PairFeatures]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """All heads and their figures on the held-back rows."""
    heads: dict[str, Any] = {}
    figures: dict[str, Any] = {}
    for name, (label, features) in HEADS.items():
        chosen = [at for at, row in enumerate(rows) if getattr(row, label) is not None]
        lexical = name.endswith("_lexical")
        if label != "injection":
            chosen = [at for at in chosen if lexical or measured[at].vectors]
        values = np.array([_values(measured[at], label, lexical=lexical) for at in chosen])
        labels = np.array([float(getattr(rows[at], label)) for at in chosen])
        weights = np.array([_weight(rows[at], lexical=lexical) for at in chosen])
        test = np.array([held_back(rows[at]) for at in chosen])
        share = balanced(labels[~test], weights[~test], PRIOR[label])
        vector, bias = sensible(features, values[~test], labels[~test], share)
        heads[name] = {
            "features": list(features),
            "weights": [round(float(w), 4) for w in vector],
            "bias": round(float(bias), 4),
        }
        scores = 1 / (1 + np.exp(-(values @ vector + bias)))
        figures[name] = report([rows[at] for at in chosen], labels, scores, test, weights)
    return {"heads": heads}, figures


PRIOR = {"relevant": 0.5, "evidence": 0.5, "injection": 0.35}
"""Share of positives the probabilities are calibrated to: about what reaches the gate."""


def _values(pair: PairFeatures, label: str, *, lexical: bool) -> list[float]:
    if label == "injection":
        return pair.injection
    values = list(pair.pair)
    if lexical:
        for at in _COSINES:
            values[at] = 0.0
    return values


def _weight(row: Row, *, lexical: bool) -> float:
    chinese = detect_language(row.text) == "zh"
    return row.weight * (3.0 if lexical and chinese else 1.0)


def balanced(labels: Array, weights: Array, share: float) -> Array:
    """Weights under which positives make up ``share``."""
    positive = weights[labels == 1].sum()
    negative = weights[labels == 0].sum()
    scaled = np.where(labels == 1, weights * share / positive, weights * (1 - share) / negative)
    return np.asarray(scaled * len(labels), dtype=np.float64)


FALLING = ("rarest_missing", "relation_missing", "names_missing")
FREE = ("type_open", "short_text", "wide_query")


def sensible(
    features: Sequence[str], values: Array, labels: Array, weights: Array
) -> tuple[Array, float]:
    """A fit in which every feature pulls the way its meaning says.

    A feature with the wrong sign has learnt a habit of the sets (encyclopaedia titles, say) and is
    left out; the rest is fitted again until all agree.
    """
    kept = list(range(len(features)))
    vector, bias = logistic(values, labels, weights)
    for _ in features:
        wrong = [
            at
            for at, weight in zip(kept, vector, strict=True)
            if features[at] not in FREE and (weight > 0) == (features[at] in FALLING)
        ]
        if not wrong:
            break
        kept = [at for at in kept if at not in wrong]
        vector, bias = logistic(values[:, kept], labels, weights)
    whole = np.zeros(len(features))
    whole[kept] = vector
    return whole, bias


def logistic(
    values: Array, labels: Array, weights: Array, ridge: float = 2.0
) -> tuple[Array, float]:
    """Ridge logistic regression by Newton's method on standardised features."""
    mean, spread = values.mean(axis=0), values.std(axis=0)
    spread = np.where(spread < 1e-9, 1.0, spread)
    x = np.hstack([(values - mean) / spread, np.ones((len(values), 1))])
    beta = np.zeros(x.shape[1])
    penalty = np.full(x.shape[1], ridge)
    penalty[-1] = 0.0
    for _ in range(60):
        p = 1 / (1 + np.exp(-x @ beta))
        gradient = x.T @ (weights * (p - labels)) + penalty * beta
        curvature = (x * (weights * p * (1 - p))[:, None]).T @ x + np.diag(penalty + 1e-9)
        step = np.linalg.solve(curvature, gradient)
        beta -= step
        if np.abs(step).max() < 1e-8:
            break
    vector = beta[:-1] / spread
    return vector, float(beta[-1] - (vector * mean).sum())


def report(
    rows: Sequence[Row], labels: Array, scores: Array, test: Any, weights: Array
) -> dict[str, Any]:
    """AUROC, calibration error and rates at the design's thresholds, whole and for each set."""
    out: dict[str, Any] = {
        "rows_fitted": int((~test).sum()),
        "rows_held_back": int(test.sum()),
        "auroc": auroc(labels[test], scores[test]),
        "ece": calibration_error(labels[test], scores[test], weights[test]),
        "sets": {},
    }
    by_set: dict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        if test[at]:
            by_set[row.source].append(at)
    for name, places in sorted(by_set.items()):
        y, p = labels[places], scores[places]
        out["sets"][name] = {
            "rows": len(places),
            "auroc": auroc(y, p),
            "mean_score_1": _mean(p[y == 1]),
            "mean_score_0": _mean(p[y == 0]),
            "over_half_1": _mean((p[y == 1] > 0.5).astype(float)),
            "over_half_0": _mean((p[y == 0] > 0.5).astype(float)),
            "over_70_1": _mean((p[y == 1] > 0.7).astype(float)),
            "over_70_0": _mean((p[y == 0] > 0.7).astype(float)),
        }
    return out


def _mean(values: Array) -> float | None:
    return round(float(values.mean()), 3) if len(values) else None


def auroc(labels: Array, scores: Array) -> float | None:
    """Area under the curve with ties counted half; ``None`` with one class only."""
    positive, negative = scores[labels == 1], scores[labels == 0]
    if not len(positive) or not len(negative):
        return None
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    got = ranks[labels == 1].sum() - len(positive) * (len(positive) + 1) / 2
    return round(float(got / (len(positive) * len(negative))), 3)


def calibration_error(labels: Array, scores: Array, weights: Array) -> float:
    """Expected calibration error over ten bins, rows weighted to the prior they were fitted to."""
    scaled = balanced(labels, weights, 0.5)
    error = 0.0
    for low in np.arange(0, 1, 0.1):
        inside = (scores >= low) & (scores < low + 0.1 + 1e-9)
        mass = scaled[inside].sum()
        if mass:
            gap = (scaled[inside] * (labels[inside] - scores[inside])).sum() / mass
            error += abs(gap) * mass / scaled.sum()
    return round(float(error), 3)


def fingerprint(weights: dict[str, Any]) -> str:
    """Version of the weights: the hash of what decides."""
    text = json.dumps({"heads": weights["heads"], "idf": weights["idf"]}, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=5).hexdigest()


def write(path: Path, value: dict[str, Any]) -> None:
    """Atomically, one line a top-level key, so that a change reads well."""
    body = ",\n".join(
        f"{json.dumps(key)}: {json.dumps(item, ensure_ascii=False, sort_keys=True)}"
        for key, item in sorted(value.items())
    )
    fresh = path.with_suffix(".new")
    fresh.write_text("{\n" + body + "\n}\n", encoding="utf-8")
    fresh.replace(path)


if __name__ == "__main__":
    raise SystemExit(main())
