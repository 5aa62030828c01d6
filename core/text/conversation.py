"""A question in the light of what was said just before it."""

from __future__ import annotations

from collections.abc import Sequence

from core.models.request import Turn

_LONGEST = 600
"""Characters of the earlier message that are kept; an encoder reads no more."""


def in_context(question: str, history: Sequence[Turn]) -> str:
    """The customer's last message and the question, as one query; empty without such a message.

    Searched beside the question itself, at less weight: a follow-up that names nothing finds its
    passage by it, and one that changes the subject is not led astray.
    """
    said = [turn.text.strip() for turn in history if turn.role == "customer" and turn.text.strip()]
    if not said or said[-1] == question.strip():
        return ""
    return f"{said[-1][-_LONGEST:]} {question.strip()}"
