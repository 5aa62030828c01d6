"""Tools: what they are called with, what they found or worked out, and what they would change."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from core.models.base import Model


class CalculationStep(Model):
    """One line of a calculation: ``subtotal 68.00 − returned 20.00 = 48.00`` and its sources.

    ``evidence_ids`` or row keys in ``sources`` say where each input comes from.
    """

    label: str
    expression: str
    result: str
    sources: tuple[str, ...] = ()


ParameterKind = Literal["text", "money", "choice"]


class ActionParameter(Model):
    """One argument of a tool that writes: its type, its bounds, and whether a person may change it.

    What is not ``editable`` is fixed by the record (the order, the currency). For money
    ``maximum`` is what the calculation or the record bears, which a supervisor may pass with a
    reason, and ``ceiling`` what nobody may pass; both are amounts such as ``112.00``, empty for
    none; ``unit`` is its currency. A ``choice`` is one of ``choices``.
    """

    name: str
    label: str
    kind: ParameterKind = "text"
    editable: bool = True
    choices: tuple[str, ...] = ()
    maximum: str = ""
    ceiling: str = ""
    unit: str = ""
    max_chars: int = 200


class ActionProposal(Model):
    """A change a tool that writes would make. It runs only when a reviewer confirms it, once.

    ``arguments`` are the typed parameters as text; ``preview`` says in words what will change;
    ``steps`` show a calculation behind it. ``proposal_id`` is the key a confirmation is made under:
    confirming the same proposal again does nothing. It follows from the matter (the tool, the
    order and its return), so another draft or case that proposes the same change has the same id.
    ``moves_money`` asks for the stricter confirmation.
    """

    proposal_id: str
    tool: str
    title: str
    arguments: dict[str, str]
    preview: str
    reason: str
    evidence_ids: tuple[str, ...] = ()
    steps: tuple[CalculationStep, ...] = ()
    parameters: tuple[ActionParameter, ...] = ()
    moves_money: bool = False

    def parameter(self, name: str) -> ActionParameter | None:
        """The parameter of that name, if the tool has one."""
        return next((p for p in self.parameters if p.name == name), None)


ActionState = Literal["confirmed", "running", "done", "failed", "unknown", "declined", "taken_back"]
"""``unknown``: the tool broke off and cannot say whether it did it; a person has to look."""


class ActionRecord(Model):
    """What became of a proposal: who decided, with which arguments, and what the tool answered.

    There is one for each proposal and tenant. ``arguments`` are the final ones. While ``running``,
    ``not_before`` is the moment after which the call counts as stuck; before, it ends the undo
    window. ``override_reason`` says why more than the calculation bears was confirmed.
    """

    proposal: ActionProposal
    tenant_id: str
    case_id: str
    draft_id: str
    trace_id: str
    arguments: dict[str, str]
    state: ActionState
    by: str
    by_name: str
    at: datetime
    not_before: datetime
    idempotency_key: str
    reason: str = ""
    override_reason: str = ""
    attempts: int = 0
    settled_at: datetime | None = None
    receipt: str = ""
    error: str = ""

    @property
    def proposal_id(self) -> str:
        """The id of the proposal it is about."""
        return self.proposal.proposal_id
