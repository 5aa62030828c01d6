"""Scores what may be quoted for a question and its parts: on the subject, of the kind asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from core.text.concepts import shared
from core.text.extract import Unit
from core.text.names import find_names
from core.text.record_facts import record_fit
from core.text.relevance import (
    asked_matters,
    asks_what_to_do,
    figure_fit,
    is_closed_list,
    is_listing,
    relevance,
    term_weights,
)

Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosines between one text and each of several, -1..1."""

_BAR = 0.34
"""Share of what is asked that an answer must speak of, with what it stands under …"""
_UNHEARD, _COMMON = 0.6, 0.4
"""Weight of a matter that no sentence speaks of: it tells none of them apart; and the least that
one which many speak of weighs."""
_ALIKE = 0.55
"""… unless it means so nearly the same in other words (cosine)."""
_SHORT_OF = 0.7
"""Share of the best coverage of what is asked: who speaks of less is not on the subject."""
_ASIDE, _OFF = 0.6, 0.35
"""What is kept of the score of one that speaks of less, and of hardly anything, of that."""
_TABLE = 0.93
"""A sentence reads better than a table row that says the same."""
_LONG = 70
_UNWIELDY = 0.75


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


_STATES, _BESIDE = 1.15, 0.8
_DOUBT = re.compile(
    r"\b(?:is it (?:true|correct|right) that|(?:never|ever|always|really|actually)(?=\s))\b", re.I
)


class Part(NamedTuple):
    """One thing to answer: its id, its wording, and the evidence the judge found for it.

    ``recorded`` says that it is asked of a record, which alone may answer it.
    """

    part_id: str
    question: str
    evidence_ids: frozenset[str]
    recorded: bool = False


class Scorer:
    """Relevance of every option, to the whole question and to each part of it."""

    def __init__(
        self,
        question: str,
        parts: Sequence[Part],
        options: Sequence[Option],
        similarity: Similarity | None,
    ) -> None:
        self._records = frozenset(i for p in parts if p.recorded for i in p.evidence_ids)
        self._question, self._options, self._similarity = question, options, similarity
        self._known: dict[str, Sequence[float]] = {}
        self._weights = term_weights([f"{o.words} {o.context}" for o in options])
        known = " ".join(o.words for o in options).casefold()
        self._stranger = any(name.casefold() not in known for name in find_names(question))
        self.whole = self._scores(question)

    def ranked(self, part: Part) -> list[tuple[float, Option]]:
        """Options with their score for ``part``, best first."""
        same = part.question == self._question
        own = self.whole if same else self._scores(part.question)
        covers = self._covers(part.question)
        most = max(covers, default=0.0)
        cosines = self._cosines(part.question)
        scored = [
            (
                (0.65 * a + 0.35 * b) * _standing(part, o) * _nearness(cover, most),
                o,
            )
            for a, b, o, cover, cosine in zip(
                own, self.whole, self._options, covers, cosines, strict=True
            )
            if self._may_answer(part, o)
            and (
                part.recorded or cover >= _bar(part, o) or cosine >= _ALIKE or self._closing(o) > 0
            )
        ]
        return sorted(scored, key=lambda pair: -pair[0])

    def _covers(self, question: str) -> list[float]:
        """How far each option, with what it stands under, speaks of what is asked."""
        wanted = asked_matters(_plainly(question))
        weights = {c: max(_COMMON, w) for c, w in self._weights.items()}
        found: list[float] = []
        for o, context in zip(self._options, self._contexts(question), strict=True):
            said = f"{o.words} {context}"
            cover = shared(wanted, said, weights, unknown=_UNHEARD)
            found.append(cover and cover + figure_fit(question, o.words))
        return found

    def _may_answer(self, part: Part, option: Option) -> bool:
        """A record answers what is asked of it, a rule what is asked of rules."""
        if part.recorded:
            return option.evidence_id in part.evidence_ids
        return option.evidence_id not in self._records

    def _scores(self, question: str) -> list[float]:
        cosines, plain = self._cosines(question), _plainly(question)
        return [
            (
                relevance(plain, o.words, context, self._weights, is_steps=o.unit.kind == "steps")
                + 0.5 * cosine
                + self._closing(o)
                + record_fit(question, o.words)
            )
            * (_TABLE if o.unit.kind == "row" else 1.0)
            * (0.6 + 0.4 * o.prior)
            * (_UNWIELDY if is_long(o) else 1.0)
            for o, cosine, context in zip(
                self._options, cosines, self._contexts(question), strict=True
            )
        ]

    def _cosines(self, question: str) -> Sequence[float]:
        if question not in self._known:
            self._known[question] = self._measured(question)
        return self._known[question]

    def _measured(self, question: str) -> Sequence[float]:
        if self._similarity is None:
            return [0.0] * len(self._options)
        return self._similarity(question, [o.words for o in self._options])

    def _contexts(self, question: str) -> list[str]:
        """What each option stands under; where an action is asked, also what stands beside it:
        the notice names the kettle, its next sentence says what to do with "the product"."""
        if not asks_what_to_do(question):
            return [o.context for o in self._options]
        passages: dict[str, str] = {}
        for o in self._options:
            passages[o.evidence_id] = f"{passages.get(o.evidence_id, '')} {o.words}"
        return [f"{o.context} {passages[o.evidence_id]}" for o in self._options]

    def _closing(self, option: Option) -> float:
        """A name nobody lists is answered by the list that is all there is."""
        if not self._stranger:
            return 0.0
        return 0.2 * is_closed_list(option.words) + 0.15 * is_listing(option.words)


def _plainly(question: str) -> str:
    """Without what asks for confirmation: "never" in a question is what is doubted, no matter of
    which an answer must speak."""
    return _DOUBT.sub(" ", question)


def _standing(part: Part, option: Option) -> float:
    """What the judge found to state the matter outweighs what merely shares its words."""
    if not part.evidence_ids or part.recorded:
        return 1.0
    return _STATES if option.evidence_id in part.evidence_ids else _BESIDE


def _bar(part: Part, option: Option) -> float:
    """Where the judge found the part stated, fewer of its words will do."""
    return _BAR / 2 if option.evidence_id in part.evidence_ids else _BAR


def _nearness(cover: float, most: float) -> float:
    """What an option keeps of its score that speaks of less than another does of what is asked."""
    if cover >= _SHORT_OF * most:
        return 1.0
    return _ASIDE if cover >= _BAR * most else _OFF


def is_long(option: Option) -> bool:
    """A list of whole paragraphs: a short sentence that says as much reads better."""
    return option.unit.kind == "list" and len(option.words.split()) > _LONG
