"""The demo company, seeded once and copied for each test that wants a fresh one."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from core.demo import DATA_DIR, seed_demo
from core.demo_office import OfficeTarget
from core.models.request import OutputForm, UserRequest
from core.models.trace import PipelineRun
from core.settings import Settings
from core.wiring import Office, open_office


def open_at(home: Path, model_cache: Path) -> Office:
    """An office over ``home`` with the exported encoder shared between tests."""
    # A test machine may be slow; what a run answers must not hang on that.
    return open_office(
        Settings(home=home, model_cache=model_cache, undo_seconds=0, round_time_ms=1e9)
    )


def seed(home: Path, model_cache: Path) -> None:
    """Build the demo company in ``home``."""
    office = open_at(home, model_cache)
    seed_demo(OfficeTarget(office), DATA_DIR, lambda _: None)
    office.close()


def ask(
    office: Office,
    question: str,
    *,
    as_user: str = "guest",
    output_form: OutputForm = "chat_reply",
    case_id: str | None = None,
    at: date | None = None,
) -> PipelineRun:
    """The whole flow for one question, as the command line would run it."""
    return office.ask(
        UserRequest(
            request_id=office.ids.new("req"),
            tenant_id=office.settings.tenant,
            user_id=as_user,
            raw_query=question,
            output_form=output_form,
            case_id=case_id,
            asked_on=at,
        )
    )
