"""Chooses the few sentences of a reply: answers first, then the conditions that limit them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from core.text.compare import compare_sentences
from core.text.extract import Unit
from core.text.names import find_names
from core.text.polarity import negated
from core.text.relevance import is_closed_list, is_condition, is_listing, relevance, term_weights
from core.text.scope import foreign_scope
from core.text.similarity import overlap, term_coverage
from core.text.tokens import stem, words

Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosines between one text and each of several, -1..1."""

_SAME = 0.75
_EXTRA = 0.75
"""Share of the best answer's relevance plus share of its words in an answer: enough to be added."""
_EQUAL = 0.93
"""So near the best answer that the question does not tell them apart: both are given."""
_TIED = 0.98
_THING_UNKNOWN = 0.7
"""The same where no answer names the thing asked about: the rules for its kinds are all given."""
_THING = re.compile(
    r"\b(?:a|an|my|this)\s+((?:[a-z-]+\s)?[a-z-]{3,})(?=\W*$|[?.,;]| that| which| from)", re.I
)
_VALUES = frozenset({"number", "money", "date", "bound"})
_LONG = 70
_UNWIELDY = 0.75
_FLOOR = 0.12


class Option(NamedTuple):
    """A unit that may be quoted. ``prior`` in 0..1 is how sure the gate is of its passage."""

    evidence_id: str
    place: int
    unit: Unit
    context: str
    prior: float
    document: str = ""

    @property
    def words(self) -> str:
        """The readable wording with the items it brings."""
        parts = (self.unit.lead or self.unit.prose, *self.unit.items)
        return " ".join(dict.fromkeys(parts))


class Part(NamedTuple):
    """One thing to answer: its id, its wording, and the evidence the judge found for it."""

    part_id: str
    question: str
    evidence_ids: frozenset[str]


class Choice(NamedTuple):
    """A chosen option and the part it answers; ``""`` for a condition or exception."""

    option: Option
    part_id: str


def choose(
    question: str,
    parts: Sequence[Part],
    options: Sequence[Option],
    *,
    limit: int,
    similarity: Similarity | None = None,
) -> tuple[Choice, ...]:
    """At most ``limit`` options (a part without a word in common gets none), answers first.

    An option that leans on the sentence before it brings that sentence along, beyond the limit.
    """
    if not options:
        return ()
    scorer = _Scorer(question, options, similarity)
    chosen: list[Choice] = []
    for part in parts:
        ranked = scorer.ranked(part)
        best = next((o for s, o in ranked if s >= _FLOOR and not _repeated(o, chosen)), None)
        if best is not None and len(chosen) < max(limit, len(parts)):
            chosen.append(Choice(best, part.part_id))
    chosen += _further(scorer, question, chosen, options, limit - len(chosen))
    return _with_support(chosen, options)


class _Scorer:
    """Relevance of every option, to the whole question and to each part of it."""

    def __init__(
        self, question: str, options: Sequence[Option], similarity: Similarity | None
    ) -> None:
        self._question, self._options, self._similarity = question, options, similarity
        self._weights = term_weights([f"{o.words} {o.context}" for o in options])
        known = " ".join(o.words for o in options).casefold()
        self._stranger = any(name.casefold() not in known for name in find_names(question))
        self.whole = self._scores(question)

    def ranked(self, part: Part) -> list[tuple[float, Option]]:
        """Options with their score for ``part``, best first."""
        same = part.question == self._question
        own = self.whole if same else self._scores(part.question)
        scored = [
            (
                (0.65 * a + 0.35 * b) * (1.15 if o.evidence_id in part.evidence_ids else 1.0),
                o,
            )
            for a, b, o in zip(own, self.whole, self._options, strict=True)
        ]
        return sorted(scored, key=lambda pair: -pair[0])

    def _scores(self, question: str) -> list[float]:
        cosines = self._cosines(question)
        return [
            (
                relevance(
                    question, o.words, o.context, self._weights, is_steps=o.unit.kind == "steps"
                )
                + 0.5 * cosine
                + self._closing(o)
            )
            * (0.6 + 0.4 * o.prior)
            * (_UNWIELDY if _is_long(o) else 1.0)
            for o, cosine in zip(self._options, cosines, strict=True)
        ]

    def _cosines(self, question: str) -> Sequence[float]:
        if self._similarity is None:
            return [0.0] * len(self._options)
        return self._similarity(question, [o.words for o in self._options])

    def _closing(self, option: Option) -> float:
        """A name nobody lists is answered by the list that is all there is."""
        if not self._stranger:
            return 0.0
        return 0.2 * is_closed_list(option.words) + 0.15 * is_listing(option.words)


def _further(
    scorer: _Scorer,
    question: str,
    chosen: Sequence[Choice],
    options: Sequence[Option],
    room: int,
) -> list[Choice]:
    """What limits the answers: conditions of the matter asked about, exclusions of that rule.

    Never a sentence that says otherwise than an answer: one reply must not hold two values.
    """
    if not chosen or room <= 0:
        return []
    scores = {id(o): s for o, s in zip(options, scorer.whole, strict=True)}
    best = max(scores[id(c.option)] for c in chosen) or 1.0
    answers = [c.option for c in chosen]
    tied = _TIED if _thing_named(question, answers) else _THING_UNKNOWN
    documents = {a.document for a in answers}
    weights = {id(o): scores[id(o)] / best + _bearing(o, answers) for o in options}
    extra: list[Choice] = []
    for option in sorted(options, key=lambda o: -weights[id(o)]):
        if len(extra) >= room or weights[id(option)] < _EXTRA:
            break
        equal = scores[id(option)] >= _EQUAL * best and option.unit.kind != "row"
        # One document with two values for two things the question does not tell apart: both.
        rival = _rivals(option, answers)
        if rival and not (scores[id(option)] >= tied * best and option.document in documents):
            continue
        wanted = not _is_long(option) and (equal or rival or _limits(option, question))
        if wanted and not _repeated(option, [*chosen, *extra]):
            extra.append(Choice(option, ""))
    return sorted(extra, key=lambda c: (c.option.evidence_id, c.option.place))


def _is_long(option: Option) -> bool:
    """A list of whole paragraphs: a short sentence that says as much reads better."""
    return option.unit.kind == "list" and len(option.words.split()) > _LONG


def _thing_named(question: str, answers: Sequence[Option]) -> bool:
    """Whether the answers speak of the very thing asked about ("a hair dryer")."""
    things = {stem(w) for found in _THING.findall(question) for w in found.split()}
    said = {stem(w) for a in answers for w in words(f"{a.words} {a.context}")}
    return not things or bool(things & said)


def _rivals(option: Option, answers: Sequence[Option]) -> bool:
    """Whether it gives another value for what an answer gives one for."""
    return any(
        finding.kind in _VALUES
        for answer in answers
        for finding in compare_sentences(option.words, answer.words).contradicted
    )


def _bearing(option: Option, answers: Sequence[Option]) -> float:
    """How far a sentence speaks of what an answer from the same document speaks of."""
    same = [a for a in answers if a.document == option.document]
    return max((term_coverage(option.words, a.words) for a in same), default=0.0)


def _limits(option: Option, question: str) -> bool:
    """A condition or exclusion, not another rule for another case."""
    if not is_condition(option.words) and not negated(option.words):
        return False
    if option.unit.kind == "row":
        return False
    foreign = foreign_scope(question, option.words, option.context)
    return not foreign or negated(option.words)


def _repeated(option: Option, chosen: Sequence[Choice]) -> bool:
    return any(
        (o.evidence_id, o.place) == (option.evidence_id, option.place)
        or overlap(o.words, option.words) >= _SAME
        or option.words.casefold() in o.words.casefold()
        for o in (c.option for c in chosen)
    )


def _with_support(chosen: Sequence[Choice], options: Sequence[Option]) -> tuple[Choice, ...]:
    by_place = {(o.evidence_id, o.place): o for o in options}
    placed: dict[tuple[str, int], Choice] = {}
    for choice in chosen:
        option = choice.option
        before = option.unit.leans_on
        support = by_place.get((option.evidence_id, before)) if before is not None else None
        if support is not None:
            placed.setdefault((support.evidence_id, support.place), Choice(support, choice.part_id))
        placed.setdefault((option.evidence_id, option.place), choice)
    return tuple(placed.values())
