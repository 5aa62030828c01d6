"""A piece of a text that a reader does not see or cannot read, and what it says."""

from __future__ import annotations

from typing import NamedTuple


class Concealed(NamedTuple):
    """``text[start:end]`` hides ``plain``; ``where`` says how, as in "hidden in alt text".

    ``shown`` marks text that some readers do get to see (alternative text, titles): it counts as
    hiding only if it speaks to a model.
    """

    start: int
    end: int
    plain: str
    where: str
    shown: bool = False
