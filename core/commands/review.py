"""``countersign review``: the desk, scriptable, under the same rules."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from core.commands import review_actions
from core.commands.common import Parsers, office_of, show, table, user_of
from core.commands.show_run import run_text
from core.errors import BadInput
from core.models.review import CaseState, EscalationReason

if TYPE_CHECKING:
    from core.review.desk import ReviewDesk
    from core.review.views import CaseView


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command and its verbs to the grammar."""
    parser = verbs.add_parser("review", parents=[common], help="work the desk from a script")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    listing = actions.add_parser("list", parents=[common], help="the queue")
    listing.add_argument("--all", action="store_true", help="closed cases too")
    listing.set_defaults(run=_list)
    for name, run, words in (
        ("show", _show, "open a case: draft, claims, what blocks approval"),
        ("approve", _approve, "approve the current draft and queue it for delivery"),
        ("edit", _edit, "replace the text (validated again)"),
        ("escalate", _escalate, "hand the case on"),
        ("refuse", _refuse, "refuse with the standard sentence"),
    ):
        action = actions.add_parser(name, parents=[common], help=words)
        action.add_argument("case", metavar="CASE")
        action.set_defaults(run=run)
        _extra(name, action)
    review_actions.add_to(actions, common)


def _extra(name: str, action: argparse.ArgumentParser) -> None:
    if name == "approve":
        action.add_argument("--draft", metavar="ID", help="refuse unless this is the current draft")
        action.add_argument(
            "--hash", metavar="SHA256", help="refuse unless the text hashes to this"
        )
        action.add_argument(
            "--opened",
            action="append",
            default=[],
            metavar="ITEM",
            help="say that this conflict or check was opened (repeatable)",
        )
        action.add_argument("--override-reason", default="")
    if name == "edit":
        action.add_argument("--text-file", type=Path, required=True, metavar="FILE")
    if name == "escalate":
        action.add_argument("--reason", choices=get_args(EscalationReason), required=True)
        action.add_argument("--to", default="")
        action.add_argument("--note", default="")
    if name == "refuse":
        action.add_argument("--reason", required=True)


def _desk(arguments: argparse.Namespace) -> ReviewDesk:
    office = office_of(arguments)
    return office.desk(user_of(arguments, office))


def _list(arguments: argparse.Namespace) -> int:
    desk = _desk(arguments)
    rows = desk.queue(states=_all_states() if arguments.all else None)
    lines: list[tuple[str, ...]] = [("case", "state", "risk", "channel", "customer", "subject", "")]
    lines += [
        (r.case_id, r.state, r.risk, r.channel, r.customer, r.subject[:60], r.warning) for r in rows
    ]
    show(arguments, {"cases": [r.model_dump(mode="json") for r in rows]}, table(lines))
    return 0


def _all_states() -> tuple[CaseState, ...]:
    return get_args(CaseState)


def _show(arguments: argparse.Namespace) -> int:
    _print(arguments, _desk(arguments).open(arguments.case))
    return 0


def _print(arguments: argparse.Namespace, view: CaseView) -> None:
    lines = [f"#{view.case.case_id} {view.case.subject} · {view.case.state}"]
    if view.run:
        lines += ["", run_text(view.run)]
    if view.draft:
        lines += [
            "",
            f"Draft {view.draft.draft_id} (version {view.draft.number}, {view.draft.kind}), "
            f"sha256 {view.draft.text_hash}",
            "",
            view.draft.text,
        ]
    lines += [f"[{'x' if c.done else ' '}] {c.label}  ({c.check_id})" for c in view.checks]
    lines += [f"blocked: {words}" for words in view.approve_blocked_by]
    if view.outbox:
        lines.append(f"outbox: {view.outbox.state} ({view.outbox.item_id})")
    # The names of access policies that keep a reader out would tell what there is behind them.
    shown = view.model_dump(mode="json", exclude={"run": {"context": {"denied_acl_policy_ids"}}})
    show(arguments, shown, "\n".join(lines))


def _approve(arguments: argparse.Namespace) -> int:
    desk = _desk(arguments)
    for item in arguments.opened:
        desk.mark_opened(arguments.case, item)
    view = desk.open(arguments.case)
    if view.draft is None:
        raise BadInput(f"case {arguments.case}: there is no draft to approve.")
    done = desk.approve(
        arguments.case,
        draft_id=arguments.draft or view.draft.draft_id,
        text_hash=arguments.hash or view.draft.text_hash,
        case_version=view.case.version,
        override_reason=arguments.override_reason,
    )
    _print(arguments, done)
    return 0


def _edit(arguments: argparse.Namespace) -> int:
    desk = _desk(arguments)
    try:
        text = arguments.text_file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{arguments.text_file}: cannot be read as UTF-8 ({error}).") from error
    view = desk.open(arguments.case)
    if view.draft is None:
        raise BadInput(f"case {arguments.case}: there is no draft to edit.")
    _print(
        arguments,
        desk.submit_edit(
            arguments.case,
            base_draft_id=view.draft.draft_id,
            text=text,
            case_version=view.case.version,
        ),
    )
    return 0


def _escalate(arguments: argparse.Namespace) -> int:
    desk = _desk(arguments)
    view = desk.open(arguments.case)
    _print(
        arguments,
        desk.escalate(
            arguments.case,
            reason=arguments.reason,
            to=arguments.to,
            note=arguments.note,
            case_version=view.case.version,
        ),
    )
    return 0


def _refuse(arguments: argparse.Namespace) -> int:
    desk = _desk(arguments)
    view = desk.open(arguments.case)
    _print(
        arguments,
        desk.refuse(arguments.case, reason=arguments.reason, case_version=view.case.version),
    )
    return 0
