"""Tools: what they are called with, what they found or worked out, and what they would change."""

from __future__ import annotations

from core.models.base import Model


class CalculationStep(Model):
    """One line of a calculation: ``subtotal 68.00 − returned 20.00 = 48.00`` and its sources.

    ``evidence_ids`` or row keys in ``sources`` say where each input comes from.
    """

    label: str
    expression: str
    result: str
    sources: tuple[str, ...] = ()


class ActionProposal(Model):
    """A change a tool that writes would make. It runs only when a reviewer confirms it, once.

    ``arguments`` are the typed parameters as text; ``preview`` says in words what will change;
    ``steps`` show a calculation behind it. ``proposal_id`` is the key a confirmation is made under:
    confirming the same proposal again does nothing.
    """

    proposal_id: str
    tool: str
    title: str
    arguments: dict[str, str]
    preview: str
    reason: str
    evidence_ids: tuple[str, ...] = ()
    steps: tuple[CalculationStep, ...] = ()
