"""A calculation that can be cited: its inputs with their sources, its steps, its result."""

from __future__ import annotations

from core.models.action import CalculationStep
from core.models.base import Model


class CalculationInput(Model):
    """A value that enters a calculation and where it was read: a row key or a passage's id."""

    label: str
    value: str
    source: str
    source_title: str = ""


class Calculation(Model):
    """Inputs, steps and result as text; money carries its currency.

    ``rounding`` says how amounts were rounded; ``unknown`` names what the result rests on and the
    sources do not say.
    """

    title: str
    inputs: tuple[CalculationInput, ...]
    steps: tuple[CalculationStep, ...]
    result: str
    rounding: str = ""
    unknown: tuple[str, ...] = ()
