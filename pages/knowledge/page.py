"""Knowledge: what is due, every source with its versions, flags, and what could not be taken in."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.knowledge.views import SourceRow
from pages.components.cards import tag
from pages.components.untrusted import Html, el, label, show
from pages.components.words import count, spoken
from pages.knowledge import duplicates, flags, quarantine, source, upload, upload_draft
from pages.knowledge.parts import go, paged
from pages.shell import guard, session
from pages.shell.office_knowledge import Shelf

_VIEWS = ("Due", "All sources", "Flags", "Duplicates", "Upload", "Quarantine")
_EVERYBODY = "everybody"
TONES = {"fresh": "good", "due_soon": "warn", "stale": "bad", "unknown": "warn"}


def render(shelf: Shelf) -> None:
    """One view of the sources; one source or one upload when the address names it."""
    wanted, upload = st.query_params.get("source"), st.query_params.get("upload")
    if wanted:
        source.draw(shelf, wanted)
        return
    if upload and shelf.uploads is not None:
        upload_draft.draw(shelf.uploads, upload)
        return
    view = st.segmented_control(
        "View",
        _views(shelf),
        default=None if "view" in st.session_state else _VIEWS[0],
        key="view",
        label_visibility="collapsed",
        bind="query-params",
    )
    _DRAW.get(str(view), _due)(shelf)


def _views(shelf: Shelf) -> tuple[str, ...]:
    """Taking documents in, and what could not be, is for people who may."""
    return _VIEWS if shelf.uploads is not None else _VIEWS[:3]


def _due(shelf: Shelf) -> None:
    owner = _owner(shelf)
    show(_coverage(shelf.sources(owner)))
    _rows(shelf.due(owner), "due", "Nothing is due. Every source is within its review date.")


def _upload(shelf: Shelf) -> None:
    if shelf.uploads is not None:
        upload.draw(shelf.uploads)


def _owner(shelf: Shelf) -> str | None:
    owners = sorted({row.owner for row in shelf.sources() if row.owner})
    with st.sidebar:
        st.selectbox("Owner", [_EVERYBODY, *owners], key="filter-owner")
    chosen = st.session_state.get("filter-owner", _EVERYBODY)
    return None if chosen == _EVERYBODY else chosen


def _coverage(rows: tuple[SourceRow, ...]) -> Html:
    """How much of the promise is kept: sources within their review date, by what is late."""
    kept = sum(row.state == "fresh" for row in rows)
    late = sum(row.state == "stale" for row in rows)
    unknown = sum(row.state == "unknown" for row in rows)
    soon = sum(row.state == "due_soon" for row in rows)
    return el(
        "div",
        tag(f"{kept + soon} of {count(len(rows), 'source')} within their review date", "good"),
        tag(f"{soon} due soon", "warn") if soon else None,
        tag(f"{late} past it", "bad") if late else None,
        tag(f"{unknown} never reviewed", "warn") if unknown else None,
    )


def _everything(shelf: Shelf) -> None:
    owner = _owner(shelf)
    st.text_input(
        "Find a source",
        key="search-sources",
        placeholder="Find a source by title, owner or state",
        label_visibility="collapsed",
        icon=":material/search:",
    )
    asked = str(st.session_state.get("search-sources", "")).lower().split()
    rows = tuple(r for r in shelf.sources(owner) if all(word in _haystack(r) for word in asked))
    _rows(rows, "all", "No source matches. Clear the search, or ingest documents first.")


def _haystack(row: SourceRow) -> str:
    return f"{row.title} {row.owner} {row.authority} {row.words} {row.source_id}".lower()


def _rows(rows: tuple[SourceRow, ...], where: str, empty: str) -> None:
    if not rows:
        show(el("div", el("div", empty, cls="big"), cls="cs-empty"))
        return
    for row in paged(rows, where):
        with st.container(key=f"pick-source-{where}-{row.source_id}"):
            show(_row(row))
            st.button(
                f"Open {label(row.title)}",
                key=f"open-{where}-{row.source_id}",
                on_click=go_to,
                args=(row.source_id,),
            )


def _row(row: SourceRow) -> Html:
    reviewed = f"reviewed {row.last_reviewed:%-d %b %Y} · " if row.last_reviewed else ""
    return el(
        "div",
        el(
            "div",
            el("span", row.title, cls="cs-src"),
            tag(f"version {row.version}"),
            tag(spoken(row.authority)),
            tag(f"⚑ {row.open_flags} open", "warn") if row.open_flags else None,
        ),
        el(
            "div",
            tag(row.words, TONES[row.state]),
            el("span", f"{reviewed}owner {row.owner or 'nobody'}", cls="cs-soft"),
        ),
        cls="cs-tile cs-hover",
    )


_DRAW: dict[str, Callable[[Shelf], None]] = {
    "Due": _due,
    "All sources": _everything,
    "Flags": flags.draw,
    "Duplicates": duplicates.draw,
    "Upload": _upload,
    "Quarantine": quarantine.draw,
}


def go_to(source_id: str | None) -> None:
    """Open a source, or the list."""
    if source_id:
        go(source=source_id)
    else:
        go()


if __name__ == "__main__":
    guard.open_page("knowledge", session.shelf, render)
