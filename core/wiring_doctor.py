"""How each part of an office is doing, for the settings screen: ``(works, words)``."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable

from core.adapters.open_gate import gate_words
from core.errors import CountersignError
from core.review.chain import verify_stored
from core.tools.arguments import signature
from core.wiring_parts import Parts

_LEAST_FREE_MB = 500
Look = Callable[[], tuple[bool, str]]


def looks(parts: Parts) -> dict[str, Look]:
    """One look for each part, in the order they are shown."""
    return {
        "Case store": lambda: _store(parts),
        "Audit chain": lambda: _chain(parts),
        "Passage index": lambda: _index(parts),
        "Encoder": lambda: (True, parts.encoder.fingerprint),
        "Gate": lambda: (True, gate_words(parts.settings, parts.gate)),
        "Claim check": lambda: (True, parts.checker.name),
        "Planning, judging, drafting": lambda: (True, "local: rules and extraction, no key needed"),
        "Records": lambda: _records(parts),
        "Read tools": lambda: _tools(parts),
        **_connectors(parts),
        "Outbox": lambda: _outbox(parts),
        "Quarantine": lambda: _quarantine(parts),
        "Disk": lambda: _disk(parts),
        "Sign-in": lambda: _sign_in(parts),
    }


def _store(parts: Parts) -> tuple[bool, str]:
    people = parts.policies.users(parts.settings.tenant)
    active = sum(user.active for user in people)
    return bool(active), f"{parts.engine.dialect.name}, schema up to date, {active} active people"


def _chain(parts: Parts) -> tuple[bool, str]:
    with parts.store.read() as transaction:
        state = verify_stored(transaction)
    if state.ok:
        return True, f"verified to event {state.events:,}, head {state.head[:12]}"
    return False, f"breaks at event {state.broken_at}: {state.reason}"


def _index(parts: Parts) -> tuple[bool, str]:
    passages = parts.index.count()
    if not passages:
        return False, "holds no passage. Run `countersign demo`, or ingest your documents."
    return True, f"{passages} passages, version {parts.index.version()}, fits the encoder"


def _records(parts: Parts) -> tuple[bool, str]:
    if not (parts.settings.home / "records.db").is_file():
        return False, "no records database: questions about orders go unanswered"
    return True, "orders and customers, read only"


def _tools(parts: Parts) -> tuple[bool, str]:
    names = [signature(tool.name, tool.parameters) for tool in parts.toolbox.tools]
    return True, ", ".join(names)


def _connectors(parts: Parts) -> dict[str, Look]:
    """One look for each declared database; a file that may not be used says why."""
    try:
        found = parts.connectors
    except CountersignError as error:
        why = str(error)
        return {"Connectors": lambda: (False, why)}
    return {f"Connector {connector.name}": connector.state for connector in found}


def _outbox(parts: Parts) -> tuple[bool, str]:
    with parts.store.read() as transaction:
        items = transaction.outbox(tenant_id=parts.settings.tenant)
    states = Counter[str](item.state for item in items)
    words = ", ".join(f"{number} {state}" for state, number in sorted(states.items()))
    return not states["failed"], words or "empty"


def _quarantine(parts: Parts) -> tuple[bool, str]:
    held = len(parts.registry.quarantined(parts.settings.tenant))
    if held:
        return False, f"{held} files could not be taken in; the knowledge screen says why"
    return True, "empty: every file was taken in"


def _disk(parts: Parts) -> tuple[bool, str]:
    free = shutil.disk_usage(parts.settings.home).free // 1024**2
    return free >= _LEAST_FREE_MB, f"{free / 1024:,.1f} GB free where everything is written"


def _sign_in(parts: Parts) -> tuple[bool, str]:
    if parts.settings.demo_sign_in_anywhere:
        return False, "demo sign-in is open to every machine: anybody can act as anyone"
    if parts.settings.demo_sign_in:
        return True, "demo people, this machine only"
    return True, "demo sign-in is off"
