"""Commands that need no model do not pay for one: what they import is looked at from inside."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import Unavailable
from core.wiring import Office, open_office

_REPORT = """
import sys
from core.cli import main
try:
    code = main(sys.argv[1:])
except SystemExit as stop:
    code = stop.code or 0
print("imported:", *sorted(sys.modules), file=sys.stderr)
sys.exit(code)
"""
_SLOW = {"lancedb", "pyarrow", "onnx", "onnxruntime", "tokenizers", "streamlit", "pandas"}


@pytest.mark.parametrize(
    "words",
    [("--help",), ("settings",), ("audit", "verify"), ("outbox", "list")],
    ids=lambda words: words[0],
)
def test_a_command_without_a_question_loads_no_model(tmp_path: Path, words: tuple[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _REPORT, "--home", str(tmp_path), *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parent.parent,
    )
    imported = set(done.stderr.rsplit("imported:", 1)[1].split())
    assert "core.cli" in imported
    assert not imported & _SLOW


def test_an_office_can_open_its_models_ahead_of_the_first_draft(office: Office) -> None:
    office.warm().join()
    assert "tools" in vars(office)


def test_what_cannot_be_opened_ahead_is_reported_by_its_use(office: Office) -> None:
    settings = office.settings.model_copy(update={"encoder": "no/such-model"})
    broken = open_office(settings)
    broken.warm().join()
    with pytest.raises(Unavailable):
        broken.copilot.draft  # noqa: B018 - reaching for it opens what it works with
    broken.close()


def test_a_desk_lists_cases_without_opening_a_model(office: Office) -> None:
    assert office.desk("ana").queue()
    assert office.shelf("ana").sources()
    assert not {"tools", "encoder", "index"} & vars(office).keys()
