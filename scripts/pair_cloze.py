"""Questions made from passages by rule, over the passage and over it without what they ask for."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.text.language import detect_language
from core.text.sentences import split_sentences
from core.text.tokens import content_words
from scripts.gate_rows import ROOT, Row, held_back, read
from scripts.pair_questions import answers, cloze_question, without
from scripts.training_pair import Pair, pair_of, training_rows

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
    for name, file in PROSE:
        for row in read(name, file):
            out += [
                Text(str(row.get("title", "")), piece, "prose") for piece in _pieces(row["text"])
            ]
    for path in sorted((ROOT / "data" / "sources").glob("*.md")):
        body = path.read_text(encoding="utf-8").split("---", 2)[-1]
        if detect_language(body) != "zh" and not path.name.startswith("community"):
            out += [Text(path.stem.replace("-", " "), piece, "prose") for piece in _pieces(body)]
    premises = [r["premise"] for n in ("feverous_dev", "exfever") for r in training_rows(n)]
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
                yield pair_of(
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
    yield pair_of(question, whole, text.title, "cloze", 1, 1, 0.8)
    if chance.random() < 0.5:
        left = without(body, [span])  # the sentence stays and lacks just what is asked
        value = body[span[0] : span[1]]
        if value not in left:
            yield pair_of(question, left, text.title, "cloze_value_gone", 1, 0, 0.6)
    else:
        sentence = next(s for s in split_sentences(body) if s.start == at)
        left = without(body, [(sentence.start, sentence.end)])
        if len(left.split()) > 12 and body[span[0] : span[1]] not in left:
            yield pair_of(question, left, text.title, "cloze_sentence_gone", None, 0, 1.0)


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
