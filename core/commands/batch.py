"""JSON Lines in, JSON Lines out: one request a line, answers in order, ``id`` kept."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from core.errors import BadInput, CountersignError, Unavailable
from core.models.request import Turn

Row = dict[str, Any]

_HALVES = re.compile("[\ud800-\udfff]")


def run_batch(path: Path, answer: Callable[[Row], Row]) -> int:
    """Answer every line of ``path``; a bad line becomes ``{"id", "error"}`` and the rest goes on.

    Returns 0, or 1 when a line failed. Raises ``BadInput`` when the file cannot be read and
    ``Unavailable`` when nothing could be answered at all.
    """
    failed = False
    for row in _rows(path):
        if isinstance(row, BadInput):
            out, failed = {"id": None, "error": str(row)}, True
        else:
            try:
                out = {"id": row.get("id"), **answer(row)}
            except Unavailable:
                raise
            except CountersignError as error:
                out, failed = {"id": row.get("id"), "error": str(error)}, True
        print(json.dumps(out, ensure_ascii=False, default=str), flush=True)
    return 1 if failed else 0


def _rows(path: Path) -> Iterator[Row | BadInput]:
    if str(path) == "-":
        lines = sys.stdin.readlines()
    else:
        try:
            lines = path.read_text(encoding="utf-8-sig").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{path}: cannot be read as UTF-8 text ({error}).") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        yield _row(f"{path}:{number}", line)


def _row(place: str, line: str) -> Row | BadInput:
    try:
        row = printable(json.loads(line, parse_constant=_no_json))
    except (ValueError, RecursionError) as error:
        words = getattr(error, "msg", "") or str(error)
        return BadInput(f"{place}: not valid JSON ({words}). Fix that line.")
    if not isinstance(row, dict):
        return BadInput(f"{place}: each line must be a JSON object.")
    return row


def _no_json(word: str) -> None:
    raise ValueError(f"{word} is no JSON value")


def printable(value: Any) -> Any:
    """The value with halves of character pairs, which nothing can store or print, replaced."""
    if isinstance(value, str):
        return _HALVES.sub("\ufffd", value)
    if isinstance(value, list):
        return [printable(item) for item in value]
    if isinstance(value, dict):
        return {printable(key): printable(item) for key, item in value.items()}
    return value


def text_of(row: Row, key: str) -> str:
    """The string under ``key``. Raises ``BadInput`` naming the row and the key."""
    value = row.get(key)
    if not isinstance(value, str):
        raise BadInput(f"row {row.get('id')!r}: {key!r} must be a string.")
    return value


def turns_of(row: Row) -> tuple[Turn, ...]:
    """The conversation so far: strings (customer first, alternating) or objects with a speaker."""
    history = row.get("history") or []
    if not isinstance(history, list):
        raise BadInput(f"row {row.get('id')!r}: 'history' must be a list of turns.")
    turns = []
    for position, item in enumerate(history):
        if isinstance(item, str):
            turns.append(Turn(role="agent" if position % 2 else "customer", text=item))
        elif isinstance(item, dict):
            turns.append(_turn(item))
        else:
            raise BadInput(f"row {row.get('id')!r}: a turn must be a string or an object.")
    return tuple(turns)


def _turn(item: Row) -> Turn:
    speaker = str(item.get("role") or item.get("speaker") or item.get("author") or "user").lower()
    text = item.get("text") or item.get("content") or item.get("utterance") or ""
    is_agent = speaker in {"agent", "assistant", "bot", "system"}
    return Turn(role="agent" if is_agent else "customer", text=str(text))
