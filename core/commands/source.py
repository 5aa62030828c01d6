"""``countersign source``: the owner's verbs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from core.commands.common import Parsers, day, office_of, show, table, user_of

if TYPE_CHECKING:
    from core.knowledge.shelf import KnowledgeShelf


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command and its verbs to the grammar."""
    parser = verbs.add_parser("source", parents=[common], help="governed sources")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    listing = actions.add_parser("list", parents=[common], help="all sources")
    listing.add_argument("--owner", metavar="USER")
    listing.set_defaults(run=_list)
    review = actions.add_parser("review", parents=[common], help="still right: mark reviewed")
    review.add_argument("document", metavar="DOCUMENT")
    review.add_argument("--note", default="")
    review.set_defaults(run=_review)
    supersede = actions.add_parser(
        "supersede", parents=[common], help="a newer version replaces it"
    )
    supersede.add_argument("document", metavar="DOCUMENT")
    supersede.add_argument("--by", required=True, metavar="DOCUMENT")
    supersede.add_argument("--on", type=day, metavar="DATE")
    supersede.set_defaults(run=_supersede)
    withdraw = actions.add_parser("withdraw", parents=[common], help="take it out of retrieval")
    withdraw.add_argument("document", metavar="DOCUMENT")
    withdraw.add_argument("--reason", required=True)
    withdraw.set_defaults(run=_withdraw)


def _shelf(arguments: argparse.Namespace) -> KnowledgeShelf:
    office = office_of(arguments)
    return office.shelf(user_of(arguments, office))


def _list(arguments: argparse.Namespace) -> int:
    rows = _shelf(arguments).sources(arguments.owner)
    lines: list[tuple[str, ...]] = [("source", "document", "owner", "state", "in words")]
    lines += [(r.source_id, r.document_id, r.owner, r.state, r.words) for r in rows]
    show(arguments, {"sources": [r.model_dump(mode="json") for r in rows]}, table(lines))
    return 0


def _done(arguments: argparse.Namespace, words: str) -> int:
    show(
        arguments, {"document": arguments.document, "done": words}, f"{arguments.document}: {words}"
    )
    return 0


def _review(arguments: argparse.Namespace) -> int:
    _shelf(arguments).mark_reviewed_version(arguments.document, note=arguments.note)
    return _done(arguments, "marked reviewed")


def _supersede(arguments: argparse.Namespace) -> int:
    _shelf(arguments).supersede(arguments.document, by=arguments.by, on=arguments.on)
    return _done(arguments, f"superseded by {arguments.by}")


def _withdraw(arguments: argparse.Namespace) -> int:
    office = office_of(arguments)
    user = user_of(arguments, office)
    version = office.registry.get(arguments.document)
    office.shelf(user).withdraw(arguments.document, reason=arguments.reason)
    if version is None:  # the shelf refuses what is not there
        return _done(arguments, "withdrawn")
    proof = office.index_keeper(user).probe(version)
    words = (
        f"withdrawn; a probe query for each of its texts returns nothing of it "
        f"({proof.queries} queries by words and by vector, {proof.hits} hits)"
    )
    data = {"document": arguments.document, "done": words, "proof": proof.model_dump(mode="json")}
    show(arguments, data, f"{arguments.document}: {words}")
    return 1 if proof.hits else 0
