"""Trains the pair reader: a cross-encoder made of the packaged encoder and a low-rank update.

    PYTHONPATH=. python scripts/train_pair_reader.py [--seed 7] [--epochs 2] [--out DIR]

Needs torch and safetensors beside the project's own requirements (a separate environment will do),
and the evaluation sets (see ``scripts/gate_rows.py``). Only what differs from the packaged weights
is written (see ``scripts/pair_network.py``). Each run with the same seed, threads and machine type
gives the same weights up to rounding.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from safetensors.torch import save_file
from torch.nn import functional

from core.adapters.onnx_folder import ModelFolder, load_tokenizer, packaged_model
from core.adapters.pair_adapter import FORMAT, OUTPUTS
from core.adapters.pair_tokens import pair_rows
from core.adapters.pair_window import pair_text
from core.text.language import detect_language
from scripts.gate_figures import auroc
from scripts.gate_rows import ROOT, held_back, read
from scripts.gate_rows import SOURCES as GATE_SOURCES
from scripts.pair_data import training_pairs
from scripts.pair_network import Reader
from scripts.training_pair import Pair

MAX_TOKENS = 192
BATCH_TOKENS = 4096

# ---- batches --------------------------------------------------------------------------------


class Encoded(NamedTuple):
    """A pair as token ids with the place where the second text starts."""

    pair: Pair
    ids: list[int]
    second: int


def encoded(tokenizer: Any, pairs: Sequence[Pair]) -> list[Encoded]:
    """The pairs cut as the gate cuts them when it reads."""
    rows = pair_rows(tokenizer, [(pair.first, pair.second) for pair in pairs], MAX_TOKENS)
    return [Encoded(pair, row.ids, row.first) for pair, row in zip(pairs, rows, strict=True)]


def batches(rows: Sequence[Encoded], chance: random.Random | None) -> Iterator[list[Encoded]]:
    """Rows of like length together, in random order, about ``BATCH_TOKENS`` tokens each.

    Lengths are rounded up and the batch size follows from the length: the runtime prepares its
    products anew for every shape it has not seen.
    """
    by_length: dict[int, list[Encoded]] = {}
    for row in rows:
        by_length.setdefault(_rounded(len(row.ids)), []).append(row)
    made: list[list[Encoded]] = []
    for length, group in sorted(by_length.items()):
        if chance:
            chance.shuffle(group)
        size = max(1, BATCH_TOKENS // length)
        made += [group[at : at + size] for at in range(0, len(group), size)]
    if chance:
        # A short rest of a group would weigh as much as a full batch, and be a shape of its own.
        made = [group for group in made if len(group) * _rounded(len(group[0].ids)) > 3000]
        chance.shuffle(made)
    yield from made


def _rounded(length: int) -> int:
    return -(-length // 16) * 16


def tensors(batch: Sequence[Encoded]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Ids, types and mask, padded on the right."""
    length = _rounded(max(len(row.ids) for row in batch))
    ids = torch.zeros(len(batch), length, dtype=torch.long)
    types, mask = torch.zeros_like(ids), torch.zeros_like(ids)
    for at, row in enumerate(batch):
        size = len(row.ids)
        ids[at, :size] = torch.tensor(row.ids)
        types[at, row.second : size] = 1
        mask[at, :size] = 1
    return ids, types, mask


def loss_of(logits: torch.Tensor, batch: Sequence[Encoded]) -> torch.Tensor:
    """Binary losses where relevance or evidence is known, and the likelihood of the inference."""
    total = logits.new_zeros(())
    for at, name in enumerate(("relevant", "evidence")):
        known = [n for n, row in enumerate(batch) if getattr(row.pair, name) is not None]
        if not known:
            continue
        target = torch.tensor([float(getattr(batch[n].pair, name)) for n in known])
        weight = torch.tensor([batch[n].pair.weight for n in known])
        each = functional.binary_cross_entropy_with_logits(
            logits[known, at], target, reduction="none"
        )
        total = total + (each * weight).sum()
    log = torch.log_softmax(logits[:, 2:], dim=1)
    for n, row in enumerate(batch):
        if row.pair.nli:
            total = total - row.pair.weight * _likelihood(log[n], row.pair.nli)
    return total / len(batch)


_PLACE = {"entailment": 0, "neutral": 1, "contradiction": 2}


def _likelihood(log: torch.Tensor, label: str) -> torch.Tensor:
    if label in _PLACE:
        return log[_PLACE[label]]
    excluded = _PLACE[label.removeprefix("not_")]
    kept = [at for at in range(3) if at != excluded]
    return torch.logsumexp(log[kept], dim=0)


# ---- held-back figures ----------------------------------------------------------------------


def watched(seed: int) -> dict[str, tuple[list[Pair], list[int], str]]:
    """Sets that are never trained on: pairs, labels and what is compared."""
    out: dict[str, tuple[list[Pair], list[int], str]] = {}
    rows = [row for source in GATE_SOURCES for row in source(random.Random(seed))]  # noqa: S311
    for name in ("clapnq_own", "clapnq", "qnli", "wice", "ramdocs", "headings"):
        chosen = [
            r for r in rows
            if r.source == name and held_back(r) and detect_language(r.text) != "zh"
        ]  # fmt: skip
        for question in ("evidence", "relevant"):
            known = [r for r in chosen if getattr(r, question) is not None][:900]
            labels = [int(getattr(r, question)) for r in known]
            if len(set(labels)) == 2:
                pairs = [Pair(*pair_text(r.query, r.text, r.title), name) for r in known]
                out[f"{name}.{question}"] = (pairs, labels, question)
    kg = read("kgfpq", "kgfpq_paired.jsonl")
    out["kgfpq.contradiction"] = (
        [Pair(*pair_text(r["query"], r["passages"][0]["text"], ""), "kgfpq") for r in kg],
        [int(r["premise_false"]) for r in kg], "contradiction",
    )  # fmt: skip
    nli = read("nli_mnli_mini")
    out["mnli_mini.contradiction"] = (
        [Pair(*pair_text(r["hypothesis"], r["premise"], ""), "mnli") for r in nli],
        [int(r["label"] == "contradiction") for r in nli], "contradiction",
    )  # fmt: skip
    return out


@torch.no_grad()
def scores_of(reader: Reader, rows: Sequence[Encoded], question: str) -> list[float]:
    """One number a row: the logit, or the margin of contradiction over the other two."""
    reader.eval()
    got: dict[int, float] = {}
    place = OUTPUTS.index(question)
    for batch in batches(rows, None):
        logits = reader(*tensors(batch)).float()
        value = logits[:, place]
        if question == "contradiction":
            value = value - torch.logsumexp(logits[:, 2:4], dim=1)
        got |= {id(row): float(v) for row, v in zip(batch, value, strict=True)}
    reader.train()
    return [got[id(row)] for row in rows]


# ---- training -------------------------------------------------------------------------------


def main() -> int:
    """Train, watch, write after each look."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--epochs", type=float, default=2.0)
    parser.add_argument("--rate", type=float, default=6e-4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, default=ROOT / "data" / "models" / "pair_reader")
    chosen = parser.parse_args()
    torch.manual_seed(chosen.seed)
    torch.set_num_threads(chosen.threads)
    chance = random.Random(chosen.seed)  # noqa: S311 - sampling, not secrecy
    folder = ModelFolder(packaged_model())
    tokenizer = load_tokenizer(folder.path)
    rows = encoded(tokenizer, training_pairs(chosen.seed))
    looks = {
        name: (encoded(tokenizer, pairs), labels, question)
        for name, (pairs, labels, question) in watched(chosen.seed).items()
    }
    reader = Reader(folder)
    reader.train()
    steps = int(chosen.epochs * sum(1 for _ in batches(rows, random.Random(0))))  # noqa: S311
    optimiser = torch.optim.AdamW(_groups(reader, chosen.rate), betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda n: min(1.0, (n + 1) / 150) * max(0.02, 1 - n / steps)
    )
    _say(f"{len(rows)} pairs, {steps} steps")
    done, running, began = 0, 0.0, time.monotonic()
    while done < steps:
        for batch in batches(rows, chance):
            loss = loss_of(reader(*tensors(batch)), batch)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            done += 1
            running += float(loss.detach())
            if done % 100 == 0:
                _say(f"step {done} loss {running / 100:.4f} {time.monotonic() - began:.0f}s")
                running = 0.0
            if done % 600 == 0 or done == steps:
                figures = {
                    name: auroc(np.array(labels), np.array(scores_of(reader, shown, question)), 4)
                    for name, (shown, labels, question) in looks.items()
                }
                _say(json.dumps(figures))
                _write(reader, folder, chosen, done, figures)
            if done >= steps:
                break
    return 0


def _groups(reader: Reader, rate: float) -> list[dict[str, Any]]:
    low: list[torch.nn.Parameter] = []
    head: list[torch.nn.Parameter] = []
    rest: list[torch.nn.Parameter] = []
    for name, value in reader.named_parameters():
        (low if ".lora_" in name else head if name.startswith("head") else rest).append(value)
    return [
        {"params": low, "lr": rate, "weight_decay": 0.01},
        {"params": head, "lr": 3 * rate, "weight_decay": 0.0},
        {"params": rest, "lr": rate / 3, "weight_decay": 0.0},
    ]


def _write(
    reader: Reader, folder: ModelFolder, chosen: Any, steps: int, figures: dict[str, float | None]
) -> None:
    chosen.out.mkdir(parents=True, exist_ok=True)
    fresh = chosen.out / "adapter.new"
    about = {
        "format": FORMAT,
        "base": folder.weights_hash,
        "max_tokens": str(MAX_TOKENS),
        "outputs": ",".join(OUTPUTS),
        "version": f"s{chosen.seed}-{steps}",
    }
    save_file(reader.delta(), str(fresh), metadata=about)
    fresh.replace(chosen.out / "adapter.safetensors")
    text = json.dumps({"steps": steps, "seed": chosen.seed, "auroc": figures}, indent=1)
    (chosen.out / "figures.json").write_text(text + "\n", encoding="utf-8")


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
