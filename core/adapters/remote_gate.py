"""What a gate must offer to be remembered and guarded: a name for its answers that lasts."""

from __future__ import annotations

from typing import Protocol

from core.ports import Gate


class RemoteGate(Gate, Protocol):
    """A gate that costs money and time, and to which text leaves this machine."""

    @property
    def fingerprint(self) -> str:
        """Backend, model and prompt: an answer under another fingerprint is another answer."""
        ...

    def close(self) -> None:
        """Let go of connections. Called once, at the end."""
        ...
