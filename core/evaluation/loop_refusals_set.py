"""The rows refusals are measured on: public tasks as customers' messages, and our own pairs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Literal

from core.models.base import Model

SET = "tau_policies"
REQUESTS, POLICIES = "refusals.jsonl", "refusals_policies.jsonl"
"""Our own pairs, and the policies they are about."""
Right = Literal["refuse", "check", "act", "answer", "gives_up"]
"""What is right: refuse; find out first; do it; do nothing but answer; the customer lets it be."""

_I = re.IGNORECASE
_GIVES_UP = re.compile(
    r"\btoo expensive\b|\bregret\b|\bchang\w+ (?:your|his|her|their|the) mind\b|\bkeep it\b", _I
)
_CHANGES = ("cancel", "modify", "exchange", "return", "update", "book", "send", "refund", "make_")
_AGAINST = re.compile(
    r"\b(?:refuse|deny|denies|reject)\b|\b(?:does|should|must|do)(?: not|n['’]t) "
    r"(?:\w+ )?(?:approve|cancel|offer|allow|change|modify|make|refund|compensate|update|"
    r"process)\b",
    _I,
)
_SWAPS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\byou(?: are|['’]re)\b", _I), "I am"),
    (re.compile(r"\byou were\b", _I), "I was"),
    (re.compile(r"\byou['’]ve\b", _I), "I have"),
    (re.compile(r"\byou['’](?P<end>d|ll)\b", _I), r"I'\g<end>"),
    (re.compile(r"\byourself\b", _I), "myself"),
    (re.compile(r"\byours\b", _I), "mine"),
    (re.compile(r"\bYour\b"), "My"),
    (re.compile(r"\byour\b", _I), "my"),
    (
        re.compile(
            r"\b(?P<verb>to|for|with|from|of|tell|told|give|gave|help|helps|let|allow|allows|ask|"
            r"asks|asked|offer|offers|show|call|sent|owe|owes|charged)\s+you\b",
            _I,
        ),
        r"\g<verb> me",
    ),
    (re.compile(r"\byou\b", _I), "I"),
)


class RefusalRow(Model):
    """One message, the document whose rules decide it, and what is right.

    ``silent`` marks rows on which the set expects no change although it names no refusal: they
    are reported apart. ``clause`` is the deciding one, where it is known. ``held_out`` rows were
    written after the rules that read requests and policies, the others before. What they first
    came to stands in ``data/bench/README.md``.
    """

    row_id: str
    message: str
    policy_id: str
    right: Right
    clause: str = ""
    silent: bool = False
    held_out: bool = False


def first_person(text: str) -> str:
    """A customer's situation told as "you want …", as the customer would say it."""
    for pattern, word in _SWAPS:
        text = pattern.sub(word, text)
    return text


def task_row(task: dict[str, Any]) -> RefusalRow:
    """One task. The message is the reason for the call and what the customer knows of themselves.

    What the set tells its simulated customer to do later is left out: it is said only in answer to
    an agent. What is right is read from the set's own fields: no expected action is a refusal,
    unless the purpose or the reason says that the customer gives up.
    """
    reason, known = str(task.get("reason_for_call") or ""), str(task.get("known_info") or "")
    names = [str(a.get("name", "")) for a in task.get("expected_actions") or ()]
    spoken = [str(a) for a in task.get("nl_assertions") or ()]
    purpose = f"{task.get('purpose') or ''} {reason}"
    right: Right = "answer"
    if not names:
        right = "gives_up" if _GIVES_UP.search(purpose) else "refuse"
    elif any(name.startswith(_CHANGES) for name in names):
        right = "act"
    return RefusalRow(
        row_id=str(task["id"]),
        message=first_person(f"{reason.strip()}\n{known.strip()}").strip(),
        policy_id=str(task["policy_id"]),
        right=right,
        silent=right == "answer" and any(_AGAINST.search(a) for a in spoken),
    )


def read_tasks(path: Path) -> tuple[RefusalRow, ...]:
    """The public tasks. Raises ``OSError`` and ``ValueError`` where they cannot be read."""
    return tuple(task_row(row) for row in _rows(path))


_EXPECTED: dict[str, Right] = {"refuse": "refuse", "check": "check", "reply": "act"}


def read_own(path: Path) -> tuple[RefusalRow, ...]:
    """Our own request and policy pairs of other domains."""
    return tuple(
        RefusalRow(
            row_id=row["id"],
            message=row["message"],
            policy_id=row["policy"],
            right=_EXPECTED[row["expect"]],
            clause=row.get("clause", ""),
            held_out=bool(row.get("held_out")),
        )
        for row in _rows(path)
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]
