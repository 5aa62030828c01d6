"""What was read of an upload, and what it changes about the version in force."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from core.knowledge.upload_views import CutPassage, DraftPage, Replacement
from core.knowledge.views import DiffPart
from pages.components.cards import diff_body, source_address, table
from pages.components.untrusted import Html, el, join, show
from pages.components.words import ago, count, exact, spoken
from pages.knowledge.parts import empty, paged, table_of, text_with_tables
from pages.shell import session

_AROUND = 600
"""Characters shown of what did not change, on either side of a change."""


def draw_read(page: DraftPage) -> None:
    """Warnings, then the changes, the text, its passages, or what stands elsewhere."""
    _warnings(page)
    names = [
        *(["What changes"] if page.replacement and not page.identical else []),
        "What was read",
        "Passages",
        *(["Stands elsewhere"] if page.standing else []),
    ]
    view = st.segmented_control(
        "Look at",
        names,
        default=names[0],
        key=f"look-{page.row.upload_id}",
        label_visibility="collapsed",
    )
    if view == "What changes" and page.replacement:
        _changes(page.replacement)
    elif view == "Passages":
        _passages(page)
    elif view == "Stands elsewhere":
        _standing(page)
    else:
        show(text_with_tables(page.text))


def _warnings(page: DraftPage) -> None:
    if not page.warnings:
        return
    lines = join(el("li", words) for words in page.warnings)
    show(
        el(
            "div",
            el("b", "Read with care", cls="cs-warn"),
            el("ul", lines, cls="cs-list"),
            cls="cs-tile",
        )
    )


# -- what changes -------------------------------------------------------------------------------


def _changes(new: Replacement) -> None:
    show(
        el(
            "div",
            "Against version ",
            el("b", new.version),
            " of ",
            el("a", new.title, href=source_address(new.source_id, new.document_id)),
            f", which gives way on {new.on:%-d %B %Y}.",
        )
    )
    if new.same_text:
        show(el("div", "The text is the same; only what is said about it changes.", cls="cs-soft"))
    else:
        show(diff_body(tuple(_shortened(new.diff))))
    if new.changes:
        show(el("div", "Metadata", cls="cs-cap"))
        show(
            table(
                ("Field", "Now", "Then"),
                ((c.label, c.before or "–", c.after or "–") for c in new.changes),
            )
        )
    _leaning(new)


def _shortened(diff: tuple[DiffPart, ...]) -> Iterator[DiffPart]:
    """The changes with what stands around them; what did not change is cut short between."""
    for kind, text in diff:
        if kind != "same" or len(text) <= 2 * _AROUND:
            yield kind, text
            continue
        left_out = count(text.count("\n", _AROUND, -_AROUND) or 1, "line")
        yield "same", f"{text[:_AROUND]} …\n\n[{left_out} as before]\n\n… {text[-_AROUND:]}"


def _leaning(new: Replacement) -> None:
    show(el("div", "What leans on the version in force", cls="cs-cap"))
    if not new.replies and not new.open_drafts:
        show(el("div", "No approved reply and no open draft leans on it.", cls="cs-soft"))
        return
    now = session.now()
    rows: list[tuple[Html | str, ...]] = [
        (_case(d.case_id), d.subject, el("span", "open draft", cls="cs-warn"), spoken(d.case_state))
        for d in new.open_drafts
    ]
    rows += [
        (
            _case(r.case_id),
            r.subject,
            el("span", f"approved {ago(r.approved_at, now)} ago", title=exact(r.approved_at)),
            spoken(r.case_state),
        )
        for r in new.replies
    ]
    show(table(("Case", "Subject", "What", "Now"), rows))


def _case(case_id: str) -> Html:
    return el("a", f"#{case_id}", href=f"/desk?case={case_id}")


# -- what was read ------------------------------------------------------------------------------


def _passages(page: DraftPage) -> None:
    if not page.passages:
        empty("There is no passage in it.")
        return
    beginning = " of the beginning" if page.more_passages else ""
    words = f"{count(len(page.passages), 'passage')}{beginning}, as they will be searched."
    show(el("div", words, cls="cs-soft"))
    show(join(_passage(p) for p in paged(page.passages, f"cut-{page.row.upload_id}", 25)))


def _passage(passage: CutPassage) -> Html:
    where = " › ".join(passage.heading_path) or "before the first heading"
    if passage.kind == "table":
        body = table_of([line for line in passage.text.split("\n") if line.strip()])
    else:
        body = el("div", passage.text, cls="cs-quote")
    return el(
        "div",
        el(
            "div",
            el("span", f"{passage.ordinal + 1}", cls="cs-chip"),
            el("span", where, cls="cs-src"),
            cls="cs-card-head",
        ),
        body,
        el("div", _measures(passage), cls="cs-soft"),
        cls="cs-tile cs-gap",
    )


def _measures(passage: CutPassage) -> str:
    said = [count(passage.size, "word")]
    if passage.kind != "prose":
        said.append(passage.kind)
    if passage.page_start is not None:
        last = passage.page_end or passage.page_start
        pages = f"{passage.page_start}–{last}" if last > passage.page_start else f"{last}"
        said.append(f"page {pages}")
    return " · ".join(said)


def _standing(page: DraftPage) -> None:
    words = "These stretches stand word for word in sources you may open."
    show(el("div", words, cls="cs-soft"))
    show(
        table(
            ("Text", "Stands in"),
            (
                (
                    el("span", s.text[:400], cls="cs-quote"),
                    el("a", s.title, href=source_address(s.source_id, s.document_id)),
                )
                for s in paged(page.standing, f"stand-{page.row.upload_id}", 25)
            ),
        )
    )
