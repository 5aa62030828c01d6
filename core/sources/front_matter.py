"""YAML between two ``---`` lines at the top of a Markdown text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import yaml

from core.errors import BadSource
from core.sources.governance import FIELDS, IDENTITY, suspicious_key

_BLOCK = re.compile(r"\A\ufeff?\s*---[ \t]*\r?\n(.*?)(?:\r?\n)?^---[ \t]*(?:\r?\n|\Z)", re.S | re.M)
_OPENED = re.compile(r"\A\ufeff?\s*---[ \t]*\r?\n(?=[\w-]+\s*:)")
_ALIASES = {"source": "source_id"}


class _Plain(yaml.SafeLoader):
    """Without aliases: nested ones make a few lines stand for gigabytes."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(
                None, None, f"the alias *{event.anchor} is not read here", event.start_mark
            )
        return super().compose_node(parent, index)


class FrontMatter(NamedTuple):
    """The fields, and the offset where the body starts."""

    fields: dict[str, Any]
    body: int


def read_front_matter(item: str, text: str) -> FrontMatter:
    """The front matter of ``text``; no fields and offset 0 where there is none.

    Raises ``BadSource`` when it is opened but never closed, or is not a mapping of YAML.
    """
    block = _BLOCK.match(text)
    if block is None:
        if _OPENED.match(text):
            raise BadSource(item, "the front matter is never closed", "end it with a line `---`")
        return FrontMatter({}, 0)
    fields = _loaded(item, block.group(1), "the front matter", first_line=2)
    if fields is None:
        return FrontMatter({}, block.end())
    if not isinstance(fields, dict) and ":" not in block.group(1):
        return FrontMatter({}, 0)  # two rules with prose between them, not front matter
    return FrontMatter(_mapping(item, fields, "the front matter"), block.end())


def read_yaml(item: str, text: str) -> dict[str, Any]:
    """The fields of a file of its own. Raises ``BadSource`` when it is not a mapping of YAML."""
    fields = _loaded(item, text, "it", first_line=1)
    return {} if fields is None else _mapping(item, fields, "it")


def _loaded(item: str, text: str, what: str, *, first_line: int) -> Any:
    try:
        return yaml.load(text, Loader=_Plain)  # noqa: S506 - a SafeLoader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadSource(
            item,
            f"{what} is not valid YAML ({_where(error, first_line)})",
            "put values with a colon in quotes and indent with spaces",
        ) from error


def _mapping(item: str, fields: Any, what: str) -> dict[str, Any]:
    if not isinstance(fields, dict):
        raise BadSource(
            item, f"{what} is not a list of `key: value` lines", "write one `key: value` a line"
        )
    return {_ALIASES.get(str(key), str(key)): value for key, value in fields.items()}


def refuse_unknown(item: str, fields: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys that mean nothing to us, as long as that is harmless.

    In a document that states its governance an unknown key may be a misspelt right or date, so it
    is refused; elsewhere only a key that looks like a governance field is. Raises ``BadSource``.
    """
    unknown = sorted(set(fields) - FIELDS - IDENTITY)
    if near := suspicious_key(unknown):
        raise BadSource(item, f"unknown front-matter key {near[0]!r}", f"did you mean {near[1]!r}?")
    if unknown and FIELDS.intersection(fields):
        raise BadSource(
            item,
            f"unknown front-matter key {unknown[0]!r}",
            f"remove it or use one of: {', '.join(sorted(FIELDS | IDENTITY | set(_ALIASES)))}",
        )
    return tuple(unknown)


def _where(error: Exception, first_line: int) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error) or "unreadable"
    return f"line {mark.line + first_line}: {problem}" if mark else str(problem)
