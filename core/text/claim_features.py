"""One claim beside its evidence in numbers: what is covered, what is missing, what is turned round.

The features are plain counts and shares, so that a small fitted model over them can be read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from core.text.compare import Comparison, compare_sentences
from core.text.polarity import negated
from core.text.sentences import Span, split_sentences
from core.text.tokens import content_words, stem

FEATURES = (
    "recall_best",
    "recall_union",
    "recall_all",
    "pairs_union",
    "in_order",
    "longest_run",
    "missing_words",
    "near_words",
    "missing_numbers",
    "contradicted_values",
    "missing_names",
    "turned_round",
    "modality",
    "quantifier",
    "replaced",
    "claim_length",
    "evidence_length",
    "alignment",
    "claim_negated",
    "negation_differs",
    "agreed",
    "strong_words",
    "spread",
)
"""Names of the numbers of a ``ClaimView``, in order."""

_WORST = frozenset(
    {
        "missing_words",
        "missing_numbers",
        "contradicted_values",
        "missing_names",
        "turned_round",
        "modality",
        "quantifier",
        "replaced",
        "strong_words",
        "claim_negated",
        "negation_differs",
    }
)
"""Of a claim of several sentences the worst counts here; of all else the mean."""
_STRONG = re.compile(
    r"\b(?:only|first|last|never|always|all|every|none|most|least|best|worst|largest|biggest|smallest"
    r"|sole(?:ly)?|exactly|entire(?:ly)?|complete(?:ly)?|immediately|guarantee[ds]?|any)\b",
    re.IGNORECASE,
)
_UNION = 4
_RIVALS, _SHARED = 6, 0.35
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")


class EvidenceSentence(NamedTuple):
    """One sentence of one piece of evidence with its stemmed content words."""

    source: int
    span: Span
    terms: tuple[str, ...]
    context: tuple[str, ...] = ()
    """Content words of the heading it stands under."""
    is_heading: bool = False

    @property
    def reach(self) -> set[str]:
        """Its own words and those of its heading."""
        return {*self.terms, *self.context}


class ClaimView(NamedTuple):
    """A claim seen against its evidence: the numbers, the sentences nearest, what they say.

    ``nearest`` together cover most of the claim; ``rivals`` are about the same matter, headings
    counted, each with the share (0..1) of the claim's words (numbers aside) it has.
    """

    text: str
    numbers: tuple[float, ...]
    nearest: tuple[EvidenceSentence, ...]
    rivals: tuple[tuple[float, EvidenceSentence], ...]
    comparison: Comparison
    whole: Comparison

    def number(self, name: str) -> float:
        """The feature of this name."""
        return self.numbers[FEATURES.index(name)]


def evidence_sentences(texts: Sequence[str]) -> tuple[EvidenceSentence, ...]:
    """All sentences of all texts; ``source`` counts the texts from 0."""
    found: list[EvidenceSentence] = []
    for number, text in enumerate(texts):
        heading: tuple[str, ...] = ()
        for span in split_sentences(text):
            terms = content_words(span.text)
            line = text[text.rfind("\n", 0, span.start) + 1 : span.start]
            is_heading = line.lstrip().startswith("#")
            heading = terms if is_heading else heading
            found.append(EvidenceSentence(number, span, terms, heading, is_heading))
    return tuple(found)


def look_at(claim: str, sentences: Sequence[EvidenceSentence]) -> tuple[ClaimView, ...]:
    """One view for each sentence of ``claim``; none where there is no evidence or no word."""
    parts = [span.text for span in split_sentences(claim)] or [claim]
    views = (_view(part, sentences) for part in parts)
    return tuple(view for view in views if view is not None)


def joined(views: Sequence[ClaimView]) -> tuple[float, ...]:
    """The numbers of a whole claim from those of its sentences (at least one)."""
    columns = zip(*(view.numbers for view in views), strict=True)
    return tuple(
        max(column) if name in _WORST else sum(column) / len(column)
        for name, column in zip(FEATURES, columns, strict=True)
    )


def _view(claim: str, sentences: Sequence[EvidenceSentence]) -> ClaimView | None:
    terms = content_words(claim)
    sentences = [s for s in sentences if not s.is_heading] or list(sentences)
    if not terms or not sentences:
        return None
    nearest = _nearest(terms, sentences)
    best = nearest[0]
    ordered = sorted(nearest, key=lambda s: (s.source, s.span.start))
    together = " ".join(s.span.text for s in ordered)
    close = compare_sentences(claim, best.span.text)
    whole = compare_sentences(claim, together)
    numbers = _numbers(claim, terms, nearest, sentences, close, whole)
    return ClaimView(claim, numbers, nearest, _rivals(terms, sentences), close, whole)


def _rivals(
    terms: tuple[str, ...], sentences: Sequence[EvidenceSentence]
) -> tuple[tuple[float, EvidenceSentence], ...]:
    wanted = {t for t in terms if not t[0].isdigit()} or set(terms)
    shares = [(_share(wanted, s.reach), s) for s in sentences]
    near = [pair for pair in shares if pair[0] >= _SHARED]
    return tuple(sorted(near, key=lambda pair: -pair[0])[:_RIVALS])


def _nearest(
    terms: tuple[str, ...], sentences: Sequence[EvidenceSentence]
) -> tuple[EvidenceSentence, ...]:
    """The best sentence, then those that cover most of what is still uncovered."""
    weights = _rarity(terms, sentences)
    left = set(terms)
    rest = list(sentences)
    chosen: list[EvidenceSentence] = []
    while rest and len(chosen) < _UNION:
        gains = [(_gain(s, left, weights), -len(s.terms)) for s in rest]
        top = max(range(len(rest)), key=lambda i: gains[i])
        if chosen and gains[top][0] <= 0:
            break
        best = rest.pop(top)
        chosen.append(best)
        left -= best.reach
    return tuple(chosen)


def _gain(sentence: EvidenceSentence, left: set[str], weights: dict[str, float]) -> float:
    return sum(weights[t] for t in left & sentence.reach)


def _rarity(terms: tuple[str, ...], sentences: Sequence[EvidenceSentence]) -> dict[str, float]:
    sets = [set(s.terms) for s in sentences]
    return {
        t: 1.0 + math.log((1 + len(sets)) / (1 + sum(t in s for s in sets))) for t in set(terms)
    }


def _numbers(
    claim: str,
    terms: tuple[str, ...],
    nearest: Sequence[EvidenceSentence],
    sentences: Sequence[EvidenceSentence],
    close: Comparison,
    whole: Comparison,
) -> tuple[float, ...]:
    best = set(nearest[0].terms)
    union = {t for s in nearest for t in s.reach}
    everything = {t for s in sentences for t in s.reach}
    wanted = set(terms)
    missing = [t for t in wanted if t not in everything]
    order, run, replaced = _sequence(claim, nearest[0].span.text)
    text = " ".join(s.span.text for s in nearest)
    kinds = [f.kind for f in (*whole.missing, *whole.contradicted)]
    said_no, read_no = negated(claim), negated(nearest[0].span.text)
    strong = {m.lower() for m in _STRONG.findall(claim)}
    return (
        _share(wanted, best),
        _share(wanted, union),
        _share(wanted, everything),
        _pairs(terms, nearest),
        order,
        run,
        math.log1p(len(missing)),
        _near(missing, everything),
        float(min(3, sum(f.kind in ("number", "money", "date") for f in whole.missing))),
        float(min(2, sum(f.kind not in ("negation",) for f in close.contradicted))),
        float(min(3, kinds.count("name"))),
        float(any(f.kind == "negation" for f in (*close.contradicted, *whole.contradicted))),
        float("modality" in kinds),
        float("quantifier" in kinds),
        float(min(3, replaced)),
        math.log(len(terms)),
        math.log1p(sum(len(s.terms) for s in sentences)),
        close.alignment,
        float(said_no),
        float(said_no != read_no),
        float(min(4, whole.agreed)),
        float(sum(not re.search(rf"\b{w}\b", text, re.IGNORECASE) for w in strong)),
        math.log(len(nearest)),
    )


def _share(wanted: set[str], have: set[str]) -> float:
    return len(wanted & have) / len(wanted)


def _pairs(terms: tuple[str, ...], nearest: Sequence[EvidenceSentence]) -> float:
    """Share of neighbouring claim words that stand near each other in one evidence sentence."""
    if len(terms) < 2:
        return 0.0
    places = [{t: i for i, t in enumerate(s.terms)} for s in nearest]
    hits = sum(
        any(a in p and b in p and 0 < p[b] - p[a] <= 3 for p in places) for a, b in pairwise(terms)
    )
    return hits / (len(terms) - 1)


def _sequence(claim: str, sentence: str) -> tuple[float, float, int]:
    """Share of claim words found in the same order, the longest run's share, words exchanged."""
    mine = [stem(w.lower()) for w in _WORD.findall(claim)]
    theirs = [stem(w.lower()) for w in _WORD.findall(sentence)]
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    blocks = matcher.get_matching_blocks()
    exchanged = sum(
        tag == "replace" and a1 - a0 <= 2 and b1 - b0 <= 2 and a0 > 0
        for tag, a0, a1, b0, b1 in matcher.get_opcodes()
    )
    total = max(1, len(mine))
    return (
        sum(b.size for b in blocks) / total,
        max(b.size for b in blocks) / total,
        exchanged,
    )


def _near(missing: Sequence[str], have: set[str]) -> float:
    """Share of missing words that at least begin like an evidence word (variants, spellings)."""
    if not missing:
        return 0.0
    heads = {t[:4] for t in have if len(t) >= 4}
    return sum(len(t) >= 4 and t[:4] in heads for t in missing) / len(missing)
