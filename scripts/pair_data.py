"""The training pairs of the pair reader: public sets, and questions made from statements by rule.

Each pair may say whether the second text is on the subject of the first (``relevant``), states what
it asks or bears it (``evidence``), and how it stands to it as a premise (``nli``). Nothing of the
held-back third of the gate's sets is used, nothing Chinese (the encoder does not read it), nothing
of ``kgfpq``, ``nli_mnli_mini`` or the ``claim_*`` sets.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from core.adapters.pair_window import pair_text
from core.text.language import detect_language
from core.text.sentences import split_sentences
from core.text.tokens import content_words
from scripts.gate_rows import DATA, ROOT, Row, held_back, read
from scripts.gate_rows import SOURCES as GATE_SOURCES
from scripts.pair_questions import answers, cloze_question, fronted_question, presupposing, without
from scripts.policy_pairs import policy_pairs

Inference = Literal[
    "entailment", "neutral", "contradiction", "not_entailment", "not_contradiction", ""
]
_STATES = {"entailment", "contradiction"}


class Pair(NamedTuple):
    """Two texts and what is known of them; ``None`` and ``""`` mean not known."""

    first: str
    second: str
    source: str
    relevant: float | None = None
    evidence: float | None = None
    nli: Inference = ""
    weight: float = 1.0


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
        yield _pair(row["query"], " ".join(support), passage["title"], "clapnq_support", 1, 1, 2.0)
        if len(left.split()) > 15:
            yield _pair(row["query"], left, passage["title"], "clapnq_removed", 1, 0, 1.5)


def value_removed(chance: random.Random) -> Iterator[Pair]:
    """Questions over passages that lost the sentences with the value they state."""
    for row in _fitted_rows("ramdocs"):
        for passage in row["passages"]:
            value = str(passage.get("value") or "")
            if passage["label"] == "noise" or not value or chance.random() < 0.4:
                continue
            kept = [s.text for s in split_sentences(passage["text"]) if value not in s.text]
            if kept and len(" ".join(kept).split()) > 12:
                yield _pair(row["query"], " ".join(kept), "", "ramdocs_removed", None, 0, 1.0)


def _fitted_rows(name: str) -> Iterator[dict[str, Any]]:
    return (row for row in read(name) if not held_back(Row(name, row["id"], "", "", "")))


def _pair(
    query: str, text: str, title: str, source: str,
    relevant: float | None, evidence: float | None, weight: float = 1.0, nli: Inference = "",
) -> Pair:  # fmt: skip
    first, second = pair_text(query, text, title)
    return Pair(first, second, source, relevant, evidence, nli, weight)


# ---- claims and inference -------------------------------------------------------------------

CLAIM_SETS = (("fever_dev", 8000), ("fever_neutral_mined", 3200), ("feverous_dev", 2900),
              ("exfever", 5200), ("scifact", 771))  # fmt: skip


def _training(name: str) -> list[dict[str, str]]:
    path = DATA / "training" / name / f"train_{name}.jsonl"
    if not path.is_file():
        sys.stderr.write(f"skipped {path}: absent\n")
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def claim_pairs(chance: random.Random) -> Iterator[Pair]:
    """Claims with evidence: as claims, and asked in three ways."""
    for name, most in CLAIM_SETS:
        rows = _training(name)
        for row in chance.sample(rows, min(most, len(rows))):
            yield from _claim(row, name, rows, chance)


def _claim(
    row: dict[str, str], name: str, rows: Sequence[dict[str, str]], chance: random.Random
) -> Iterator[Pair]:
    label = row["label"]
    if label == "not_entailment":
        yield _pair(row["hypothesis"], row["premise"], "", name, None, None, 1.0, "not_entailment")
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
    yield _pair(asked, premise, "", name, on, states, 1.0, kind)
    if chance.random() < 0.25:
        other = chance.choice(rows)
        if not set(content_words(other["hypothesis"])) & set(content_words(claim)):
            yield _pair(asked, other["premise"], "", f"{name}_random", 0, 0, 0.7, "neutral")


INFERENCE_SETS = (("mnli", 9000), ("snli", 4000), ("snli_cad", 5000), ("negation_nli", 2900),
                  ("breaking_nli", 1200), ("med", 1500), ("begin", 1800),
                  ("faithdial_audit", 1200))  # fmt: skip


def inference_pairs(chance: random.Random) -> Iterator[Pair]:
    """Premise and hypothesis; a share of the hypotheses as questions that presuppose them."""
    for name, most in INFERENCE_SETS:
        rows = _training(name)
        for row in chance.sample(rows, min(most, len(rows))):
            first = row["hypothesis"]
            if name in ("mnli", "negation_nli") and chance.random() < 0.12:
                first = presupposing(first, chance)
            label: Inference = row["label"]  # type: ignore[assignment]
            yield _pair(first, row["premise"], "", name, None, None, 1.0, label)


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
        yield _pair(claim, pair.evidence, "", "policy", 1, states, 1.0, label)


# ---- questions made from passages -----------------------------------------------------------

PROSE = (
    ("basecamp_policies", "corpus.jsonl"),
    ("abcd_guidelines", "corpus.jsonl"),
    ("tau_policies", "corpus.jsonl"),
    ("supabase_auth", "corpus_sections.jsonl"),
)


class Text(NamedTuple):
    """A passage to ask about."""

    title: str
    text: str
    kind: str


def texts(rows: Sequence[Row], chance: random.Random) -> list[Text]:
    """Passages of the fitted rows, of policies and guides, and of the demo company."""
    seen = {
        (row.title, row.text): row.source
        for row in rows
        if row.source in ("clapnq", "clapnq_own", "mtrag", "ramdocs") and not held_back(row)
    }
    out = [Text(title, text, "wiki") for title, text in seen]
    for name, path in PROSE:
        for row in read(name, path):
            out += [
                Text(str(row.get("title", "")), piece, "prose") for piece in _pieces(row["text"])
            ]
    for path in sorted((ROOT / "data" / "sources").glob("*.md")):
        body = path.read_text(encoding="utf-8").split("---", 2)[-1]
        if detect_language(body) != "zh" and not path.name.startswith("community"):
            out += [Text(path.stem.replace("-", " "), piece, "prose") for piece in _pieces(body)]
    premises = [r["premise"] for n in ("feverous_dev", "exfever") for r in _training(n)]
    long = sorted({p for p in premises if len(p) > 180})
    out += [Text("", p, "wiki") for p in chance.sample(long, min(2500, len(long)))]
    return out


def _pieces(text: str) -> list[str]:
    paragraphs = [p for p in re.split(r"\n\s*\n", text) if p.strip()]
    return [
        piece for at in range(0, len(paragraphs), 3)
        if len(piece := "\n\n".join(paragraphs[at : at + 3])) > 120
    ]  # fmt: skip


def cloze_pairs(rows: Sequence[Row], chance: random.Random) -> Iterator[Pair]:
    """Questions on a value of a passage: over the passage, over it without that value or sentence,
    and over another passage that shares words."""
    pool = texts(rows, chance)
    words = [frozenset(content_words(f"{t.title} {t.text}")) for t in pool]
    for at, text in enumerate(pool):
        spans = [s for s in split_sentences(text.text) if 40 < len(s.text) < 320]
        chosen = chance.sample(spans, min(2 if text.kind == "wiki" else 3, len(spans)))
        for span in chosen:
            found = answers(span.text)
            if not found:
                continue
            answer = chance.choice(found)
            question = cloze_question(span.text, answer, chance)
            if not question:
                continue
            yield from _asked(question, text, span.start, answer.start, answer.end, chance)
            if chance.random() < 0.5:
                other = _near(at, frozenset(content_words(question)), words, chance)
                same = pool[other].title == text.title and text.title
                yield _pair(
                    question, pool[other].text, pool[other].title, "cloze_other",
                    None if same else 0, 0, 0.8,
                )  # fmt: skip


def _asked(
    question: str, text: Text, at: int, start: int, end: int, chance: random.Random
) -> Iterator[Pair]:
    """The passage with the answer, and one of two ways without it."""
    body = text.text
    span = (at + start, at + end)
    stray = _stray_span(body, span, chance)
    whole = without(body, [stray]) if stray and chance.random() < 0.5 else body
    yield _pair(question, whole, text.title, "cloze", 1, 1, 0.8)
    if chance.random() < 0.5:
        left = without(body, [span])  # the sentence stays and lacks just what is asked
        value = body[span[0] : span[1]]
        if value not in left:
            yield _pair(question, left, text.title, "cloze_value_gone", 1, 0, 0.6)
    else:
        sentence = next(s for s in split_sentences(body) if s.start == at)
        left = without(body, [(sentence.start, sentence.end)])
        if len(left.split()) > 12 and body[span[0] : span[1]] not in left:
            yield _pair(question, left, text.title, "cloze_sentence_gone", None, 0, 1.0)


def _stray_span(body: str, span: tuple[int, int], chance: random.Random) -> tuple[int, int] | None:
    """Another value of the passage: taken out of some answering passages too, so that a gap in a
    sentence says nothing by itself."""
    found = [
        (s.start + a.start, s.start + a.end)
        for s in split_sentences(body)
        if not s.start <= span[0] < s.end
        for a in answers(s.text)
    ]
    return chance.choice(found) if found else None


def _near(
    at: int, wanted: frozenset[str], words: Sequence[frozenset[str]], chance: random.Random
) -> int:
    """A passage other than ``at`` that shares many words with the question (of a random 150)."""
    some = chance.sample(range(len(words)), min(150, len(words)))
    return max((n for n in some if n != at), key=lambda n: len(wanted & words[n]))
