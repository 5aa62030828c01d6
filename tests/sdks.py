"""The SDKs of remote models are optional; their tests run where they are installed."""

from __future__ import annotations

import os
from importlib.util import find_spec

import pytest


def need(package: str, extra: str) -> None:
    """Skip the module where ``package`` is missing, or fail it where SDKs are required."""
    if find_spec(package) is not None:
        return
    words = f"{package} is not installed; pip install 'countersign[{extra}]'"
    if "sdks" in os.environ.get("COUNTERSIGN_TEST_REQUIRE", ""):
        pytest.fail(words)
    pytest.skip(words, allow_module_level=True)
