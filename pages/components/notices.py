"""What happened and what is safe: one way to run a write, one way to say how it went."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from core.errors import (
    BadInput,
    Conflicted,
    CountersignError,
    IntegrityBroken,
    LeaseHeld,
    NotAllowed,
    NotFound,
    NotReady,
    StaleVersion,
    Unavailable,
)
from pages.components.untrusted import label

_KEY = "notices"
_SAFE: tuple[tuple[type[CountersignError], str], ...] = (
    (StaleVersion, "Nothing was sent or overwritten. Look at what is here now, then decide again."),
    (LeaseHeld, "Nothing was changed. You can read the case, or take it over with notice."),
    (Conflicted, "Nothing was changed. Reload the case and look at its state."),
    (NotReady, "Nothing was sent. The points below stay open until they are settled."),
    (NotAllowed, "Nothing was changed."),
    (NotFound, "Nothing was changed."),
    (BadInput, "Nothing was stored. Change it and try again."),
    (Unavailable, "Nothing was lost. It may work again in a moment."),
    (IntegrityBroken, "Do not rely on the record until this is looked into. Nothing was changed."),
)


def attempt(done: str, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Run a write; leave a notice of how it went for the next run. ``None`` when it failed."""
    try:
        result = call(*args, **kwargs)
    except CountersignError as error:
        notify("error", _words(error))
        return None
    if done:
        notify("success", done)
    return result if result is not None else True


def notify(kind: str, words: str) -> None:
    """Say ``words`` at the top of the next run. ``kind`` is error, warning, success or info."""
    st.session_state[_KEY] = [*st.session_state.get(_KEY, []), [kind, words]]


def draw_notices() -> None:
    """Show what is waiting, once."""
    for kind, words in st.session_state.pop(_KEY, []):
        _DRAW[kind](words)


def show_error(error: CountersignError) -> None:
    """Say in place what happened and what is safe."""
    st.error(f"{label(error, 400)}  \n{label(_safe(error), 200)}", icon=":material/error:")


def _words(error: CountersignError) -> str:
    findings = error.findings if isinstance(error, NotReady) else ()
    lines = [str(error), _safe(error), *(f"• {finding}" for finding in findings)]
    return "\n".join(lines)


def _safe(error: CountersignError) -> str:
    return next((words for kind, words in _SAFE if isinstance(error, kind)), "Nothing was changed.")


def _lines(words: str) -> str:
    return "  \n".join(label(line, 400) for line in words.splitlines())


def _error(words: str) -> None:
    st.error(f"{_lines(words)}", icon=":material/error:")


def _warning(words: str) -> None:
    st.warning(f"{_lines(words)}", icon=":material/warning:")


def _success(words: str) -> None:
    st.success(f"{_lines(words)}", icon=":material/check_circle:")


def _info(words: str) -> None:
    st.info(f"{_lines(words)}", icon=":material/info:")


_DRAW = {"error": _error, "warning": _warning, "success": _success, "info": _info}
