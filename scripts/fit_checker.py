"""Fits the claim checker's weights on public sets and rule-made policy pairs.

    python scripts/fit_checker.py [--seed 7] [--out data/models/checker]

Needs the evaluation sets (``COUNTERSIGN_EVAL_DATA``, default ``../shared/data`` beside the
repository). Numpy only. Rows are split into five folds by a hash of their evidence, so that no
document is on both sides; every figure is of rows the model had not seen.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core.text.claim_features import FEATURES, evidence_sentences, joined, look_at

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from scripts.policy_pairs import policy_pairs  # noqa: E402 - found only once the root is known

DATA = Path(os.environ.get("COUNTERSIGN_EVAL_DATA", ROOT.parent / "shared" / "data"))
CLAIM_SETS = ("summedits", "wice", "fm2", "fever_symmetric", "vitaminc_mini")
TRAINING_LABELS = {
    "entailment": "supported",
    "neutral": "unsupported",
    "contradiction": "contradicted",
    "not_entailment": "unsupported",
}
PER_TRAINING_SET = 1200
WEIGHTS = {"claim": 1.0, "policy": 0.3, "training": 0.1}
FOLDS, HIDDEN, EPOCHS = 5, 12, 30
Array = npt.NDArray[np.float64]


class Row(NamedTuple):
    """One claim beside its evidence. ``family`` is claim, policy or training."""

    family: str
    source: str
    claim: str
    evidence: str
    supported: bool


class Fitted(NamedTuple):
    """Everything ``CheckerModel`` reads, as arrays."""

    mean: Array
    scale: Array
    linear: Array
    network: tuple[Array, Array, Array, Array]
    blend: Array

    def logits(self, features: Array) -> Array:
        """The two parts' outputs, one column each."""
        z = (features - self.mean) / self.scale
        hidden, hidden_bias, out, out_bias = self.network
        network = np.tanh(z @ hidden + hidden_bias) @ out + out_bias[0]
        return np.c_[_crossed(z) @ self.linear, network]

    def scores(self, features: Array) -> Array:
        """Probabilities."""
        return _sigmoid(np.c_[self.logits(features), np.ones(len(features))] @ self.blend)


def main() -> int:
    """Fit, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=ROOT / "data" / "models" / "checker")
    options = parser.parse_args()
    if not DATA.exists():
        sys.stderr.write(f"the evaluation sets are not at {DATA}; set COUNTERSIGN_EVAL_DATA\n")
        return 3
    rows = [r for r in _rows(options.seed) if _features(r) is not None]
    features = np.array([_features(r) for r in rows])
    truth = np.array([r.supported for r in rows])
    fold = np.array([_fold(r.evidence) for r in rows])
    unseen = np.zeros(len(rows))
    for number in range(FOLDS):
        train = fold != number
        unseen[~train] = _fit(rows, features, truth, train, options.seed).scores(features[~train])
    figures = _figures(rows, truth, unseen)
    model = _fit(rows, features, truth, np.ones(len(rows), dtype=bool), options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    _write(options.out / "weights.json", _as_json(model))
    _write(options.out / "figures.json", {"seed": options.seed, "folds": FOLDS, "sets": figures})
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")
    return 0


def _rows(seed: int) -> Iterator[Row]:
    for name in CLAIM_SETS:
        for raw in _json_lines(DATA / f"claim_{name}" / f"claim_{name}.jsonl"):
            # WiCE's second kind holds no supported claim: its kind would give the label away.
            if raw["kind"] != "subclaim_with_unsupported_tokens":
                yield Row("claim", name, raw["claim"], raw["evidence"], raw["label"] == "supported")
    chance = random.Random(seed)  # noqa: S311 - a reproducible sample
    for path in sorted((DATA / "training").glob("*/*.jsonl")):
        lines = list(_json_lines(path))
        for raw in chance.sample(lines, min(PER_TRAINING_SET, len(lines))):
            label = TRAINING_LABELS[raw["label"]]
            name = path.parent.name
            yield Row("training", name, raw["hypothesis"], raw["premise"], label == "supported")
    for pair in policy_pairs(DATA, seed=seed):
        # Word-for-word quotations are decided before the model is asked.
        if pair.kind != "as it stands":
            label = pair.label == "supported"
            yield Row("policy", f"policy:{pair.corpus}", pair.claim, pair.evidence, label)


def _json_lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


_SEEN: dict[Row, tuple[float, ...] | None] = {}


def _features(row: Row) -> tuple[float, ...] | None:
    if row not in _SEEN:
        views = look_at(row.claim, evidence_sentences([row.evidence]))
        _SEEN[row] = joined(views) if views else None
    return _SEEN[row]


def _fold(evidence: str) -> int:
    return hashlib.blake2b(evidence.encode(), digest_size=2).digest()[0] % FOLDS


def _fit(
    rows: list[Row],
    features: Array,
    truth: npt.NDArray[np.bool_],
    use: npt.NDArray[np.bool_],
    seed: int,
) -> Fitted:
    weights = _weights(rows, truth, use)
    x, y, w = features[use], truth[use].astype(float), weights[use]
    mean, scale = x.mean(0), x.std(0) + 1e-9
    z = (x - mean) / scale
    linear = _newton(_crossed(z), y, w)
    network = _network(z, y, w, seed)
    half = Fitted(mean, scale, linear, network, np.array([1.0, 1.0, 0.0]))
    parts = half.logits(x)
    # Equal say for both parts, then one slope and one offset to calibrate the sum.
    spread = parts.std(0)
    both = (parts / spread).sum(1)
    slope, offset = _newton(np.c_[both, np.ones(len(both))], y, w)
    return half._replace(blend=np.array([slope / spread[0], slope / spread[1], offset]))


def _weights(rows: list[Row], truth: npt.NDArray[np.bool_], use: npt.NDArray[np.bool_]) -> Array:
    """Each set counts by its family, each answer within a set alike."""
    sources = np.array([r.source for r in rows])
    families = {r.source: r.family for r in rows}
    weights = np.zeros(len(rows))
    for source, family in families.items():
        for value in (False, True):
            chosen = use & (sources == source) & (truth == value)
            if chosen.any():
                weights[chosen] = WEIGHTS[family] * 200 / chosen.sum()
    return weights


def _crossed(z: Array) -> Array:
    """The features, each times evidence length, and a constant."""
    length = z[:, [FEATURES.index("evidence_length")]]
    return np.c_[z, z * length, np.ones(len(z))]


def _newton(x: Array, y: Array, w: Array, ridge: float = 2.0) -> Array:
    beta = np.zeros(x.shape[1])
    penalty = np.eye(x.shape[1]) * ridge
    penalty[-1, -1] = 1e-6
    for _ in range(50):
        p = _sigmoid(x @ beta)
        gradient = x.T @ (w * (p - y)) + penalty @ beta
        hessian = (x * (w * p * (1 - p))[:, None]).T @ x + penalty
        step = np.linalg.solve(hessian, gradient)
        beta -= step
        if np.abs(step).max() < 1e-7:
            break
    return beta


def _network(z: Array, y: Array, w: Array, seed: int) -> tuple[Array, Array, Array, Array]:
    """One hidden layer, trained by Adam with a falling rate and a little weight decay."""
    chance = np.random.default_rng(seed)
    weights = [
        chance.normal(0, 0.3, (z.shape[1], HIDDEN)),
        np.zeros(HIDDEN),
        chance.normal(0, 0.3, HIDDEN),
        np.zeros(1),
    ]
    first, second = [np.zeros_like(p) for p in weights], [np.zeros_like(p) for p in weights]
    w, turn = w / w.mean(), 0
    for epoch in range(EPOCHS):
        order = chance.permutation(len(z))
        for start in range(0, len(z), 256):
            turn += 1
            pick = order[start : start + 256]
            slopes = _slopes(weights, z[pick], y[pick], w[pick])
            rate = 0.01 * (1 - epoch / EPOCHS) + 1e-4
            for i, slope in enumerate(slopes):
                first[i] = 0.9 * first[i] + 0.1 * slope
                second[i] = 0.999 * second[i] + 0.001 * slope**2
                moved = first[i] / (1 - 0.9**turn)
                weights[i] = weights[i] - rate * moved / (
                    np.sqrt(second[i] / (1 - 0.999**turn)) + 1e-8
                )
    return weights[0], weights[1], weights[2], weights[3]


def _slopes(weights: list[Array], z: Array, y: Array, w: Array) -> list[Array]:
    hidden, hidden_bias, out, out_bias = weights
    active = np.tanh(z @ hidden + hidden_bias)
    error = w * (_sigmoid(active @ out + out_bias[0]) - y) / len(z)
    inner = np.outer(error, out) * (1 - active * active)
    return [
        z.T @ inner + 1e-3 * hidden,
        inner.sum(0),
        active.T @ error + 1e-3 * out,
        error.sum(keepdims=True),
    ]


def _sigmoid(values: Array) -> Array:
    return 1 / (1 + np.exp(-np.clip(values, -30, 30)))


def _figures(
    rows: list[Row], truth: npt.NDArray[np.bool_], scores: Array
) -> dict[str, dict[str, float]]:
    sources = np.array([r.source for r in rows])
    out: dict[str, dict[str, float]] = {}
    for source in dict.fromkeys(r.source for r in rows if r.family != "training"):
        chosen = sources == source
        out[source] = _measured(truth[chosen], scores[chosen])
    return out


def _measured(truth: npt.NDArray[np.bool_], scores: Array) -> dict[str, float]:
    said = scores >= 0.5
    balanced = (said[truth].mean() + (~said[~truth]).mean()) / 2
    return {
        "rows": len(truth),
        "balanced_accuracy": round(float(balanced), 3),
        "auroc": round(_auroc(truth, scores), 3),
    }


def _auroc(truth: npt.NDArray[np.bool_], scores: Array) -> float:
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks = (ends - (counts - 1) / 2)[inverse]
    positive = int(truth.sum())
    total = ranks[truth].sum() - positive * (positive + 1) / 2
    return float(total / (positive * (len(truth) - positive)))


def _as_json(model: Fitted) -> dict[str, Any]:
    round5: Callable[[Array], Any] = lambda a: np.round(a, 5).tolist()  # noqa: E731
    hidden, hidden_bias, out, out_bias = model.network
    return {
        "version": "1",
        "features": list(FEATURES),
        "mean": round5(model.mean),
        "scale": round5(model.scale),
        "linear": {"weights": round5(model.linear[:-1]), "bias": round(float(model.linear[-1]), 5)},
        "network": {
            "hidden": round5(hidden.T),
            "hidden_bias": round5(hidden_bias),
            "out": round5(out),
            "out_bias": round(float(out_bias[0]), 5),
        },
        "blend": round5(model.blend),
    }


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
