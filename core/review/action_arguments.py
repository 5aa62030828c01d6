"""The final arguments of an action: every type and bound checked, or a word on which fails."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

from core.errors import BadInput
from core.models.action import ActionParameter, ActionProposal
from core.models.base import Model
from core.review.action_tool import PARAMETERS
from core.text.refund_due import amount


def final_arguments(proposal: ActionProposal, given: Mapping[str, str]) -> dict[str, str]:
    """The proposal's arguments with those ``given`` in their place.

    Raises ``BadInput`` naming the argument: unknown, fixed by the record, of the wrong type, or
    beyond the ceiling. What only a supervisor may pass is ``beyond_bound``.
    """
    known = [parameter.name for parameter in proposal.parameters]
    for name in given:
        if name not in known:
            raise BadInput(f"{proposal.tool} has no argument {name!r}. It has: {', '.join(known)}.")
    final = {p.name: _value(p, proposal, given) for p in proposal.parameters}
    typed(proposal.tool, final)
    return final


def typed(tool: str, arguments: Mapping[str, str]) -> Model:
    """Arguments as the tool's own model. Raises ``BadInput`` naming the first that does not fit."""
    model = PARAMETERS.get(tool)
    if model is None:
        raise BadInput(f"There is no tool {tool!r} that may change anything.")
    try:
        return model.model_validate_strings(dict(arguments))
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else "an argument"
        raise BadInput(f"{tool}: {name} does not fit ({first['msg']}).") from error


def beyond_bound(proposal: ActionProposal, arguments: Mapping[str, str]) -> str:
    """What of the arguments passes what the calculation or record bears; empty for nothing."""
    for parameter in proposal.parameters:
        bound, value = amount(parameter.maximum), amount(arguments.get(parameter.name, ""))
        if parameter.kind == "money" and bound is not None and value is not None and value > bound:
            return f"{parameter.label} {value} is more than the {bound} that the evidence bears"
    return ""


def _value(parameter: ActionParameter, proposal: ActionProposal, given: Mapping[str, str]) -> str:
    proposed = proposal.arguments.get(parameter.name, "")
    value = given.get(parameter.name, proposed).strip()
    name = parameter.label
    if not parameter.editable and value != proposed:
        raise BadInput(f"{name} is fixed by the record ({proposed}); it cannot be changed here.")
    if not value:
        raise BadInput(f"{name} is empty; give it first.")
    if not value.isprintable():
        raise BadInput(f"{name} holds a control character; type it again.")
    if parameter.kind == "money":
        return _money(parameter, value)
    if parameter.kind == "choice" and value not in parameter.choices:
        raise BadInput(f"{name} {value!r} is none of: {', '.join(parameter.choices)}.")
    if len(value) > parameter.max_chars:
        raise BadInput(f"{name} has {len(value)} characters; at most {parameter.max_chars} fit.")
    return value


def _money(parameter: ActionParameter, value: str) -> str:
    read = amount(value)
    if read is None:
        raise BadInput(f"{parameter.label} {value!r} is no amount. Write it as 112.00.")
    ceiling = amount(parameter.ceiling)
    if ceiling is not None and read > ceiling:
        raise BadInput(
            f"{parameter.label} {read} is more than was ever paid ({ceiling}). Give less."
        )
    return f"{read:.2f}"
