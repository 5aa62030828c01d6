"""``countersign index``: the state and the upkeep of the passage index."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from core.commands.common import Parsers, office_of, show, table, user_of
from core.errors import BadInput
from core.models.index import CleanUp, Consistency, IndexStatus, RecallCheck

if TYPE_CHECKING:
    from core.wiring_index import IndexKeeper

_NAMED = 10
_ENOUGH = 0.98


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command and its verbs to the grammar."""
    parser = verbs.add_parser("index", parents=[common], help="state and upkeep of the index")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    status = actions.add_parser(
        "status", parents=[common], help="size, versions, and whether it agrees with the documents"
    )
    status.add_argument("--repair", action="store_true", help="make it agree")
    status.set_defaults(run=_status)
    maintain = actions.add_parser(
        "maintain", parents=[common], help="fold new rows in, check recall, remove old versions"
    )
    maintain.add_argument(
        "--keep-days",
        type=_days,
        metavar="N",
        help="remove versions older than this, though answers were given on them "
        "(default: those stay, and all of the last 7 days)",
    )
    maintain.set_defaults(run=_maintain)
    erase = actions.add_parser(
        "erase", parents=[common], help="remove a document's text for good, old versions included"
    )
    erase.add_argument("document", metavar="DOCUMENT")
    erase.add_argument("--reason", required=True)
    erase.set_defaults(run=_erase)


def _keeper(arguments: argparse.Namespace) -> IndexKeeper:
    office = office_of(arguments)
    return office.index_keeper(user_of(arguments, office))


def _days(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of days, 0 or more")
    return int(text)


def _status(arguments: argparse.Namespace) -> int:
    """Exit 1 when index and documents disagree."""
    keeper = _keeper(arguments)
    repaired = keeper.repair() if arguments.repair else None
    check = repaired.after if repaired else keeper.check()
    status = keeper.status()
    data = status.model_dump(mode="json") | {
        "consistency": check.model_dump(mode="json") | {"agree": check.agree},
        "repaired": repaired.model_dump(mode="json") if repaired else None,
    }
    lines = _status_lines(status)
    if repaired:
        lines.append(
            f"Repaired: {repaired.removed} document(s) taken out, {repaired.indexed} written again."
        )
    lines += _consistency_lines(check)
    show(arguments, data, "\n".join(lines))
    return 0 if check.agree else 1


def _maintain(arguments: argparse.Namespace) -> int:
    upkeep = _keeper(arguments).maintain(arguments.keep_days)
    lines = [
        f"Folded in {upkeep.folded} passage(s); {upkeep.seconds:.1f} s in all.",
        *_recall_lines(upkeep.recall),
        *_cleaned_lines(upkeep.cleaned),
        *_status_lines(upkeep.status),
    ]
    show(arguments, upkeep.model_dump(mode="json"), "\n".join(lines))
    return 0


def _erase(arguments: argparse.Namespace) -> int:
    if not arguments.reason.strip():
        raise BadInput("index erase: say why with --reason.")
    erasure = _keeper(arguments).erase(arguments.document, reason=arguments.reason)
    proof = erasure.proof
    lines = [
        f"{erasure.document_id}: {erasure.passages} passage(s) erased with "
        f"{erasure.versions_removed} past version(s) of the index; answers given before now "
        "cannot be searched for again.",
        f"Proof: {proof.queries} probe queries with its exact text returned {proof.hits} "
        "passage(s) of it.",
        *(f"Kept: {what}." for what in erasure.kept),
    ]
    show(arguments, erasure.model_dump(mode="json"), "\n".join(lines))
    return 0


def _status_lines(status: IndexStatus) -> list[str]:
    oldest = f"{status.oldest_at:%Y-%m-%d %H:%M} UTC" if status.oldest_at else "unknown"
    lines = [
        f"{status.passages} passage(s) of {status.documents} document(s), version "
        f"{status.version}, {_size(status.bytes_on_disk)} in {status.folder}",
        f"{status.versions_kept} version(s) kept, the oldest {status.oldest_version} of {oldest}",
        "built by " + ", ".join(f"{k} {v}" for k, v in sorted(status.built_by.items())),
    ]
    if status.unindexed:
        lines.append(
            f"{status.unindexed} passage(s) are not folded in yet (found all the same, slower): "
            "`countersign index maintain` folds them in"
        )
    lines += [f"tag {tag} holds version {version}" for tag, version in status.tags.items()]
    for other in status.others:
        what = "a rebuild that was not finished" if other.unfinished else "an older index"
        size = _size(other.bytes_on_disk)
        lines.append(f"table {other.number}: {what}, {other.rows} passage(s), {size}")
    rows = [("index over", "kind", "rows", "not folded in")]
    rows += [(p.column, p.kind, str(p.rows), str(p.unindexed)) for p in status.parts]
    exact = (
        "" if any(p.column == "vector" for p in status.parts) else "vectors are searched exactly"
    )
    return [*lines, table(rows), *([exact] if exact else []), *_recall_lines(status.recall)]


def _recall_lines(recall: RecallCheck | None) -> list[str]:
    if recall is None:
        return []
    lines = [
        f"recall@{recall.k} of the vector index against exact search: {recall.plain:.3f}, under a "
        f"filter {recall.filtered:.3f} ({recall.queries} queries, {recall.at:%Y-%m-%d %H:%M} UTC)"
    ]
    if min(recall.plain, recall.filtered) < _ENOUGH:
        lines.append(f"  below {_ENOUGH}: `countersign ingest --rebuild` trains the index anew")
    return lines


def _cleaned_lines(cleaned: CleanUp) -> list[str]:
    since = f"{cleaned.kept_since:%Y-%m-%d %H:%M} UTC" if cleaned.kept_since else "the beginning"
    lines = [
        f"Kept every version since {since} ({cleaned.because}); removed "
        f"{cleaned.versions_removed} version(s) and {len(cleaned.tables_removed)} older table(s), "
        f"{_size(cleaned.bytes_freed)} freed."
    ]
    if cleaned.answers_unreplayable:
        lines.append(
            f"{cleaned.answers_unreplayable} stored answer(s) were given on versions that are not "
            "kept: they can be read, but not searched for again."
        )
    return lines


def _consistency_lines(check: Consistency) -> list[str]:
    if check.agree:
        return [f"Index and documents agree ({check.documents} document(s))."]
    lines = ["Index and documents disagree; `countersign index status --repair` makes them agree:"]
    for what, names in (
        ("in the index though withdrawn or unknown", check.orphaned),
        ("not in the index", check.missing),
        ("taken in only half", check.unfinished),
        ("in the index twice", check.doubled),
    ):
        if names:
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            lines.append(f"  {what}: {', '.join(names[:_NAMED])}{more}")
    return lines


def _size(length: int) -> str:
    return f"{length / 1e6:.1f} MB" if length < 1e9 else f"{length / 1e9:.2f} GB"
