"""What a person reads when a remote model gives no usable answer, and what may be asked again.

Nothing a server wrote is repeated: its words are untrusted and may hold what was sent.
"""

from __future__ import annotations

import re

from core.models.evidence import TokenUsage
from core.settings import Settings

_NAME = re.compile(r"[A-Za-z0-9][\w.:@/-]{0,79}")
_PASSING = (408, 425, 429)


def late(vendor: str, seconds: float) -> str:
    """No answer in time."""
    return f"{vendor} did not answer within {seconds:g} s"


def unreachable(vendor: str, address: str) -> str:
    """No connection."""
    return f"{vendor} could not be reached at {address}"


def refused(vendor: str, status: int, key: str) -> str:
    """An HTTP status that is no answer, with the remedy where there is one."""
    if status in (401, 403):
        return f"{vendor} refused the key ({status}): check {key}"
    if status == 429:
        return f"{vendor} is at its rate limit (429)"
    if status >= 500:
        return f"{vendor} is out of order ({status})"
    return f"{vendor} refused the request ({status}): check the model's name and the address"


def unreadable(vendor: str) -> str:
    """A reply in another form than asked for."""
    return f"{vendor}'s reply could not be read"


def bad_number(vendor: str) -> str:
    """A probability missing, not a number, or out of range."""
    return f"{vendor} gave no four probabilities between 0 and 1"


def is_passing(status: int) -> bool:
    """Whether the same request may work a moment later."""
    return status in _PASSING or status >= 500


def model_name(said: object, configured: str) -> str:
    """The model that answered, where the reply names one in a readable way."""
    return said if isinstance(said, str) and _NAME.fullmatch(said) else configured


class Prices:
    """Prices per million tokens, in any currency. Zero where nothing was set."""

    def __init__(self, input_price: float = 0.0, output_price: float = 0.0) -> None:
        self._input, self._output = input_price, output_price

    @classmethod
    def of(cls, settings: Settings) -> Prices:
        """As the settings say."""
        return cls(settings.gate_input_price, settings.gate_output_price)

    def used(self, input_tokens: object, output_tokens: object) -> TokenUsage:
        """The usage of one request; counts that are none are taken as 0."""
        read, written = _count(input_tokens), _count(output_tokens)
        cost = (read * self._input + written * self._output) / 1_000_000
        return TokenUsage(requests=1, input_tokens=read, output_tokens=written, cost=cost)


def _count(said: object) -> int:
    return said if isinstance(said, int) and not isinstance(said, bool) and said > 0 else 0
