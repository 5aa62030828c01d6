"""Claude's reply to a batch, read with distrust: only whole, in-range answers count."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from core.adapters.remote_words import bad_number, unreadable
from core.models.evidence import GateAnswer, GateNote, GateScores
from core.prompts.fence import exact_span

_QUESTIONS = tuple(GateScores.model_fields)
_QUOTES = ("premise", "counter_quote", "injection_quote")
_NUMBERS: dict[str, Any] = {name: {"type": "number"} for name in _QUESTIONS}
_ENTRY = {"id": {"type": "string"}, **_NUMBERS, **{q: {"type": "string"} for q in _QUOTES}}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["answers"],
    "properties": {
        "answers": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": list(_ENTRY),
                "properties": _ENTRY,
            },
        }
    },
}


def answers_of(
    text: str, query: str, passages: Sequence[tuple[str, str]], *, backend: str
) -> list[GateAnswer]:
    """One answer for each ``(id, text)``, in order; what is missing or wrong is a failure."""
    try:
        entries = _entries(text)
    except (ValueError, RecursionError):
        return [GateAnswer(backend=backend, failure=unreadable("Claude")) for _ in passages]
    named = [entry for entry in entries if _names(entry)]
    times = Counter(entry["id"] for entry in named)
    by_id = {entry["id"]: entry for entry in named}
    return [
        _answer(by_id.get(name), times[name], backend, query, passage) for name, passage in passages
    ]


def _entries(text: str) -> list[Any]:
    """The list of answers. Raises ``ValueError`` for anything but one JSON object that holds it."""
    read = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    answers = read.get("answers") if isinstance(read, dict) else None
    if not isinstance(answers, list):
        raise ValueError("no list of answers")
    return answers


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key given twice says two things: the entry answers nothing."""
    keys = Counter(key for key, _ in pairs)
    return {key: value for key, value in pairs if keys[key] == 1}


def _no_number(name: str) -> None:
    """``NaN`` and ``Infinity`` are no JSON; the number is missing then."""


def _names(entry: Any) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("id"), str)


def _answer(
    entry: Mapping[str, Any] | None, times: int, backend: str, query: str, text: str
) -> GateAnswer:
    if entry is None:
        return GateAnswer(backend=backend, failure="Claude left this passage out of its reply")
    if times != 1:
        return GateAnswer(backend=backend, failure="Claude answered twice for this passage")
    try:
        scores = GateScores.model_validate(
            {name: entry.get(name) for name in _QUESTIONS}, strict=True
        )
    except ValidationError:
        return GateAnswer(backend=backend, failure=bad_number("Claude"))
    return GateAnswer(scores=scores, note=_note(entry, query, text), backend=backend)


def _note(entry: Mapping[str, Any], query: str, text: str) -> GateNote:
    """Its quotes, as far as they are quotes: words of its own reach nobody."""
    counter = exact_span(entry.get("counter_quote"), text)
    return GateNote(
        premise=exact_span(entry.get("premise"), query) if counter else "",
        counter_quote=counter,
        injection_quote=exact_span(entry.get("injection_quote"), text),
    )
