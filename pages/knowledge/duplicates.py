"""Texts that stand in several sources: the same, nearly the same, and the same but for a value."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from core.knowledge.duplicate_finder import DuplicateFindings
from core.knowledge.duplicates import DuplicateGroup, DuplicatePlace, DuplicateWording
from pages.components.cards import source_address, tag
from pages.components.untrusted import Html, el, join, marked, show, spans_of
from pages.components.words import count, spoken
from pages.knowledge.parts import empty, paged
from pages.shell.office_knowledge import Shelf

_KINDS = {
    "differs_in_values": ("the same but for a value", "bad"),
    "reworded": ("in other words", "warn"),
    "nearly_same": ("nearly the same", "warn"),
    "same": ("the same", ""),
}
_EVERY = "All"


def draw(shelf: Shelf) -> None:
    """What was found, or how far looking is."""
    found = shelf.duplicates()
    if found.phase == "running":
        _looking(shelf)
        return
    if found.phase == "failed":
        with st.container(key="card-duplicates", horizontal=True, vertical_alignment="center"):
            show(el("div", el("b", "Looking failed. ", cls="cs-bad"), found.words))
            st.button("Look again", key="look-again", on_click=shelf.look_for_duplicates_again)
        return
    if not found.groups:
        empty("No text stands in two sources", "Of the sources in force that you may open.")
        return
    _groups(found)


@st.fragment(run_every=0.8)
def _looking(shelf: Shelf) -> None:
    found = shelf.duplicates()
    if found.phase != "running":
        # The page around the fragment shows the result; a fragment redraws itself alone.
        st.rerun(scope="app")
    with st.container(key="card-duplicates"):
        if found.total:
            st.progress(min(1.0, found.looked / found.total))
            words = f"{found.looked} of {count(found.total, 'source')} read. "
        else:
            words = ""
        show(
            el(
                "div",
                el("b", "Looking for text that stands in several sources. "),
                el("span", f"{words}You may leave; it goes on.", cls="cs-soft"),
            )
        )


def _groups(found: DuplicateFindings) -> None:
    counts = Counter[str](group.kind for group in found.groups)
    kinds = [kind for kind in _KINDS if counts[kind]]
    with st.container(horizontal=True, vertical_alignment="center"):
        chosen = st.segmented_control(
            "Kind",
            [_EVERY, *kinds],
            default=_EVERY,
            key="duplicate-kind",
            format_func=lambda kind: _kind_words(kind, counts[kind]),
            label_visibility="collapsed",
        )
        show(
            el("div", "Among the sources in force that you may open.", cls="cs-soft"),
            width="content",
        )
    wanted = [g for g in found.groups if chosen in (None, _EVERY, g.kind)]
    show(join(_group(group) for group in paged(wanted, f"duplicates-{chosen}", 20)))


def _kind_words(kind: str, number: int) -> str:
    return kind if kind == _EVERY else f"{_KINDS[kind][0].capitalize()} ({number})"


def _group(group: DuplicateGroup) -> Html:
    words, tone = _KINDS[group.kind]
    first = group.wordings[0]
    told = [pair for wording in group.wordings[1:] for pair in wording.differences]
    return el(
        "div",
        el("div", tag(words, tone), el("span", group.words, cls="cs-src"), cls="cs-card-head"),
        _wording(first, [left for left, _ in told]),
        join(_wording(w, [right for _, right in w.differences]) for w in group.wordings[1:]),
        cls="cs-tile cs-gap",
    )


def _wording(wording: DuplicateWording, values: list[str]) -> Html:
    """One wording with what it says in its own way marked, and everywhere it stands."""
    return el(
        "div",
        el("div", marked(wording.text, spans_of(wording.text, values)), cls="cs-quote"),
        el("div", join(_place(place) for place in wording.places)),
        cls="cs-msg",
    )


def _place(place: DuplicatePlace) -> Html:
    address = source_address(place.source_id, place.document_id, place.chunk_id)
    where = " › ".join(place.heading_path)
    page = f", page {place.page}" if place.page is not None else ""
    return el(
        "div",
        el("a", place.title, href=address),
        el(
            "span",
            f" {where}{page} · version {place.version} · {spoken(place.authority)} · "
            f"owner {place.owner}",
            cls="cs-soft",
        ),
    )
