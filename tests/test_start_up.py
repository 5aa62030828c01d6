"""Commands that need no model do not pay for one: what they import is looked at from inside."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

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
    "words", [("--help",), ("settings",), ("audit", "verify"), ("outbox", "list")], ids=lambda words: words[0]
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
