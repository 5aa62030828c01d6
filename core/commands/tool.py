"""``countersign tool``: what can be looked up or worked out, and one call of it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from core.commands.common import Parsers, office_of, show, table, user_of
from core.errors import BadInput
from core.models.access import SecurityContext
from core.models.calculation import Calculation
from core.models.tool import ToolAnswer
from core.stages.authorise import authorise
from core.tools.arguments import signature
from core.tools.ports import ReadTool
from core.tools.toolbox import refusal

if TYPE_CHECKING:
    from core.wiring import Office

_FAILED = {"unavailable": 3, "too_slow": 3, "wrong_type": 2}


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command and its verbs to the grammar."""
    parser = verbs.add_parser("tool", parents=[common], help="look something up, read only")
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    listing = actions.add_parser("list", parents=[common], help="every read tool")
    listing.set_defaults(run=_list)
    calling = actions.add_parser("call", parents=[common], help="call a read tool once")
    calling.add_argument("name", metavar="NAME")
    calling.add_argument(
        "--arg",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter, such as order_id=A-10293 (repeatable)",
    )
    calling.set_defaults(run=_call)


def _list(arguments: argparse.Namespace) -> int:
    office = office_of(arguments)
    context = _rights(arguments, office)
    tools = office.toolbox.tools
    shown = [_described(tool, refusal(tool.access, context)) for tool in tools]
    rows: list[tuple[str, ...]] = [("tool", "answers", "for you")]
    rows += [(s["call"], s["description"], s["refused"] or "yes") for s in shown]
    show(arguments, {"tools": shown}, table(rows))
    return 0


def _described(tool: ReadTool, refused: str) -> dict[str, Any]:
    return {
        "name": tool.name,
        "call": signature(tool.name, tool.parameters),
        "description": tool.description,
        "parameters": {
            name: {"give": field.description or "", "required": field.is_required()}
            for name, field in tool.parameters.model_fields.items()
        },
        "timeout_ms": tool.timeout_ms,
        "allowed": not refused,
        "refused": refused,
    }


def _call(arguments: argparse.Namespace) -> int:
    given = _given(arguments.arg)
    office = office_of(arguments)
    context = _rights(arguments, office)
    answer, call = office.toolbox.call(arguments.name, context, given)
    data = {"call": call.model_dump(mode="json"), "answer": answer.model_dump(mode="json")}
    show(arguments, data, _words(answer))
    if answer.failure is None:
        return 0
    return _FAILED.get(answer.failure.kind, 1)


def _rights(arguments: argparse.Namespace, office: Office) -> SecurityContext:
    """Those of the acting user; of nobody without ``--as``."""
    tenant, policies = office.settings.tenant, office.policies
    user = policies.user(user_of(arguments, office))
    return authorise(user, policies.acl_policies(tenant), tenant_id=tenant)


def _given(pairs: list[str]) -> dict[str, object]:
    given: dict[str, object] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name.strip():
            raise BadInput(f"--arg {pair!r}: give a parameter as NAME=VALUE.")
        given[name.strip()] = value
    return given


def _words(answer: ToolAnswer) -> str:
    if answer.failure is not None:
        return f"{answer.failure.kind.replace('_', ' ')}: {answer.failure.message}"
    lines = []
    for row in answer.rows:
        lines += [f"{row.source_title}  ({row.source_uri or row.chunk_id})", f"  {row.text}"]
    if answer.calculation is not None:
        lines += ["", *_calculation(answer.calculation)]
    return "\n".join([*lines, *answer.notes])


def _calculation(worked_out: Calculation) -> list[str]:
    inputs: list[tuple[str, ...]] = [("input", "value", "from")]
    inputs += [(i.label, i.value, i.source) for i in worked_out.inputs]
    steps: list[tuple[str, ...]] = [("step", "how", "result")]
    steps += [(s.label, s.expression, s.result) for s in worked_out.steps]
    lines = [worked_out.title, table(inputs), "", table(steps), "", f"Result: {worked_out.result}"]
    lines += [worked_out.rounding] if worked_out.rounding else []
    return [*lines, *(f"Not known: {words}" for words in worked_out.unknown)]
