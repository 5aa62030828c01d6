"""``countersign policy glossary``: the company's words that say the same, shown and changed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.commands.common import Parsers, office_of, show, table, user_of

if TYPE_CHECKING:
    from core.knowledge.glossary import GlossaryDesk


def add_to(kinds: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the glossary and its verbs to ``countersign policy``."""
    glossary = kinds.add_parser("glossary", parents=[common], help="words that say the same")
    actions = glossary.add_subparsers(required=True, metavar="ACTION")
    actions.add_parser(
        "show", parents=[common], help="all that you may learn of, and where it stands"
    ).set_defaults(run=_show)
    put = actions.add_parser("set", parents=[common], help="say that these words mean the same")
    put.add_argument("words", nargs="+", metavar="WORD")
    put.add_argument("--reason", required=True, help="why it changes; the audit keeps it")
    put.set_defaults(run=_set)
    forget = actions.add_parser("forget", parents=[common], help="take a word's line out")
    forget.add_argument("word", metavar="WORD")
    forget.add_argument("--reason", required=True, help="why it changes; the audit keeps it")
    forget.set_defaults(run=_forget)


def _desk(arguments: argparse.Namespace) -> GlossaryDesk:
    office = office_of(arguments)
    return office.glossary_desk(user_of(arguments, office))


def _show(arguments: argparse.Namespace) -> int:
    shown = _desk(arguments).shown()
    rows: list[tuple[str, ...]] = [("words", "from", "document")]
    rows += [(" = ".join(g.words), g.origin, g.document_id) for g in shown]
    show(arguments, {"groups": [g.model_dump(mode="json") for g in shown]}, table(rows))
    return 0


def _set(arguments: argparse.Namespace) -> int:
    return _tell(arguments, _desk(arguments).put(arguments.words, reason=arguments.reason))


def _forget(arguments: argparse.Namespace) -> int:
    return _tell(arguments, _desk(arguments).forget(arguments.word, reason=arguments.reason))


def _tell(arguments: argparse.Namespace, groups: Sequence[tuple[str, ...]]) -> int:
    lines = [" = ".join(group) for group in groups]
    show(arguments, {"groups": [list(group) for group in groups]}, "\n".join(lines) or "(empty)")
    return 0
