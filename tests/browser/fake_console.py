"""The console over the fake office: ``uvicorn tests.browser.fake_console:app``."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.shell import server
from tests.fakes.fake_office import FakeOffice

app = st.App(
    Path(__file__).resolve().parents[2] / "app.py",
    routes=server.routes(),
    middleware=server.middleware(),
    lifespan=server.lifespan(FakeOffice),
)
