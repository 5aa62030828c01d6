"""Knowledge: what is due, every source with its versions, flags, and what could not be taken in."""

from __future__ import annotations

import streamlit as st

from core.errors import CountersignError
from core.knowledge.views import QuarantinedFile, SourceRow
from core.models.review import SourceFlag
from pages.components.cards import source_address, table, tag
from pages.components.notices import show_error
from pages.components.untrusted import Html, el, label, show
from pages.components.words import ago, count, exact, spoken
from pages.knowledge import source
from pages.shell import guard, session
from pages.shell.office import Shelf

_EVERYBODY = "everybody"
TONES = {"fresh": "good", "due_soon": "warn", "stale": "bad", "unknown": "warn"}


def render(shelf: Shelf) -> None:
    """The list, or one source when the address names one."""
    wanted = st.query_params.get("source")
    if wanted:
        source.draw(shelf, wanted)
        return
    with st.sidebar:
        owner = _owner(shelf)
    show(_coverage(shelf.sources(owner)))
    due, everything, flags, quarantine = st.tabs(["Due", "All sources", "Flags", "Quarantine"])
    with due:
        _rows(shelf.due(owner), "due", "Nothing is due. Every source is within its review date.")
    with everything:
        _everything(shelf, owner)
    with flags:
        _flags(shelf)
    with quarantine:
        _quarantine(shelf)


def _owner(shelf: Shelf) -> str | None:
    owners = sorted({row.owner for row in shelf.sources() if row.owner})
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


def _everything(shelf: Shelf, owner: str | None) -> None:
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
    for row in rows:
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


def _flags(shelf: Shelf) -> None:
    flags = shelf.flags()
    if not flags:
        show(
            el(
                "div",
                el("div", "No flag is open on a source you may read.", cls="big"),
                cls="cs-empty",
            )
        )
        return
    show(flag_table(flags))


def flag_table(flags: tuple[SourceFlag, ...]) -> Html:
    """Flags with the passage they are about and the case they came from."""
    now = session.now()
    return table(
        ("When", "Source", "What is doubtful", "Why", "By", "Case", "State"),
        (
            (
                el("span", f"{ago(f.raised_at, now)} ago", title=exact(f.raised_at)),
                el("a", f.source_id, href=source_address(f.source_id, f.document_id, f.chunk_id)),
                f.claim or "the passage",
                f.reason,
                f.raised_by,
                f"#{f.case_id}" if f.case_id else "",
                f.state,
            )
            for f in flags
        ),
    )


def _quarantine(shelf: Shelf) -> None:
    try:
        files = shelf.quarantine()
    except CountersignError as error:
        show_error(error)
        return
    if not files:
        show(el("div", el("div", "Every file could be taken in.", cls="big"), cls="cs-empty"))
        return
    show(table(("File", "What is wrong", "What to do", "Since"), map(_quarantined, files)))


def _quarantined(file: QuarantinedFile) -> tuple[Html | str, ...]:
    since = el("span", f"{ago(file.since, session.now())} ago", title=exact(file.since))
    return (el("span", file.path, cls="cs-code"), file.reason, file.fix, since)


def go_to(source_id: str | None) -> None:
    """Open a source, or the list."""
    st.query_params.clear()
    if source_id:
        st.query_params["source"] = source_id


if __name__ == "__main__":
    guard.open_page("knowledge", session.shelf, render)
