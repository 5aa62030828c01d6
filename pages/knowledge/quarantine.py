"""Files that could not be taken in: why, what to do, and doing it here where that is possible."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import streamlit as st

from core.errors import CountersignError
from core.knowledge.views import QuarantinedFile
from pages.components.notices import attempt, show_error
from pages.components.untrusted import Html, el, show
from pages.components.words import ago, count, exact
from pages.knowledge.parts import empty, go, paged
from pages.shell import session
from pages.shell.office_knowledge import Shelf


def draw(shelf: Shelf) -> None:
    """The quarantine, newest first."""
    try:
        files = shelf.quarantine()
    except CountersignError as error:
        show_error(error)
        return
    if not files:
        empty("Every file could be taken in.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        show(el("div", f"{count(len(files), 'file')} could not be taken in", cls="cs-soft"))
        st.download_button(
            "Export CSV",
            data=lambda: as_csv(files),
            file_name="quarantine.csv",
            mime="text/csv",
            key="quarantine-csv",
            icon=":material/download:",
        )
    for number, file in enumerate(paged(files, "quarantine", 20)):
        _file(shelf, file, number)


def _file(shelf: Shelf, file: QuarantinedFile, number: int) -> None:
    with st.container(key=f"card-quarantine-{number}"):
        show(_said(file))
        with st.container(horizontal=True, vertical_alignment="center"):
            if file.can_fix and shelf.uploads is not None:
                st.button(
                    "Fix it here",
                    key=f"fix-{number}",
                    type="primary",
                    icon=":material/edit_note:",
                    on_click=_fix,
                    args=(shelf, file.path),
                )
            with st.popover("Dismiss"):
                reason = st.text_input(
                    "Why does nothing need to be done?", key=f"dismiss-why-{number}"
                )
                st.button(
                    "Take it off the list",
                    key=f"dismiss-{number}",
                    disabled=not (reason or "").strip(),
                    on_click=attempt,
                    args=("Taken off the list.", shelf.dismiss_quarantined, file.path, reason),
                )


def _said(file: QuarantinedFile) -> Html:
    since = el("span", f"{ago(file.since, session.now())} ago", title=exact(file.since))
    return el(
        "div",
        el("div", el("span", file.path, cls="cs-code"), " ", since, cls="cs-soft"),
        el("div", el("b", file.reason, cls="cs-bad")),
        el("div", "What to do: ", file.fix) if file.fix else None,
        el("div", f"taken in by {file.taken_in_by}", cls="cs-soft"),
    )


def _fix(shelf: Shelf, path: str) -> None:
    if shelf.uploads is None:
        return
    upload_id = attempt("", shelf.uploads.fix_quarantined, path)
    if upload_id:
        go(upload=upload_id)


def as_csv(files: Sequence[QuarantinedFile]) -> bytes:
    """The list for a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("file", "reason", "fix", "since", "taken in by"))
    for f in files:
        row = (f.path, f.reason, f.fix, f.since.isoformat(), f.taken_in_by)
        writer.writerow(map(_harmless, row))
    return out.getvalue().encode("utf-8-sig")


def _harmless(cell: str) -> str:
    """Spreadsheets run what begins like a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
