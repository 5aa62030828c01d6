"""The console: ``streamlit run app.py`` (or ``countersign serve``).

One file, two roles. Imported by the server it is the ASGI application ``app``, with health,
counters, sign-in and security headers around Streamlit. Run by Streamlit for a browser session it
is the script: it looks who is signed in and offers the pages their rights open. Each page checks
those rights again.
"""

from __future__ import annotations

import streamlit as st

from pages.shell import navigation, server
from pages.shell.office import Office


def open_office() -> Office:
    """The real Countersign, from the settings in the environment."""
    from core.settings import Settings
    from core.wiring import open_office as wire

    return wire(Settings())


if __name__ == "__main__":
    navigation.run()
else:
    app = st.App(
        __file__,
        routes=server.routes(),
        middleware=server.middleware(),
        lifespan=server.lifespan(open_office),
    )
