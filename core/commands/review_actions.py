"""``countersign review actions|confirm|decline|take-back|settle``: proposed actions by script."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from core.commands.common import Parsers, office_of, show, table, user_of
from core.errors import BadInput, NotReady

if TYPE_CHECKING:
    from core.review.desk import ReviewDesk
    from core.review.views import ActionView, CaseView


def add_to(actions: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the verbs beside those of ``countersign review``."""
    for name, run, words in (
        ("actions", _list, "what tools that write would change, and what became of it"),
        ("confirm", _confirm, "have a proposed action carried out, once"),
        ("decline", _decline, "say that a proposed action is not to be carried out"),
        ("take-back", _take_back, "take one's own confirmation back before it runs"),
        ("settle", _settle, "say whether an action of unknown outcome was done"),
    ):
        action = actions.add_parser(name, parents=[common], help=words)
        action.add_argument("case", metavar="CASE")
        action.set_defaults(run=run)
        if name != "actions":
            action.add_argument("proposal", metavar="PROPOSAL")
        _extra(name, action)


def _extra(name: str, action: argparse.ArgumentParser) -> None:
    if name == "confirm":
        action.add_argument(
            "--arg",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="put this argument in place of the proposed one (repeatable)",
        )
        action.add_argument(
            "--override-reason", default="", help="why more than the evidence bears is right"
        )
    if name in ("confirm", "decline"):
        action.add_argument("--trace", metavar="ID", help="refuse unless this run is current")
    if name == "decline":
        action.add_argument("--reason", required=True)
    if name == "settle":
        action.add_argument("--done", choices=("yes", "no"), required=True)
        action.add_argument("--note", required=True, help="where you looked, what you found")


def _desk(arguments: argparse.Namespace) -> ReviewDesk:
    office = office_of(arguments)
    return office.desk(user_of(arguments, office))


def _list(arguments: argparse.Namespace) -> int:
    _print(arguments, _desk(arguments).view(arguments.case))
    return 0


def _confirm(arguments: argparse.Namespace) -> int:
    desk = _desk(arguments)
    view = desk.open(arguments.case)
    done = desk.confirm_action(
        arguments.case,
        proposal_id=arguments.proposal,
        trace_id=_trace(arguments, view),
        arguments=_arguments(arguments.arg),
        override_reason=arguments.override_reason,
    )
    _print(arguments, done)
    return 0


def _decline(arguments: argparse.Namespace) -> int:
    desk = _desk(arguments)
    view = desk.open(arguments.case)
    done = desk.decline_action(
        arguments.case,
        proposal_id=arguments.proposal,
        trace_id=_trace(arguments, view),
        reason=arguments.reason,
    )
    _print(arguments, done)
    return 0


def _take_back(arguments: argparse.Namespace) -> int:
    desk = _desk(arguments)
    _print(arguments, desk.take_back_action(arguments.case, proposal_id=arguments.proposal))
    return 0


def _settle(arguments: argparse.Namespace) -> int:
    done = _desk(arguments).settle_action(
        arguments.case,
        proposal_id=arguments.proposal,
        done=arguments.done == "yes",
        note=arguments.note,
    )
    _print(arguments, done)
    return 0


def _trace(arguments: argparse.Namespace, view: CaseView) -> str:
    if arguments.trace:
        return str(arguments.trace)
    if view.run is None:
        raise NotReady(f"Case {arguments.case} has no draft you may see; it proposes nothing.")
    return view.run.trace.trace_id


def _arguments(given: list[str]) -> dict[str, str]:
    pairs = {}
    for pair in given:
        name, sign, value = pair.partition("=")
        if not sign or not name.strip():
            raise BadInput(f"--arg {pair!r} is not NAME=VALUE, such as amount=112.00.")
        pairs[name.strip()] = value
    return pairs


def _print(arguments: argparse.Namespace, view: CaseView) -> None:
    shown = {
        "case_id": view.case.case_id,
        "trace_id": view.run.trace.trace_id if view.run else None,
        "actions": [action.model_dump(mode="json") for action in view.actions],
    }
    lines = [line for action in view.actions for line in _lines(action)]
    show(arguments, shown, "\n".join(lines) or f"Case {view.case.case_id} proposes no action.")


def _lines(action: ActionView) -> list[str]:
    proposal = action.proposal
    held = action.record.arguments if action.record else proposal.arguments
    rows: list[tuple[str, ...]] = [("argument", "value", "at most")]
    rows += [(p.name, held.get(p.name, ""), p.maximum) for p in proposal.parameters]
    return [
        f"{proposal.proposal_id}  {proposal.title} ({proposal.tool})",
        f"  {proposal.preview}",
        f"  {proposal.reason}",
        *(f"  {step.label}: {step.expression} = {step.result}" for step in proposal.steps),
        *(f"  {line}" for line in table(rows).splitlines()),
        f"  {action.words}",
        *(f"  blocked: {words}" for words in action.blocked_by),
        "",
    ]
