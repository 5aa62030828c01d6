"""Makes (evidence, claim, label) pairs from policy prose by rule, to fit and test the checker with.

A passage gives claims that follow from it (a sentence as it stands, shortened, or said a little
differently) and claims that do not (a changed value, a turned negation, a dropped condition, an
added promise, a word from elsewhere, a sentence of another passage).
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from core.text.extract import units
from core.text.plain import plain
from core.text.similarity import overlap
from core.text.tokens import content_words


class Pair(NamedTuple):
    """A claim held against evidence. ``kind`` says how it was made."""

    evidence: str
    claim: str
    label: str
    kind: str
    corpus: str


CORPORA = (
    ("basecamp_policies/corpus.jsonl", "en"),
    ("abcd_guidelines/corpus.jsonl", "en"),
    ("tau_policies/corpus.jsonl", "en"),
    ("supabase_auth/corpus_docs.jsonl", "en"),
    ("cmrc2018_zh/corpus.jsonl", "zh"),
)
_PASSAGE = 1400
_HARMLESS = (
    (r"\bcannot\b", "can't"),
    (r"\bcan't\b", "cannot"),
    (r"\bdo not\b", "don't"),
    (r"\bdoes not\b", "doesn't"),
    (r"\bdon't\b", "do not"),
    (r"\bmust\b", "have to"),
    (r"\bhave to\b", "must"),
    (r"\bneed to\b", "have to"),
    (r"\bask for\b", "request"),
    (r"\brequest\b", "ask for"),
    (r"\bpurchase\b", "buy"),
    (r"\bcustomers?\b", "you"),
    (r"\byou\b", "customers"),
    (r"\buse\b", "make use of"),
    (r"\bis able to\b", "can"),
    (r"\bassist\b", "help"),
    (r"\breceive\b", "get"),
    (r"\bvia\b", "through"),
    (r"\bshould\b", "ought to"),
    (r"\brefund\b", "money back"),
    (r"\bbegin\b", "start"),
    (r"必须", "需要"),
    (r"可以", "能够"),
    (r"目前", "现在"),
    (r"位于", "坐落于"),
)
_FLIPS = (
    (r"\bcannot\b|\bcan't\b", "can"),
    (r"\b(can|will|must|should|may)\b(?! not)", r"\1 not"),
    (r"\bdo not\b|\bdon't\b", "do"),
    (r"\bdoes not\b|\bdoesn't\b", "does"),
    (r"\b(is|are|was|were)\b(?! not)", r"\1 not"),
    (r"\b(is|are|was|were) not\b", r"\1"),
    (r"不能", "能"),
    (r"可以", "不可以"),
    (r"(?<!不)是", "不是"),
    (r"没有", "有"),
)
_STRONGER = (
    (r"\bmay\b", "will always"),
    (r"\b(?:some|certain|several)\b", "all"),
    (r"\b(?:usually|generally|typically|often)\b", "always"),
    (r"\bup to\b", "at least"),
    (r"\bat least\b", "at most"),
    (r"\bonly\b ", ""),
    (r"\bbefore\b", "after"),
    (r"\bafter\b", "before"),
    (r"\bwithin\b", "after"),
    (r"部分", "全部"),
    (r"之前", "之后"),
)
_PROMISES = (
    " at no extra cost",
    " within 24 hours",
    " automatically",
    " without any exception",
    ", and you also receive a voucher",
    ", and shipping is free",
    " for life",
    " even after the deadline",
    " and a full refund is guaranteed",
)
_PROMISES_ZH = ("，并且免费", "，且终身有效", "，并另外赠送一张代金券", "，没有任何例外")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w]*\d)")
_IF = re.compile(r"^(If|When|Once|Unless) ([^,.;]{8,90}), ([a-z][^.;]{15,})\.$")
_TAIL_IF = re.compile(r"^([A-Z][^,.;]{20,}?),? (if|when|unless|once|until) ([^.;]{10,})\.$")
_AND = re.compile(r"^([A-Z][^;.]{25,}?),? (?:and|or|but) ([a-z][^;.]{10,})\.$")


def policy_pairs(folder: Path, *, seed: int, per_passage: int = 4) -> tuple[Pair, ...]:
    """Pairs from every corpus found under ``folder``; the same seed gives the same pairs."""
    chance = random.Random(seed)  # noqa: S311 - reproducible data, nothing secret
    pairs: list[Pair] = []
    for name, language in CORPORA:
        path = folder / name
        if path.exists():
            pairs += _corpus_pairs(path, language, chance, per_passage)
    return tuple(pairs)


def _corpus_pairs(path: Path, language: str, chance: random.Random, per_passage: int) -> list[Pair]:
    corpus = path.parent.name
    passages = [p for row in _rows(path) for p in _passages(row["text"])]
    if language == "zh":
        passages = chance.sample(passages, min(120, len(passages)))
    sentences = [(p, s) for p in passages for s in _sentences(p)]
    pairs: list[Pair] = []
    for passage in passages:
        own = _sentences(passage)
        for sentence in chance.sample(own, min(per_passage, len(own))):
            elsewhere = chance.choice(passages)
            made = [
                *_true(sentence, chance),
                *_false(sentence, passage, elsewhere, language, chance),
            ]
            pairs += [Pair(passage, c, label, kind, corpus) for c, label, kind in made]
        stranger = _stranger(passage, own, sentences, chance)
        if stranger:
            pairs.append(Pair(passage, stranger, "unsupported", "other passage", corpus))
    return pairs


def _rows(path: Path) -> Iterator[dict[str, str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def _passages(text: str) -> list[str]:
    """Consecutive paragraphs up to about the size of an indexed passage."""
    out, current = [], ""
    for block in re.split(r"\n\s*\n", text):
        if current and len(current) + len(block) > _PASSAGE:
            out.append(current)
            current = ""
        current = f"{current}\n\n{block}".strip()
    return [*out, current] if len(current) > 120 else out


def _sentences(passage: str) -> list[str]:
    found = [u.prose for u in units(passage) if u.kind == "sentence"]
    return [
        s for s in found if 25 <= len(s) <= 260 and s[-1:] in ".。" and len(content_words(s)) > 3
    ]


def _true(sentence: str, chance: random.Random) -> list[tuple[str, str, str]]:
    made = [(sentence, "supported", "as it stands")] if chance.random() < 0.2 else []
    swaps = [(a, b) for a, b in _HARMLESS if re.search(a, sentence)]
    if swaps:
        text = sentence
        for pattern, word in chance.sample(swaps, min(2, len(swaps))):
            text = re.sub(pattern, word, text, count=1)
        made.append((text, "supported", "other words"))
    if both := _AND.match(sentence):
        made.append((f"{both.group(1)}.", "supported", "first half"))
    if tail := _TAIL_IF.match(sentence):
        main, word, condition = tail.groups()
        turned = f"{word.capitalize()} {condition}, {main[0].lower()}{main[1:]}."
        made.append((turned, "supported", "turned about"))
    if head := _IF.match(sentence):
        word, condition, main = head.groups()
        made.append(
            (
                f"{main[0].upper()}{main[1:]} {word.lower()} {condition}.",
                "supported",
                "turned about",
            )
        )
    bare = re.sub(r"\s*\([^()]*\)|（[^（）]*）", "", sentence)
    if bare != sentence:
        made.append((bare, "supported", "without brackets"))
    return made[:3] or [(sentence, "supported", "as it stands")]


def _false(
    sentence: str, passage: str, elsewhere: str, language: str, chance: random.Random
) -> list[tuple[str, str, str]]:
    made: list[tuple[str, str, str]] = []
    if numbers := list(_NUMBER.finditer(sentence)):
        at = chance.choice(numbers)
        made.append(
            (_spliced(sentence, at.span(), _other(at.group(0), chance)), "contradicted", "value")
        )
    made += _rewritten(sentence, _FLIPS, "contradicted", "negation", chance)
    made += _rewritten(sentence, _STRONGER, "unsupported", "stronger", chance)
    if word := _IF.match(sentence):
        made.append(
            (f"{word.group(3)[0].upper()}{word.group(3)[1:]}.", "unsupported", "no condition")
        )
    if word := _TAIL_IF.match(sentence):
        made.append((f"{word.group(1)}.", "unsupported", "no condition"))
    if swapped := _swapped(sentence, passage, language, chance):
        made.append((swapped, "unsupported", "other word"))
    if swapped := _swapped(sentence, elsewhere, language, chance):
        made.append((swapped, "unsupported", "foreign word"))
    promise = chance.choice(_PROMISES_ZH if language == "zh" else _PROMISES)
    made.append((sentence[:-1] + promise + sentence[-1], "unsupported", "promise"))
    return chance.sample(made, min(2, len(made)))


def _rewritten(
    sentence: str,
    rules: Sequence[tuple[str, str]],
    label: str,
    kind: str,
    chance: random.Random,
) -> list[tuple[str, str, str]]:
    fitting = [(a, b) for a, b in rules if re.search(a, sentence)]
    if not fitting:
        return []
    pattern, word = chance.choice(fitting)
    return [(re.sub(pattern, word, sentence, count=1), label, kind)]


def _spliced(text: str, span: tuple[int, int], new: str) -> str:
    return text[: span[0]] + new + text[span[1] :]


def _other(number: str, chance: random.Random) -> str:
    value = float(number.replace(",", ""))
    if 1900 <= value <= 2100 and value.is_integer():
        return str(int(value) + chance.choice([-3, -1, 1, 2, 5]))
    changed = value * chance.choice([0.5, 2, 3]) if value > 2 else value + chance.choice([1, 2, 5])
    return str(int(changed)) if float(changed).is_integer() else f"{changed:.2f}"


def _swapped(sentence: str, passage: str, language: str, chance: random.Random) -> str | None:
    """One word of the sentence exchanged for one of ``passage`` it does not use."""
    if language == "zh":
        return None
    mine = re.findall(r"\b[a-z]{5,}\b", sentence)
    others = sorted(set(re.findall(r"\b[a-z]{5,}\b", plain(passage))) - set(mine))
    mine = [w for w in mine if w not in _FUNCTION]
    others = [w for w in others if w not in _FUNCTION]
    if not mine or not others:
        return None
    old = chance.choice(mine)
    ending = [w for w in others if w[-2:] == old[-2:]] or others
    return re.sub(rf"\b{old}\b", chance.choice(ending), sentence, count=1)


_FUNCTION = frozenset(
    {
        "about",
        "after",
        "again",
        "before",
        "being",
        "below",
        "between",
        "could",
        "during",
        "either",
        "every",
        "other",
        "should",
        "their",
        "there",
        "these",
        "those",
        "through",
        "under",
        "until",
        "where",
        "which",
        "while",
        "would",
        "please",
        "within",
        "without",
    }
)


def _stranger(
    passage: str,
    own: Sequence[str],
    sentences: Sequence[tuple[str, str]],
    chance: random.Random,
) -> str | None:
    """A sentence of another passage that shares words with this one but is not said in it."""
    pool = chance.sample(list(sentences), min(60, len(sentences)))
    near = [
        (overlap(s, passage), s)
        for p, s in pool
        if p != passage and all(overlap(s, mine) < 0.5 for mine in own)
    ]
    return max(near)[1] if near else None
