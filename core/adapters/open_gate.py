"""The configured gate: the local one, or a remote one behind its guard and its memory."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import SecretStr
from sqlalchemy import Engine

from core.adapters.guarded_gate import GuardedGate
from core.adapters.remembering_gate import RememberingGate
from core.adapters.remote_gate import RemoteGate
from core.adapters.remote_words import Prices
from core.adapters.sql_paid_answers import SqlPaidAnswers
from core.errors import BadInput
from core.ports import Clock, Gate
from core.settings import Settings


def open_gate(settings: Settings, local: Gate, engine: Callable[[], Engine], clock: Clock) -> Gate:
    """The gate that ``settings`` choose; ``engine`` is opened where answers are to be stored.

    Raises ``Unavailable`` where its SDK is not installed, ``BadInput`` for a missing key. Nothing
    is asked of a server here.
    """
    if settings.gate == "local":
        return local
    remote = _claude(settings) if settings.gate == "claude" else _typesafe(settings)
    if settings.gate_kept_answers:
        shelf = SqlPaidAnswers(engine(), clock, kept=settings.gate_kept_answers)
        remote = RememberingGate(remote, shelf)
    return GuardedGate(
        local,
        remote,
        injection_max=settings.thresholds.injection_max,
        fallback=settings.gate_fallback,
    )


def gate_words(settings: Settings, gate: Gate) -> str:
    """The gate in one line for the settings screen, without asking it anything."""
    if settings.gate == "local":
        return f"{gate.name}, on this machine"
    claude = settings.gate == "claude"
    address = settings.anthropic_base_url if claude else settings.typesafe_base_url
    missed = "left out" if settings.gate_fallback == "exclude" else "judged locally"
    return (
        f"{gate.name} at {address}, {settings.gate_timeout_seconds:g} s at most; what it does not "
        f"judge is {missed}; what the local scan flags is never sent"
    )


def _claude(settings: Settings) -> RemoteGate:
    from core.adapters.claude_client import ClaudeClient
    from core.adapters.claude_gate import ClaudeGate

    client = ClaudeClient(
        api_key=_key(settings.anthropic_api_key, "COUNTERSIGN_ANTHROPIC_API_KEY"),
        base_url=settings.anthropic_base_url,
        model=settings.anthropic_model,
        prices=Prices.of(settings),
    )
    return ClaudeGate(
        client, timeout_seconds=settings.gate_timeout_seconds, pool=settings.gate_pool
    )


def _typesafe(settings: Settings) -> RemoteGate:
    from core.adapters.typesafe_gate import TypeSafeGate

    return TypeSafeGate(
        api_key=_key(settings.typesafe_api_key, "COUNTERSIGN_TYPESAFE_API_KEY"),
        base_url=settings.typesafe_base_url,
        model=settings.typesafe_model,
        timeout_seconds=settings.gate_timeout_seconds,
        pool=settings.gate_pool,
        prices=Prices.of(settings),
    )


def _key(key: SecretStr | None, variable: str) -> SecretStr:
    if key is None:
        raise BadInput(f"the gate needs a key: set {variable}.")
    return key
