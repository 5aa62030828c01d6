"""How probable it is that a passage denies what a question takes for granted.

The rules of ``core.text.premise`` say whether a passage denies a premise, by what kind of rule and
how well the two fit; a fitted table says what that is worth. ``premise.json`` holds for each kind
the share of true denials among those found, in steps of the fit (never falling), and what is left
where a question assumes something and nothing was found. ``scripts/fit_premise.py`` makes it from
twins of true and false premises over policy prose and from public claims put as premises, two
thirds to fit and a third held back by a hash of the passage.

``SecondOpinion`` is the place for a model that reads the two texts: given the premise and the
passage it may return the probability that the passage denies it, which raises or lowers what the
rules found; ``None`` leaves it as it is.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import Unavailable
from core.text.premise import Denial, denial
from core.text.presupposition import Presupposition, find_presuppositions

TABLE = Path(__file__).resolve().parents[2] / "data" / "models" / "gate" / "premise.json"
SecondOpinion = Callable[[str, str], float | None]
"""(premise, passage) → probability that the passage denies the premise, or no opinion."""
_NEVER_SURE = 6.0
"""Log odds beyond which nobody's opinion goes."""

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


class PremiseJudge:
    """Judges the premises of a question against passages. Safe to share between threads."""

    def __init__(
        self, table: PremiseTable | None = None, *, opinion: SecondOpinion | None = None
    ) -> None:
        self._table = table or PremiseTable.load()
        self._opinion = opinion

    def judge(self, query: str, text: str, context: str = "") -> PremiseVerdict:
        """Whether ``text``, under the headings ``context``, denies what ``query`` assumes."""
        premises = find_presuppositions(query)
        found = denial(premises, text, query=query, context=context)
        probability = self._table.probability(found, premises)
        if found and self._opinion:
            probability = weighed(probability, self._opinion(found.statement, text))
        return PremiseVerdict(round(probability, 4), found)


def weighed(rule: float, opinion: float | None) -> float:
    """Both as independent evidence on even odds; without an opinion the rule alone."""
    if opinion is None:
        return rule
    odds = _log_odds(rule) + _log_odds(opinion)
    return 1.0 / (1.0 + math.exp(-odds))


def _log_odds(p: float) -> float:
    p = min(max(p, 1e-6), 1 - 1e-6)
    return max(-_NEVER_SURE, min(_NEVER_SURE, math.log(p / (1 - p))))
