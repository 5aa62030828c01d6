"""The training pairs of the pair reader: public sets, and questions made from statements by rule.

Each pair may say whether the second text is on the subject of the first (``relevant``), states what
it asks or bears it (``evidence``), and how it stands to it as a premise (``nli``). Nothing of the
held-back third of the gate's sets is used, nothing Chinese (the encoder does not read it), nothing
of ``kgfpq``, ``nli_mnli_mini`` or the ``claim_*`` sets.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from core.adapters.pair_window import pair_text
from core.text.language import detect_language
from core.text.sentences import split_sentences
from core.text.tokens import content_words
from scripts.gate_rows import DATA, Row, held_back, read
from scripts.gate_rows import SOURCES as GATE_SOURCES
from scripts.pair_cloze import cloze_pairs
from scripts.pair_questions import answers, cloze_question, fronted_question, presupposing
from scripts.policy_pairs import policy_pairs
from scripts.training_pair import Inference, Pair, pair_of, training_rows

_STATES = {"entailment", "contradiction"}


def training_pairs(seed: int) -> list[Pair]:
    """All pairs in a reproducible random order."""
    chance = random.Random(seed)  # noqa: S311 - sampling, not secrecy
    rows = [row for source in GATE_SOURCES for row in source(random.Random(seed))]  # noqa: S311
    made = [
        *gate_pairs(rows),
        *support_removed(),
        *value_removed(chance),
        *claim_pairs(chance),
        *inference_pairs(chance),
        *prose_pairs(chance),
        *cloze_pairs(rows, chance),
    ]
    chance.shuffle(made)
    return made


def gate_pairs(rows: Sequence[Row]) -> Iterator[Pair]:
    """The gate's own labelled rows, without the held-back third."""
    for row in rows:
        if row.injection is not None or held_back(row) or detect_language(row.text) == "zh":
            continue
        first, second = pair_text(row.query, row.text, row.title)
        nli: Inference = "not_contradiction" if row.evidence and row.source != "wice" else ""
        yield Pair(
            first, second, row.source, _number(row.relevant), _number(row.evidence), nli,
            1.0 if row.source in ("wice", "ramdocs") else 2.0,
        )  # fmt: skip


def _number(value: int | None) -> float | None:
    return None if value is None else float(value)


def support_removed() -> Iterator[Pair]:
    """Real questions over passages that lost, or are reduced to, the sentences that answer."""
    for row in _fitted_rows("clapnq"):
        passage = row["passages"][0]
        support = [s for s in row.get("support_sentences", ()) if s in passage["text"]]
        if not row["answerable"] or not support:
            continue
        left = passage["text"]
        for sentence in support:
            left = left.replace(sentence, " ")
        yield pair_of(
            row["query"], " ".join(support), passage["title"], "clapnq_support", 1, 1, 2.0
        )
        if len(left.split()) > 15:
            yield pair_of(row["query"], left, passage["title"], "clapnq_removed", 1, 0, 1.5)


def value_removed(chance: random.Random) -> Iterator[Pair]:
    """Questions over passages that lost the sentences with the value they state."""
    for row in _fitted_rows("ramdocs"):
        for passage in row["passages"]:
            value = str(passage.get("value") or "")
            if passage["label"] == "noise" or not value or chance.random() < 0.4:
                continue
            kept = [s.text for s in split_sentences(passage["text"]) if value not in s.text]
            if kept and len(" ".join(kept).split()) > 12:
                yield pair_of(row["query"], " ".join(kept), "", "ramdocs_removed", None, 0, 1.0)


def _fitted_rows(name: str) -> Iterator[dict[str, Any]]:
    return (row for row in read(name) if not held_back(Row(name, row["id"], "", "", "")))


# ---- claims and inference -------------------------------------------------------------------

CLAIM_SETS = (("fever_dev", 8000), ("fever_neutral_mined", 3200), ("feverous_dev", 2900),
              ("exfever", 5200), ("scifact", 771))  # fmt: skip


def claim_pairs(chance: random.Random) -> Iterator[Pair]:
    """Claims with evidence: as claims, and asked in three ways."""
    for name, most in CLAIM_SETS:
        rows = training_rows(name)
        for row in chance.sample(rows, min(most, len(rows))):
            yield from _claim(row, name, rows, chance)


def _claim(
    row: dict[str, str], name: str, rows: Sequence[dict[str, str]], chance: random.Random
) -> Iterator[Pair]:
    label = row["label"]
    if label == "not_entailment":
        yield pair_of(
            row["hypothesis"], row["premise"], "", name, None, None, 1.0, "not_entailment"
        )
        return
    states = float(label in _STATES)
    on = 1.0 if states else None
    claim, premise = row["hypothesis"], row["premise"]
    kind: Inference = "contradiction" if label == "contradiction" else (
        "entailment" if label == "entailment" else "neutral"
    )  # fmt: skip
    form = chance.random()
    asked = claim
    if form > 0.80:
        asked = fronted_question(claim) or claim
    elif form > 0.66:
        asked = presupposing(claim, chance)
    elif form > 0.45:
        options = answers(claim)
        asked = cloze_question(claim, options[-1], chance) if options else ""
        # Which value the claim named is gone: whether the passage denies it cannot be asked.
        kind = "not_contradiction"
        asked = asked or claim
        if asked == claim:
            kind = label  # type: ignore[assignment]
    yield pair_of(asked, premise, "", name, on, states, 1.0, kind)
    if chance.random() < 0.25:
        other = chance.choice(rows)
        if not set(content_words(other["hypothesis"])) & set(content_words(claim)):
            yield pair_of(asked, other["premise"], "", f"{name}_random", 0, 0, 0.7, "neutral")


INFERENCE_SETS = (("mnli", 9000), ("snli", 4000), ("snli_cad", 5000), ("negation_nli", 2900),
                  ("breaking_nli", 1200), ("med", 1500), ("begin", 1800),
                  ("faithdial_audit", 1200))  # fmt: skip


def inference_pairs(chance: random.Random) -> Iterator[Pair]:
    """Premise and hypothesis; a share of the hypotheses as questions that presuppose them."""
    for name, most in INFERENCE_SETS:
        rows = training_rows(name)
        for row in chance.sample(rows, min(most, len(rows))):
            first = row["hypothesis"]
            if name in ("mnli", "negation_nli") and chance.random() < 0.12:
                first = presupposing(first, chance)
            label: Inference = row["label"]
            yield pair_of(first, row["premise"], "", name, None, None, 1.0, label)


def prose_pairs(chance: random.Random) -> Iterator[Pair]:
    """Rule-made claims over policy prose: changed values, turned negations, added promises."""
    labels: dict[str, Inference] = {
        "supported": "entailment", "contradicted": "contradiction", "unsupported": "neutral",
    }  # fmt: skip
    made = [p for p in policy_pairs(DATA, seed=11) if p.corpus != "cmrc2018_zh"]
    for pair in chance.sample(made, min(6000, len(made))):
        claim = pair.claim
        if chance.random() < 0.25:
            claim = fronted_question(claim) or presupposing(claim, chance)
        label = labels[pair.label]
        states = 1.0 if label != "neutral" else None
        yield pair_of(claim, pair.evidence, "", "policy", 1, states, 1.0, label)
