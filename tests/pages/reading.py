"""Reads a page under AppTest as a person would: the words, without tags."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

from streamlit.testing.v1 import AppTest

_TAG = re.compile(r"<[^>]+>")


def open_page(script: Callable[..., None], desk: Any, **query: str) -> AppTest:
    """Run a page over ``desk`` with the address ``?key=value``."""
    at = AppTest.from_function(script, kwargs={"desk": desk}, default_timeout=20)
    for key, value in query.items():
        at.query_params[key] = value
    return at.run()


def words_of(at: AppTest) -> str:
    """Everything our own renderer drew, tags off, and Streamlit's own messages."""
    drawn = " ".join(html.unescape(_TAG.sub(" ", element.proto.body)) for element in at.get("html"))
    said = [m.value for kind in ("error", "warning", "info", "success") for m in getattr(at, kind)]
    return re.sub(r"\s+", " ", " ".join([drawn, *said]))


def buttons_of(at: AppTest) -> set[str]:
    """Keys of all buttons drawn."""
    return {button.key for button in at.button if button.key}
