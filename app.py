"""The console: ``countersign serve``, or ``streamlit run app.py``.

One file, two roles. Imported by the server it is the ASGI application ``app``, with health,
counters, sign-in and security headers around Streamlit. Run by Streamlit for a browser session it
is the script: it looks who is signed in and offers the pages their rights open. Each page checks
those rights again.
"""

from __future__ import annotations

import streamlit as st

from pages.shell import navigation, server

if __name__ == "__main__":
    navigation.run()
else:
    from core.settings import load_settings
    from core.wiring import Office, open_office

    settings = load_settings()

    def opened() -> Office:
        """The office, its models loading while people sign in."""
        office = open_office(settings)
        office.warm()
        return office

    app = st.App(
        __file__,
        routes=server.routes(
            demo=settings.demo_sign_in, demo_anywhere=settings.demo_sign_in_anywhere
        ),
        middleware=server.middleware(),
        lifespan=server.lifespan(opened),
    )
