"""The look: one sheet of our own rules over Streamlit's theme, for light and dark."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st


@cache
def _sheet() -> str:
    rules = (Path(__file__).parent / "look.css").read_text(encoding="utf-8")
    return f"<style>{rules}</style>"


def apply_look() -> None:
    """Lay the sheet over the page and load the console's one script, both from this server."""
    st.html(_sheet())
    st.html('<script src="/assets/console.js"></script>', unsafe_allow_javascript=True)
