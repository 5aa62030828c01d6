"""A question in the light of what was said just before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.models.request import Turn
from core.text.questions import asks, leans_on_context

_TURNS = 3
_LONGEST = 600
"""Characters of the earlier messages that are kept; an encoder reads no more."""
_WEIGHT, _LEANING = 0.3, 0.5
"""Best of 0.2 to 1.0 on conversations about public documents, for questions that stand on their
own and for those that lean on what came before; nDCG@10 changes by .01 between neighbours."""


class InContext(NamedTuple):
    """A query of earlier messages and the question, and what its hits count beside the
    question's own (1.0). Empty without earlier messages."""

    query: str = ""
    weight: float = 0.0


def in_context(question: str, history: Sequence[Turn]) -> InContext:
    """The customer's last message and the question, to be searched beside the question itself.

    A message that itself leans on the one before brings that one along, up to three. A follow-up
    that names nothing finds its passage by them; one that changes the subject is not led astray,
    because they count less than the question.
    """
    question = question.strip()
    said = [turn.text.strip() for turn in history if turn.role == "customer" and turn.text.strip()]
    if said and said[-1] == question:
        said.pop()
    taken: list[str] = []
    for message in reversed(said[-_TURNS:]):
        taken.insert(0, message)
        if not _leans(message):
            break
    if not taken:
        return InContext()
    before = " ".join(taken)[-_LONGEST:]
    return InContext(f"{before} {question}", _LEANING if _leans(question) else _WEIGHT)


def _leans(message: str) -> bool:
    return any(leans_on_context(ask) for ask in asks(message))
