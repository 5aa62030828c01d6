"""Nobody pays for what they do not use: what commands and console import is looked at inside."""

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
_ROOT = Path(__file__).resolve().parent.parent
# Reaching for a refused module fails even where it is installed, and says who reached for it.
_REFUSING = """
import importlib, pkgutil, sys
class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in REFUSED:
            raise SystemExit(f"{name} is imported")
REFUSED = set(sys.argv[1].split())
sys.meta_path.insert(0, Refused())
"""
_CONSOLE = """
import app, pages
for module in pkgutil.walk_packages(pages.__path__, "pages."):
    importlib.import_module(module.name)
print("pages.knowledge.page" in sys.modules, "core.wiring" in sys.modules)
"""
_ENCODER = """
from pathlib import Path
from core.adapters.open_encoder import open_encoder
encoder = open_encoder("packaged", cache_dir=Path(sys.argv[2]))
print(encoder.encode_queries(["warm"]).shape)
"""
_TORCH = ("torch", "sentence_transformers", "transformers")
_PARSERS = ("pdfplumber", "pdfminer", "pypdf", "docx", "openpyxl", "lxml", "selectolax")
_ENGINES = ("lancedb", "pyarrow", "pandas", "onnx", "onnxruntime", "tokenizers", "safetensors")


def _refusing(script: str, refused: tuple[str, ...], *words: str) -> str:
    """What ``script`` prints in a process of its own where ``refused`` cannot be imported."""
    done = subprocess.run(
        [sys.executable, "-c", _REFUSING + script, " ".join(refused), *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=_ROOT,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    return done.stdout.strip()


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
        cwd=_ROOT,
    )
    imported = set(done.stderr.rsplit("imported:", 1)[1].split())
    assert "core.cli" in imported
    assert not imported & _SLOW


def test_the_console_starts_without_torch_parsers_or_engines() -> None:
    assert _refusing(_CONSOLE, _TORCH + _PARSERS + _ENGINES) == "True True"


def test_a_kept_graph_is_opened_without_torch_and_without_what_built_it(
    office: Office, model_cache: Path
) -> None:
    built = office.encoder.dimension  # the graph is in the cache from here on
    found = _refusing(_ENCODER, (*_TORCH, "onnx", "safetensors"), str(model_cache))
    assert found == f"(1, {built})"


def test_the_console_refuses_to_start_where_a_refused_module_is_reached() -> None:
    with pytest.raises(AssertionError, match="numpy is imported"):
        _refusing(_CONSOLE, ("numpy",))


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
