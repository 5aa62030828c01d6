"""Arguments of a tool as its typed parameters, or a failure that says which to change and how."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails, PydanticSerializationError, to_json

from core.models.base import Model
from core.models.tool import ToolFailure

_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (str, "text"),
    (int, "a whole number"),
    (float, "a number"),
    (Mapping, "a table of values"),
    (list, "a list"),
    (tuple, "a list"),
    (set, "a list"),
)
_SHOWN = 80
"""Characters of an argument that a record keeps."""


def typed_arguments(
    tool: str, parameters: type[Model], given: Mapping[str, object]
) -> Model | ToolFailure:
    """``given`` as an instance of ``parameters``.

    Text is read as the parameter's type (``"3"`` for a number, an ISO date); any other value must
    have that type already: a number is no order number and ``true`` no count.
    """
    try:
        if all(isinstance(value, str) for value in given.values()):
            return parameters.model_validate_strings(dict(given))
        return parameters.model_validate_json(to_json(dict(given)), strict=True)
    except PydanticSerializationError:
        odd = next((n for n, v in given.items() if kind_of(v) == "an object"), "an argument")
        message = f"{tool}: {odd} is an object; {_wanted(parameters, odd)}."
    except ValidationError as error:
        message = _message(tool, parameters, given, error.errors()[0])
    return ToolFailure(kind="wrong_type", message=message)


def kind_of(value: object) -> str:
    """What sort of value it is, in words."""
    if value is None:
        return "an empty value"
    return next((words for kind, words in _KINDS if isinstance(value, kind)), "an object")


def shown_arguments(given: Mapping[str, object]) -> dict[str, str]:
    """Arguments as short text, for the record of a call."""
    return {str(name)[:_SHOWN]: str(value)[:_SHOWN] for name, value in given.items()}


def signature(tool: str, parameters: type[Model]) -> str:
    """``calculate_refund(order_id, reason)``; what may be left out stands in brackets."""
    names = [n if f.is_required() else f"[{n}]" for n, f in parameters.model_fields.items()]
    return f"{tool}({', '.join(names)})"


def _message(
    tool: str, parameters: type[Model], given: Mapping[str, object], error: ErrorDetails
) -> str:
    name = str(error["loc"][0]) if error["loc"] else ""
    if error["type"] == "extra_forbidden":
        return f"{tool} has no parameter {name!r}. Call it as {signature(tool, parameters)}."
    wanted = _wanted(parameters, name)
    if error["type"] == "missing":
        return f"{tool} needs {name}: {wanted}."
    if not name:
        return f"{tool}: {_reason(error)}."
    return f"{tool}: {name} is {kind_of(given.get(name))} that does not fit; {wanted}."


def _wanted(parameters: type[Model], name: str) -> str:
    field = parameters.model_fields.get(name)
    words = field.description if field is not None else None
    return f"give {words}" if words else f"call it as {signature('it', parameters)}"


def _reason(error: ErrorDetails) -> str:
    context: dict[str, Any] = error.get("ctx", {})
    return str(context.get("error", error["msg"])).rstrip(".")
