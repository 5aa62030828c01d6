"""Public evaluation sets kept outside the project; a test that needs one skips without it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

_ROOT = Path(__file__).resolve().parents[2]


def rows(name: str, file: str = "") -> list[dict[str, Any]]:
    """The rows of a set, or a skip that says where it was looked for.

    ``file`` names one of several files; without it the set's only one, named like the set.
    """
    home = Path(os.environ.get("COUNTERSIGN_EVAL_DATA", _ROOT.parent / "shared" / "data"))
    path = home / name / (file or f"{name}.jsonl")
    if not path.is_file():
        pytest.skip(f"evaluation set {name} is not at {path} (set COUNTERSIGN_EVAL_DATA)")
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
