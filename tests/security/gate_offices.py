"""The demo company with each gate: local, or a remote one over a stand-in server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from core.models.evidence import EvidenceCandidate
from core.models.request import UserRequest
from core.models.trace import PipelineRun
from core.settings import Settings
from core.wiring import Office, open_office
from tests.fakes.model_server import Numbers, Script, claude, typesafe

REMOTE = ("claude", "typesafe")


def willing(held: str) -> dict[str, float]:
    """A remote model that was talked round: everything is evidence, nothing an injection."""
    return {"relevant": 0.99, "evidence": 0.99, "contradicts": 0.0, "injection": 0.0}


def speaking(backend: str, numbers: Numbers = willing) -> Script:
    """The script of a backend's server."""
    return claude(numbers) if backend == "claude" else typesafe(numbers)


@contextmanager
def office_with(
    backend: str, url: str, home: Path, model_cache: Path, **more: Any
) -> Iterator[Office]:
    """An office whose gate asks the server at ``url``."""
    office = open_office(
        Settings(
            home=home,
            model_cache=model_cache,
            undo_seconds=0,
            anthropic_api_key=SecretStr("k"),
            anthropic_base_url=url,
            typesafe_api_key=SecretStr("k"),
            typesafe_base_url=url,
            gate=backend,
            **{"gate_timeout_seconds": 20, **more},
        )
    )
    try:
        yield office
    finally:
        office.close()


def asked(
    office: Office, question: str, supplied: tuple[EvidenceCandidate, ...] | None = None
) -> PipelineRun:
    """The whole flow, on what the index holds or on ``supplied`` passages alone."""
    request = UserRequest(
        request_id=office.ids.new("req"),
        tenant_id=office.settings.tenant,
        user_id="ana",
        raw_query=question,
    )
    return office.ask(request, supplied=supplied)


def told(run: PipelineRun) -> str:
    """All that a drafter was given and all that a reader gets."""
    package = run.package.model_dump_json() if run.package else ""
    return "\n".join((package, run.answer.model_dump_json(), str(run.claims), str(run.ledger)))
