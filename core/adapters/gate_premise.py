"""How probable it is that a passage denies what a question takes for granted.

The rules of ``core.text.premise`` say whether a passage denies a premise, by what kind of rule and
how well the two fit; a fitted table says what that is worth. ``premise.json`` holds for each kind
the share of true denials among those found, in steps of the fit (never falling), and what is left
where a question assumes something and nothing was found. ``scripts/fit_premise.py`` makes it from
twins of true and false premises over policy prose and from public claims put as premises, two
thirds to fit and a third held back by a hash of the passage.

Where the rules are silent the pair reader is asked: it was trained on inference pairs too and tells
a denial in other words. What its verdict is worth stands in the table as kind ``read``, fitted on
claim sets it never saw. It never speaks against a rule: the rules see values and negations exactly.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from core.adapters.gate_judge import ON_SUBJECT, Reader
from core.adapters.pair_reader import Logits
from core.adapters.pair_window import pair_text
from core.errors import Unavailable
from core.text.premise import Denial, denial
from core.text.presupposition import Presupposition, find_presuppositions
from core.text.sentences import split_sentences
from core.text.tokens import content_words

TABLE = Path(__file__).resolve().parents[2] / "data" / "models" / "gate" / "premise.json"
_READABLE = ("statement", "why", "since")
"""Premises that stand as a sentence; the reader knows no other."""

WHY: Mapping[str, str] = {
    "polarity": "the passage says the opposite of what the question assumes",
    "affirmed": "the passage affirms what the question denies",
    "opposite": "the passage says the opposite of what the question assumes",
    "value": "the passage states another value than the question assumes",
    "date": "the passage states another date than the question assumes",
    "bound": "the passage sets the limit the other way than the question assumes",
    "filler": "the passage names another in the place of the one the question names",
    "fact": "the passage gives another value for what the question names",
    "existence": "the passage says there is no such thing",
    "read": "the passage, read as a whole, speaks against what the question assumes",
}
"""What each kind of denial means, for a reader."""


class PremiseVerdict(NamedTuple):
    """How probable the denial is (0..1) and what was found, if anything."""

    probability: float
    denial: Denial | None


class PremiseTable:
    """What a finding of the rules is worth."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.version = str(raw["version"])
        self._steps = {
            kind: tuple((float(fit), float(p)) for fit, p in steps)
            for kind, steps in raw["kinds"].items()
        }
        self._silent = float(raw["nothing_found"])
        self._open = float(raw["nothing_assumed"])
        self.read_from = self._steps["read"][0][0]
        """The reader's own share of contradiction from which it is believed at all."""
        missing = set(WHY) - set(self._steps)
        if missing or not all(self._steps.values()):
            raise ValueError(f"no steps for {', '.join(sorted(missing)) or 'a kind'}")

    @classmethod
    def load(cls, path: Path = TABLE) -> PremiseTable:
        """The table at ``path``. Raises ``Unavailable`` where it is missing or does not fit."""
        try:
            return cls(json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError as error:
            raise Unavailable(
                f"the table of premise rules is missing: {path}; restore it or run "
                "scripts/fit_premise.py"
            ) from error
        except (KeyError, TypeError, ValueError) as error:
            raise Unavailable(
                f"the table of premise rules at {path} does not fit this version ({error}); "
                "run scripts/fit_premise.py"
            ) from error

    def probability(self, found: Denial | None, premises: Sequence[Presupposition]) -> float:
        """What ``found`` is worth among the ``premises`` of a question, 0..1."""
        if found is None:
            return self._silent if premises else self._open
        steps = self._steps[found.kind]
        return next((p for fit, p in reversed(steps) if found.score >= fit - 1e-9), steps[0][1])


class Passage(NamedTuple):
    """A passage to hold a question's premises against. ``context``: its title and headings."""

    text: str
    context: str = ""
    relevant: float = 1.0
    """How probably it is on the subject, 0..1."""


class PremiseJudge:
    """Judges the premises of a question against passages. Safe to share between threads."""

    def __init__(self, table: PremiseTable | None = None, *, reader: Reader | None = None) -> None:
        self._table = table or PremiseTable.load()
        self._reader = reader

    def judge(self, query: str, text: str, context: str = "") -> PremiseVerdict:
        """Whether ``text``, under the headings ``context``, denies what ``query`` assumes."""
        return self.judge_all(query, [Passage(text, context)])[0]

    def judge_all(self, query: str, passages: Sequence[Passage]) -> tuple[PremiseVerdict, ...]:
        """For each passage whether it denies what ``query`` assumes; all are read in one batch."""
        premises = find_presuppositions(query)
        found = [denial(premises, p.text, query=query, context=p.context) for p in passages]
        for at, denied in self._read(premises, passages, found):
            found[at] = denied
        return tuple(
            PremiseVerdict(round(self._table.probability(denied, premises), 4), denied)
            for denied in found
        )

    def _read(
        self,
        premises: Sequence[Presupposition],
        passages: Sequence[Passage],
        found: Sequence[Denial | None],
    ) -> list[tuple[int, Denial]]:
        """Denials in other words, by the place of the passage."""
        if self._reader is None:
            return []
        reader = self._reader
        spoken = [p for p in premises if p.kind in _READABLE and reader.knows(p.text)]
        asked = [
            (at, premise)
            for at, (passage, denied) in enumerate(zip(passages, found, strict=True))
            if denied is None and passage.relevant >= ON_SUBJECT
            for premise in spoken
        ]
        if not asked:
            return []
        pairs = [
            pair_text(premise.text, passages[at].text, passages[at].context)
            for at, premise in asked
        ]
        out: dict[int, Denial] = {}
        for (at, premise), share in zip(asked, contradicted(reader.logits(pairs)), strict=True):
            if share >= self._table.read_from and share > (out[at].score if at in out else 0.0):
                out[at] = _read_denial(premise, passages[at].text, float(share))
        return list(out.items())


def contradicted(logits: Logits) -> Logits:
    """Share of contradiction among the reader's three verdicts of inference, one a row."""
    inference = logits[:, 2:]
    weights = np.exp(inference - inference.max(axis=1, keepdims=True))
    return np.asarray(weights[:, 2] / weights.sum(axis=1), dtype=np.float32)


def _read_denial(premise: Presupposition, text: str, share: float) -> Denial:
    """Quotes the sentence that shares most words with the premise: that is where to look."""
    wanted = set(content_words(premise.text))
    spans = split_sentences(text)
    quote = max(
        (span.text for span in spans),
        key=lambda sentence: len(wanted & set(content_words(sentence))),
        default=text,
    )
    return Denial(share, premise.said or premise.text, quote, "read", premise.text)
