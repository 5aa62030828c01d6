"""What the audit withholds: the names of documents that its reader may not know of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from core.models.review import AuditEvent

WITHHELD = "[outside your rights]"


def within_rights(event: AuditEvent, hidden: frozenset[str]) -> AuditEvent:
    """``event`` as a reader may see it who must not learn the ids in ``hidden``.

    An event of a hidden source says what was done, when and by whom, and nothing more; in others
    only the ids are withheld. A changed event no longer matches its hash; ``verify`` proves the
    original.
    """
    if not hidden or not _named(event, hidden):
        return event
    if event.subject_kind == "source":
        return event.model_copy(update={"subject_id": WITHHELD, "payload": {"withheld": WITHHELD}})
    return event.model_copy(
        update={
            "subject_id": _without(event.subject_id, hidden),
            "payload": _without(event.payload, hidden),
        }
    )


def _named(event: AuditEvent, hidden: frozenset[str]) -> bool:
    said = (event.subject_id, *_strings(event.payload))
    return any(_is_hidden(words, hidden) for words in said)


def _is_hidden(words: str, hidden: frozenset[str]) -> bool:
    """Whether it is a hidden id, or the id of a passage of one."""
    return words in hidden or words.rpartition("::")[0] in hidden


def _strings(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, held in value.items():
            yield key
            yield from _strings(held)
    elif isinstance(value, list | tuple):
        for held in value:
            yield from _strings(held)


def _without(value: Any, hidden: frozenset[str]) -> Any:
    if isinstance(value, str):
        return WITHHELD if _is_hidden(value, hidden) else value
    if isinstance(value, dict):
        return {_without(key, hidden): _without(held, hidden) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [_without(held, hidden) for held in value]
    return value
